import { isAttackType, type RequestText, type ThreatType } from '../../kernel/model/index.ts';
import { finish, type Steps } from '../../kernel/tasks/index.ts';
import { type Evidence, isClassifierFinding, weigh } from '../fusion/index.ts';
import type { Finding, Signal, TextInspector } from '../matching/index.ts';
import { concatenateFragments } from './adjacent-texts.ts';
import { type ConcatenatedText, placesIn } from './concatenated-text.ts';
import { areStaged, requestsAssembly } from './conversation-signals.ts';
import {
  addCrossTextFindings,
  countsInUnreadText,
  MAX_CLASSIFIED_UNITS,
  toCrossTextEvidence,
} from './cross-text-findings.ts';
import {
  concatenateNames,
  countsInConcatenatedNames,
  countsInSingleName,
  createNameInspector,
  isInspectedAlone,
  isInspectedAsName,
} from './name-texts.ts';
import { mayHaveMarkup, textsWithoutMarkup } from './without-markup.ts';

/** Types that do not count in tool definitions: their examples are no real person's data, and a definition requests nothing. */
const NOT_OF_DEFINITIONS: ReadonlySet<ThreatType> = new Set(['pii', 'denial_of_wallet']);

/** Units of text, or findings, that take about a millisecond. */
const STEP_UNITS = 8192;
const STEP_FINDINGS = 2000;
/** Texts that take about a millisecond to visit. */
const STEP_TEXTS = 1000;
const NO_REASONS: Evidence['reasons'] = [];
/** Fixed cost of a text in units, in addition to its length. */
const TEXT_UNITS = 64;

/** The findings in the texts of a request. */
export interface Gathered {
  readonly evidence: readonly Evidence[];
  /** Texts that were not inspected completely because the CPU budget was used up. */
  readonly unfinished: readonly RequestText[];
}

/** All findings in the texts of a request and in joined texts, weighted by their context. */
export function gatherEvidence(texts: readonly RequestText[], inspector: TextInspector): readonly Evidence[] {
  return finish(gatherSteps(texts, inspector)).evidence;
}

export function* gatherSteps(texts: readonly RequestText[], inspector: TextInspector): Steps<Gathered> {
  const inspectName = createNameInspector(inspector);
  const alone: Evidence[] = [];
  let units = 0;
  for (let at = 0; at < texts.length; at += 1) {
    const text = texts[at] as RequestText;
    if (isInspectedAlone(text)) {
      const findings = yield* isInspectedAsName(text)
        ? inspectName(text.text, text.surface)
        : inspector.inspectSteps(text.text, text.surface);
      if (findings.length > 0)
        yield* inParts(findings, (finding) => counts(text, finding) && alone.push(weigh(inText(text, finding))));
    }
    units += text.text.length + TEXT_UNITS;
    if (units < STEP_UNITS) continue;
    units = 0;
    // Conservative: the last one may have been complete.
    if (yield) return { evidence: alone, unfinished: texts.slice(at) };
  }
  const assembled = concatenateFragments(texts);
  const ofNames = yield* inNames(texts, inspectName);
  const withoutMarkup = yield* inTextsWithoutMarkup(texts, inspector);
  const evidence = yield* addCrossTextFindings(
    alone,
    texts,
    { assembled, further: [...ofNames, ...withoutMarkup] },
    inspector,
  );
  evidence.push(...ofConversation(texts, assembled, inspector).map(weigh));
  return { evidence, unfinished: (yield) ? texts.slice(-1) : [] };
}

/** Calls `act` with each item and pauses regularly; never stops early. */
function* inParts<T>(items: readonly T[], act: (item: T) => unknown): Steps<void> {
  for (const [at, item] of items.entries()) {
    act(item);
    if (at % STEP_FINDINGS === STEP_FINDINGS - 1) yield;
  }
}

function inText(text: RequestText, finding: Finding): Evidence {
  const passage = { text: text.text, start: finding.start, end: finding.end };
  return { finding, text, passage, turnsAgo: text.turnsAgo, reasons: NO_REASONS };
}

/**
 * Whether a finding counts in its text. Only a user requests harm, and only in the last turn: the model's responses request nothing, and
 * requests of earlier turns were reported when they were new.
 */
function counts(text: RequestText, finding: Finding): boolean {
  const { author, turnsAgo } = text;
  if (isInspectedAsName(text) && !countsInSingleName(text, finding)) return false;
  if (text.isUnread && !countsInUnreadText(finding)) return false;
  const { inDefinitions, type } = finding.rule;
  if (author === 'definition') return inDefinitions !== 'never' && !NOT_OF_DEFINITIONS.has(type);
  if (inDefinitions === 'only') return false;
  const isOfHarm = isClassifierFinding(finding) && !isAttackType(finding.rule.type);
  return !isOfHarm || (author !== 'assistant' && turnsAgo === 0);
}

/** Findings in joined names, each at the first name that it covers. */
function* inNames(texts: readonly RequestText[], inspect: ReturnType<typeof createNameInspector>): Steps<Evidence[]> {
  const evidence: Evidence[] = [];
  for (const joined of yield* concatenateNames(texts)) {
    for (const finding of yield* inspect(joined.text, joined.surface)) {
      // Orders of a definition are sentences: names beside each other form them by chance.
      if (finding.rule.inDefinitions === 'only') continue;
      const places = placesIn(joined, finding.start, finding.end);
      const [first] = places;
      if (first === undefined || !countsInConcatenatedNames(joined, finding, places.length)) continue;
      const text = texts[first.source] as RequestText;
      const end = places.findLast(({ source }) => source === first.source)?.end ?? first.end;
      const passage = { text: joined.text, start: finding.start, end: finding.end };
      const at = { ...finding, start: first.start, end };
      evidence.push(weigh({ finding: at, text, passage, turnsAgo: text.turnsAgo, reasons: ['joined'] }));
    }
  }
  return evidence;
}

/** Findings in texts without their markup. */
function* inTextsWithoutMarkup(texts: readonly RequestText[], inspector: TextInspector): Steps<Evidence[]> {
  const evidence: Evidence[] = [];
  let classified = 0;
  for (let source = 0; source < texts.length; source += 1) {
    const text = texts[source] as RequestText;
    if (source % STEP_TEXTS === STEP_TEXTS - 1) yield;
    if (!mayHaveMarkup(text)) continue;
    for (const shown of textsWithoutMarkup(text, source)) {
      if (yield) return evidence;
      if (shown === undefined) continue;
      const { joined, isCut } = shown;
      const placesOf = ({ start, end }: Finding) => placesIn(joined, start, end);
      const isNew = (finding: Finding) =>
        counts(text, finding) && shown.isNew(placesOf(finding), finding.rule.type === 'pii');
      const isClassified = isCut && classified < MAX_CLASSIFIED_UNITS;
      classified += isClassified ? joined.text.length : 0;
      const reading = { isNew, isClassified, pieces: joined.parts, isReadWhole: true };
      const found = yield* inspector.inspectSteps(joined.text, joined.surface, [], reading);
      for (const finding of found)
        if (isNew(finding)) evidence.push(weigh(toCrossTextEvidence(finding, joined, texts)));
    }
  }
  return evidence;
}

/** Signals about the conversation as a whole, which are in no single text. */
function ofConversation(
  texts: readonly RequestText[],
  assembled: readonly ConcatenatedText[],
  inspector: TextInspector,
): Evidence[] {
  const contents = texts.filter(({ isContent }) => isContent);
  const last = contents.findLast(({ author }) => author === 'user');
  if (last === undefined) return [];
  const signals: Signal[] = [];
  if (assembled.length > 0 && requestsAssembly(last.text)) signals.push('assembled');
  const responses = contents.filter(({ author }) => author === 'assistant').map(({ text }) => text);
  if (areStaged(responses)) signals.push('staged');
  return signals
    .flatMap((signal) => inspector.rulesForSignal(signal, last.surface))
    .map((rule) => ({
      finding: { rule, score: rule.score, start: 0, end: last.text.length, decodedFrom: [] },
      text: last,
      passage: { text: last.text, start: 0, end: last.text.length },
      turnsAgo: last.turnsAgo,
      reasons: ['joined'],
    }));
}
