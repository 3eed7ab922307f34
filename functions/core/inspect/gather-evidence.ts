import { isAttackType, type ThreatType } from '../model/threat.ts';
import { asksToAssemble } from './conversation/fragments.ts';
import { assembledReadings, neighbourReadings, tailReading } from './conversation/joined-readings.ts';
import { placeIn, type Reading } from './conversation/reading.ts';
import { areStaged } from './conversation/staged-answers.ts';
import type { Finding } from './finding.ts';
import type { Evidence } from './fusion/evidence.ts';
import { weigh } from './fusion/weigh.ts';
import type { Inspector } from './inspector.ts';
import type { RequestText } from './request-text.ts';
import type { Signal } from './rule.ts';

/** A tool's definition asks nothing of the model, and its examples are nobody's data. */
const NOT_OF_DEFINITIONS: ReadonlySet<ThreatType> = new Set(['pii', 'denial_of_wallet']);

/** Everything found in the texts of a request, in each and in what they make together, weighed by where it stands. */
export function gatherEvidence(texts: readonly RequestText[], inspector: Inspector): Evidence[] {
  const alone = texts.flatMap((text) => inText(text, inspector));
  const told = new Set(alone.map(keyOf));
  const together = [...inReadings(texts, inspector, told), ...ofConversation(texts, inspector)];
  return [...alone, ...together].map(weigh);
}

function inText(text: RequestText, inspector: Inspector): Evidence[] {
  const findings = inspector.inspect(text.text, text.surface);
  return findings
    .filter(({ rule }) => text.author !== 'definition' || !NOT_OF_DEFINITIONS.has(rule.type))
    .map((finding) => ({
      finding,
      text,
      passage: { text: text.text, start: finding.start, end: finding.end },
      turnsAgo: text.turnsAgo,
      reasons: [],
    }));
}

/** `told` are the keys of what is known already, and takes up what is found here. */
function inReadings(texts: readonly RequestText[], inspector: Inspector, told: Set<string>): Evidence[] {
  const tail = tailReading(texts);
  const readings = [
    ...[...neighbourReadings(texts), ...assembledReadings(texts)].map((reading) => ({ reading, judged: true })),
    // Questions of many turns in one window are no text that the classifier knows.
    ...(tail === undefined ? [] : [{ reading: tail, judged: false }]),
  ];
  return readings.flatMap(({ reading, judged }) =>
    inspector.inspect(reading.text, reading.surface).flatMap((finding) => {
      if (!isAttackType(finding.rule.type) || (!judged && finding.rule.patterns.length === 0)) return [];
      const evidence = toEvidence(finding, reading, texts);
      if (evidence === undefined || told.has(keyOf(evidence))) return [];
      told.add(keyOf(evidence));
      return [evidence];
    }),
  );
}

/** Only what spans two texts is new. */
function toEvidence(finding: Finding, reading: Reading, texts: readonly RequestText[]): Evidence | undefined {
  const place = placeIn(reading, finding.start, finding.end);
  if (place === undefined) return undefined;
  const { source, start, end, lastSource } = place;
  return {
    finding: { ...finding, start, end },
    text: texts[source] as RequestText,
    passage: { text: reading.text, start: finding.start, end: finding.end },
    turnsAgo: (texts[lastSource] as RequestText).turnsAgo,
    reasons: ['joined'],
  };
}

/** What is no passage of any text: the way that the conversation was made. */
function ofConversation(texts: readonly RequestText[], inspector: Inspector): Evidence[] {
  const contents = texts.filter(({ isContent }) => isContent);
  const last = contents.findLast(({ author }) => author === 'user');
  if (last === undefined) return [];
  const signals: Signal[] = [];
  if (asksToAssemble(last.text) && assembledReadings(texts).length > 0) signals.push('assembled');
  const answers = contents.filter(({ author }) => author === 'assistant').map(({ text }) => text);
  if (areStaged(answers)) signals.push('staged');
  return signals
    .flatMap((signal) => inspector.noticing(signal, last.surface))
    .map((rule) => ({
      finding: { rule, score: rule.score, start: 0, end: last.text.length, decodedFrom: [] },
      text: last,
      passage: { text: last.text, start: 0, end: last.text.length },
      turnsAgo: last.turnsAgo,
      reasons: ['joined'],
    }));
}

/** The same rule at the same place is one finding, however far it reaches. */
function keyOf({ finding, text }: Evidence): string {
  return `${finding.rule.id} ${text.path.join('.')} ${finding.start}`;
}
