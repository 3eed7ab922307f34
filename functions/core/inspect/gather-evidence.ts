import { isAttackType, type ThreatType } from '../model/threat.ts';
import { asksToAssemble } from './conversation/fragments.ts';
import { type JoinedText, type PlaceInJoined, placeIn } from './conversation/joined-text.ts';
import { assembledTexts, joinedNeighbours, joinedTail } from './conversation/joined-texts.ts';
import { areStaged } from './conversation/staged-answers.ts';
import type { Finding } from './finding.ts';
import type { Evidence } from './fusion/evidence.ts';
import { isJudgement, weigh } from './fusion/weigh.ts';
import type { RequestText } from './request-text.ts';
import type { Signal } from './rule.ts';
import type { TextInspector } from './text-inspector.ts';

/** A tool's definition asks nothing of the model, and its examples are nobody's data. */
const NOT_OF_DEFINITIONS: ReadonlySet<ThreatType> = new Set(['pii', 'denial_of_wallet']);

/** Texts together say more than one of them alone where the score is higher by so much. */
const SAYS_MORE = 0.1;

/** Everything found in the texts of a request, in each and in what they make together, weighed by where it stands. */
export function gatherEvidence(texts: readonly RequestText[], inspector: TextInspector): Evidence[] {
  const alone = texts.flatMap((text) => inText(text, inspector)).map(weigh);
  const assembled = assembledTexts(texts);
  const together = inJoined(texts, assembled, inspector).map(weigh);
  return [...alone, ...newIn(together, alone), ...ofConversation(texts, assembled, inspector).map(weigh)];
}

function inText(text: RequestText, inspector: TextInspector): Evidence[] {
  const findings = inspector.inspect(text.text, text.surface);
  return findings
    .filter((finding) => counts(text, finding))
    .map((finding) => ({
      finding,
      text,
      passage: { text: text.text, start: finding.start, end: finding.end },
      turnsAgo: text.turnsAgo,
      reasons: [],
    }));
}

/**
 * Whether a finding means what it says in these words. Harm is asked for by a user, now: what the model is said to have answered
 * asks for nothing, and what was asked for in an earlier turn was told when it was new.
 */
function counts({ author, turnsAgo }: RequestText, finding: Finding): boolean {
  if (author === 'definition') return !NOT_OF_DEFINITIONS.has(finding.rule.type);
  const isOfHarm = isJudgement(finding) && !isAttackType(finding.rule.type);
  return !isOfHarm || (author !== 'assistant' && turnsAgo === 0);
}

/** What spans texts, with those that it touches. */
interface Spanning extends Evidence {
  readonly touched: readonly RequestText[];
}

function inJoined(
  texts: readonly RequestText[],
  assembled: readonly JoinedText[],
  inspector: TextInspector,
): Spanning[] {
  return joinedTexts(texts, assembled).flatMap(({ joined, judged }) =>
    inspector.inspect(joined.text, joined.surface).flatMap((finding) => {
      if (!isAttackType(finding.rule.type) || (!judged && isJudgement(finding))) return [];
      const place = placeIn(joined, finding.start, finding.end);
      return place === undefined ? [] : [toSpanning(finding, joined, place, texts)];
    }),
  );
}

/** Of what was found in joined texts, what says more than the same rule about one of their texts; each once. */
function newIn(together: readonly Spanning[], alone: readonly Evidence[]): Evidence[] {
  const known = new Map<string, number>();
  const learn = ({ finding, text }: Evidence) => {
    const key = keyOf(finding, text);
    known.set(key, Math.max(finding.score, known.get(key) ?? 0));
  };
  for (const one of alone) learn(one);
  return together.filter((one) => {
    const { finding, touched } = one;
    const said = Math.max(...touched.map((text) => known.get(keyOf(finding, text)) ?? 0));
    if (finding.score < said + SAYS_MORE) return false;
    learn(one);
    return true;
  });
}

/** The joined texts, and whether the classifier's judgement of each counts. */
function joinedTexts(
  texts: readonly RequestText[],
  assembled: readonly JoinedText[],
): { readonly joined: JoinedText; readonly judged: boolean }[] {
  const tail = joinedTail(texts);
  return [
    ...[...joinedNeighbours(texts), ...assembled].map((joined) => ({ joined, judged: true })),
    // Questions of many turns in one window are no text that the classifier knows.
    ...(tail === undefined ? [] : [{ joined: tail, judged: false }]),
  ];
}

function toSpanning(
  finding: Finding,
  joined: JoinedText,
  { start, end, sources }: PlaceInJoined,
  texts: readonly RequestText[],
): Spanning {
  const touched = sources.map((source) => texts[source] as RequestText);
  return {
    finding: { ...finding, start, end },
    text: touched[0] as RequestText,
    passage: { text: joined.text, start: finding.start, end: finding.end },
    turnsAgo: (touched.at(-1) as RequestText).turnsAgo,
    reasons: ['joined'],
    touched,
  };
}

/** What is no passage of any text: the way that the conversation was made. */
function ofConversation(
  texts: readonly RequestText[],
  assembled: readonly JoinedText[],
  inspector: TextInspector,
): Evidence[] {
  const contents = texts.filter(({ isContent }) => isContent);
  const last = contents.findLast(({ author }) => author === 'user');
  if (last === undefined) return [];
  const signals: Signal[] = [];
  if (assembled.length > 0 && asksToAssemble(last.text)) signals.push('assembled');
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

function keyOf({ rule }: Finding, { path }: RequestText): string {
  return `${rule.id} ${path.join('.')}`;
}
