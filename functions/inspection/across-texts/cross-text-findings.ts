import { isAttackType, type RequestText } from '../../kernel/model/index.ts';
import type { Steps } from '../../kernel/tasks/index.ts';
import { type Evidence, isClassifierFinding, type TextRange, weigh } from '../fusion/index.ts';
import type { Finding, TextInspector } from '../matching/index.ts';
import {
  concatenateNeighbours,
  concatenateRecentTexts,
  concatenateSiblings,
  concatenateWithDocuments,
  messageTexts,
  WITH_SPACE,
  WITHOUT_SEPARATOR,
} from './adjacent-texts.ts';
import {
  type ConcatenatedText,
  hasSpaceAtBoundaries,
  isJustAfterBoundary,
  type PlaceInText,
  placesIn,
  spansMarkupOnly,
} from './concatenated-text.ts';

/** Minimum gain in score for joined texts to replace a finding in one of them. */
const MIN_GAIN = 0.1;
/** Findings that take about a millisecond to index. */
const STEP_FINDINGS = 2000;
/** Text before a match that may affect it: a rule's check reads 64 characters, a banned topic 300. */
const CONTEXT_UNITS = 300;
/** Limit of joined text for the classifier, newest first: it takes as long as all rules. */
export const MAX_CLASSIFIED_UNITS = 16_384;

/**
 * The evidence in single texts, with the evidence that only joined texts contain. Each finding is included once.
 * @param further findings in joined names and in texts without markup
 */
export function* addCrossTextFindings(
  alone: readonly Evidence[],
  texts: readonly RequestText[],
  { assembled, further }: { readonly assembled: readonly ConcatenatedText[]; readonly further: readonly Evidence[] },
  inspector: TextInspector,
): Steps<Evidence[]> {
  const added: Evidence[] = [];
  for (const { joined, isClassified, counts } of yield* joinedTexts(texts, assembled)) {
    const isNew = (finding: Finding) =>
      // Definitions are not joined with other texts.
      finding.rule.inDefinitions !== 'only' &&
      counts(finding, placesIn(joined, finding.start, finding.end)) &&
      !(isClassifierFinding(finding) && spansMarkupOnly(joined, finding.start, finding.end));
    const reading = { isNew, isClassified, pieces: joined.parts };
    const found = yield* inspector.inspectSteps(joined.text, joined.surface, [], reading);
    for (const finding of found.filter(isNew)) added.push(weigh(toCrossTextEvidence(finding, joined, texts)));
  }
  added.push(...further);
  if (added.length === 0) return [...alone];
  const all = yield* EvidenceSet.of(alone, texts, new Set(added.map(kindOf)));
  for (const one of added) {
    all.add(one);
    yield;
  }
  return all.toArray();
}

interface Reading {
  readonly joined: ConcatenatedText;
  readonly isClassified: boolean;
  /** Whether a finding in these places is not in a single text. */
  readonly counts: (finding: Finding, places: readonly PlaceInText[]) => boolean;
}

function* joinedTexts(texts: readonly RequestText[], assembled: readonly ConcatenatedText[]): Steps<Reading[]> {
  const tail = concatenateRecentTexts(texts);
  const spansAsAttack = (finding: Finding, places: readonly PlaceInText[]) =>
    places.length > 1 && isAttackType(finding.rule.type);
  const isInOneMessage = (places: readonly PlaceInText[]) =>
    new Set(places.map(({ source }) => texts[source]?.message)).size === 1;
  const neighbours = yield* messageTexts(texts);
  const spaced = concatenateNeighbours(texts, neighbours, WITH_SPACE);
  const classified = classifiedOf(spaced, texts);
  // A space beside another one changes nothing: the pieces joined without a separator have all that is across their boundaries.
  const further = spaced.filter((joined) => classified.has(joined) || !hasSpaceAtBoundaries(joined));
  const siblings = yield* concatenateSiblings(texts, [WITH_SPACE.separator, WITHOUT_SEPARATOR.separator]);
  const withDocuments = [WITH_SPACE, WITHOUT_SEPARATOR].flatMap(({ separator }) =>
    concatenateWithDocuments(texts, neighbours, separator),
  );
  const haveAuthors = (places: readonly PlaceInText[]) =>
    new Set(places.map(({ source }) => texts[source]?.author)).size > 1;
  return [
    ...further.map((joined): Reading => {
      const isNew = newIn(joined);
      // A split value is complete only without a separator.
      const counts: Reading['counts'] = (finding, places) =>
        isOfPolicy(finding) ? isNew(finding, places) : spansAsAttack(finding, places);
      return { joined, isClassified: classified.has(joined), counts };
    }),
    ...concatenateNeighbours(texts, neighbours, WITHOUT_SEPARATOR).map((joined): Reading => {
      const isNew = newIn(joined);
      // Digits of several messages or results are no number.
      const counts: Reading['counts'] = (finding, places) =>
        isNew(finding, places) && (finding.rule.type !== 'pii' || isInOneMessage(places));
      return { joined, isClassified: false, counts };
    }),
    // Joined strings of a list are no number, and no text like the classifier's training data.
    ...siblings.map((joined): Reading => {
      const isNew = newIn(joined);
      const isRead = (places: readonly PlaceInText[]) => places.every(({ source }) => !texts[source]?.isUnread);
      const counts: Reading['counts'] = (finding, places) =>
        isNew(finding, places) && finding.rule.type !== 'pii' && (countsInUnreadText(finding) || isRead(places));
      return { joined, isClassified: false, counts };
    }),
    // A document joined with its neighbours is no number, and no text like the classifier's training data.
    ...withDocuments.map((joined): Reading => {
      const counts: Reading['counts'] = (finding, places) => haveAuthors(places) && finding.rule.type !== 'pii';
      return { joined, isClassified: false, counts };
    }),
    ...assembled.map((joined) => ({ joined, isClassified: true, counts: spansAsAttack })),
    // Questions of several turns in one window are no text like the classifier's training data.
    ...(tail === undefined ? [] : [{ joined: tail, isClassified: false, counts: spansAsAttack }]),
  ];
}

/** Counts findings across texts, and findings that depend on the text before them. */
function newIn(joined: ConcatenatedText): Reading['counts'] {
  return ({ start }, places) => places.length > 1 || isJustAfterBoundary(joined, start, CONTEXT_UNITS);
}

/** The joined texts to classify: those of users and tools, the newest up to a limit. */
function classifiedOf(
  joined: readonly ConcatenatedText[],
  texts: readonly RequestText[],
): ReadonlySet<ConcatenatedText> {
  const classified = new Set<ConcatenatedText>();
  let units = 0;
  for (const one of joined.toReversed()) {
    if (units >= MAX_CLASSIFIED_UNITS) break;
    if (isOfOthers(one, texts)) classified.add(one);
    units += one.text.length;
  }
  return classified;
}

function isOfOthers({ parts: [first] }: ConcatenatedText, texts: readonly RequestText[]): boolean {
  const author = first && texts[first.source]?.author;
  return author === 'user' || author === 'tool';
}

/** Whether it is a value that is sent to the provider, or a match of a custom rule: text that no model reads can contain nothing else. */
export function countsInUnreadText(finding: Finding): boolean {
  return isOfPolicy(finding) || finding.rule.type === 'secret' || finding.rule.type === 'pii';
}

/** Whether a custom rule or topic found it. */
function isOfPolicy({ rule }: Finding): boolean {
  return rule.forcedAction !== undefined;
}

export function toCrossTextEvidence(
  finding: Finding,
  joined: ConcatenatedText,
  texts: readonly RequestText[],
): Evidence {
  const ranges = placesIn(joined, finding.start, finding.end).map(({ source, start, end }) => ({
    text: texts[source] as RequestText,
    start,
    end,
  }));
  const passage = { text: joined.text, start: finding.start, end: finding.end };
  const { turnsAgo } = (ranges.at(-1) as TextRange).text;
  return inRanges({ finding, text: (ranges[0] as TextRange).text, passage, turnsAgo, reasons: ['joined'] }, ranges);
}

function inRanges(evidence: Evidence, [first, ...rest]: readonly TextRange[]): Evidence {
  const { text, start, end } = first as TextRange;
  return { ...evidence, text, finding: { ...evidence.finding, start, end }, ...(rest.length > 0 && { rest }) };
}

function rangesOf({ text, finding: { start, end }, rest = [] }: Evidence): readonly TextRange[] {
  return [{ text, start, end }, ...rest];
}

/** Evidence in order; a rule's findings in one place are included once. */
class EvidenceSet {
  private readonly all: (Evidence | undefined)[];
  /** Indexes of the evidence by the path of its text, then by rule or content type. */
  private readonly indexes = new Map<string, Map<string, number[]>>();
  private readonly paths = new Map<RequestText, string>();

  private readonly texts: readonly RequestText[];
  private order: ReadonlyMap<RequestText, number> | undefined;

  private constructor(alone: readonly Evidence[], texts: readonly RequestText[]) {
    this.all = [...alone];
    this.texts = texts;
  }

  /** The evidence in single texts. `kinds`: of all evidence that will be added. */
  static *of(
    alone: readonly Evidence[],
    texts: readonly RequestText[],
    kinds: ReadonlySet<string>,
  ): Steps<EvidenceSet> {
    const set = new EvidenceSet(alone, texts);
    for (const [at, one] of alone.entries()) {
      if (kinds.has(kindOf(one))) set.note(one, at);
      if (at % STEP_FINDINGS === STEP_FINDINGS - 1) yield;
    }
    return set;
  }

  /** Adds a finding in joined texts. Findings of the same rule in a part of it are merged into it. */
  add(one: Evidence): void {
    const ranges = rangesOf(one);
    const isStretch = isClassifierFinding(one.finding);
    const near = this.known(one);
    if (one.finding.rule.type === 'pii' && near.some(([, other]) => overlap(rangesOf(other), ranges))) {
      this.addApart(one, ranges, near);
      return;
    }
    // A part of a value may match as another value of the same type.
    for (const [at, other] of near) if (isPartOf(other, one, ranges)) this.all[at] = undefined;
    const known = near.filter(
      ([, other]) => other.finding.rule === one.finding.rule && (isStretch || overlap(rangesOf(other), ranges)),
    );
    const [strongest] = known.map(([, other]) => other).sort((a, b) => b.finding.score - a.finding.score);
    const isStronger = one.finding.score >= (strongest?.finding.score ?? 0) + MIN_GAIN;
    if (strongest === undefined || (isStretch && isStronger)) {
      this.note(one, this.all.push(one) - 1);
      return;
    }
    // Classifier findings have any length: a longer one replaces nothing.
    if (isStretch || (!isStronger && ranges.length === 1)) return;
    const first = Math.min(...known.map(([at]) => at));
    for (const [at] of known) this.all[at] = undefined;
    const all = known.flatMap(([, other]) => rangesOf(other)).concat(ranges);
    this.all[first] = inRanges(isStronger ? one : strongest, this.united(all));
    this.note(this.all[first] as Evidence, first);
  }

  /**
   * Addresses in neighbouring parts may match as one when joined: the value of a single text is restored unchanged, and the rest of the
   * joined one is a separate value.
   */
  private addApart(one: Evidence, ranges: readonly TextRange[], near: readonly (readonly [number, Evidence])[]): void {
    for (const range of ranges) {
      if (near.some(([, other]) => isWithin(range, rangesOf(other)))) continue;
      const { rest: _, ...apart } = inRanges(one, [range]);
      this.note(apart, this.all.push(apart) - 1);
    }
  }

  toArray(): Evidence[] {
    return this.all.filter((one) => one !== undefined);
  }

  /** Findings of the same rule or content type in the texts that this one touches. */
  private known(one: Evidence): [at: number, other: Evidence][] {
    const kind = kindOf(one);
    const indexes = new Set(rangesOf(one).flatMap(({ text }) => this.indexes.get(this.pathOf(text))?.get(kind) ?? []));
    return [...indexes].flatMap((at): [number, Evidence][] => {
      const other = this.all[at];
      return other === undefined ? [] : [[at, other]];
    });
  }

  private note(one: Evidence, at: number): void {
    const kind = kindOf(one);
    for (const { text } of rangesOf(one)) {
      const path = this.pathOf(text);
      const ofText = this.indexes.get(path) ?? new Map<string, number[]>();
      this.indexes.set(path, ofText);
      const known = ofText.get(kind);
      if (known === undefined) ofText.set(kind, [at]);
      else known.push(at);
    }
  }

  private pathOf(text: RequestText): string {
    const known = this.paths.get(text);
    if (known !== undefined) return known;
    const path = text.path.join('.');
    this.paths.set(text, path);
    return path;
  }

  /** One range for each text, in the order of the texts. */
  private united(ranges: readonly TextRange[]): TextRange[] {
    const byText = new Map<RequestText, TextRange>();
    for (const { text, start, end } of ranges) {
      const known = byText.get(text);
      byText.set(text, { text, start: Math.min(start, known?.start ?? start), end: Math.max(end, known?.end ?? end) });
    }
    this.order ??= new Map(this.texts.map((text, at) => [text, at]));
    const order = this.order;
    const at = ({ text }: TextRange) => order.get(text) as number;
    return [...byText.values()].sort((a, b) => at(a) - at(b));
  }
}

function overlap(some: readonly TextRange[], others: readonly TextRange[]): boolean {
  return some.some((one) =>
    others.some(({ text, start, end }) => one.text === text && one.start < end && start < one.end),
  );
}

function isPartOf(other: Evidence, one: Evidence, ranges: readonly TextRange[]): boolean {
  if (other.finding.rule === one.finding.rule || other.finding.score > one.finding.score || ranges.length === 1)
    return false;
  return rangesOf(other).every((part) => isWithin(part, ranges));
}

function isWithin(part: TextRange, ranges: readonly TextRange[]): boolean {
  return ranges.some(({ text, start, end }) => text === part.text && start <= part.start && part.end <= end);
}

function kindOf({ finding: { rule } }: Evidence): string {
  return rule.forcedAction === undefined && !isAttackType(rule.type) ? rule.type : rule.id;
}
