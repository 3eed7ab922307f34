import {
  INVISIBLE_ENCODING_SET,
  MAX_DECODE_DEPTH,
  PassageReader,
  type Payload,
  PayloadReader,
  type ReadPassage,
  VISIBLE_ENCODING_SET,
} from '../decoding/index.ts';
import { isPlainAscii, TextViews, VIEWS, type View } from '../views/index.ts';
import type { RuleHit } from './finding.ts';
import type { Nesting } from './hidden-findings.ts';
import type { StreamPlan } from './stream-plan.ts';
import type { ResponseDetector, ResponseReader } from './text-inspector.ts';
import { ViewReader } from './view-reader.ts';

/** Reads each piece at once: rules that act, and detectors for what is specific to the request. Text is released up to `settled`. */
export class ImmediateReaders {
  private readonly views: TextViews;
  private readonly rules: readonly ViewReader[];
  private readonly detectors: readonly ResponseReader[];

  constructor(plan: StreamPlan, detectors: readonly ResponseDetector[], { isSecond }: Nesting) {
    this.views = new TextViews(isSecond);
    this.rules = plan.views.flatMap(({ view, holding }) =>
      holding === undefined ? [] : [new ViewReader(view, holding, this.views, true)],
    );
    this.detectors = detectors.map((detector) => detector.open());
  }

  /** The hits of rules that have become final with the next piece. */
  ruleHits(piece: string, last: boolean): RuleHit[] {
    const hits: RuleHit[] = [];
    this.views.next(piece, last);
    for (const reader of this.rules) hits.push(...reader.read(this.views.shown(reader.view), last));
    if (!last) discardPositions(this.views, this.rules);
    return hits;
  }

  /** The same of detectors. */
  detectorHits(piece: string, last: boolean): RuleHit[] {
    const hits: RuleHit[] = [];
    for (const reader of this.detectors) hits.push(...reader.read(piece, last));
    return hits;
  }

  /** Raw offset before which no later hit starts or covers anything; Infinity without readers. */
  get settled(): number {
    let settled = this.rulesSettled;
    for (const reader of this.detectors) settled = Math.min(settled, reader.settled);
    return settled;
  }

  /** The same for rules alone. */
  get rulesSettled(): number {
    return earliestSettled(this.rules);
  }
}

/** A batch of this size takes a fifth of the time for single pieces, and delays findings by as much. */
const BATCH_UNITS = 256;

/** Reads a text in batches: rules that do not act, and what finds hidden text. Text never waits for these. */
export class BatchReaders {
  /** Of the last batch; of the whole text, if that was one batch. */
  readonly views: TextViews;
  private readonly plan: StreamPlan;
  private readonly nesting: Nesting;
  private readonly findsHidden: boolean;
  private pending = '';
  /** Whether the whole text is known and is ASCII without control characters. */
  private isPlain = false;
  /** Opened with the first batch. */
  private opened: OpenReaders | undefined;

  constructor(plan: StreamPlan, detectors: readonly ResponseDetector[], nesting: Nesting) {
    this.views = new TextViews(nesting.isSecond);
    this.plan = plan;
    this.nesting = nesting;
    this.findsHidden = nesting.depth < MAX_DECODE_DEPTH && (plan.views.length > 0 || detectors.length > 0);
  }

  /** Announces a text that is pushed in parts, so that readers for other characters can skip it. */
  announce(text: string): void {
    this.isPlain = isPlainAscii(text);
  }

  push(piece: string): void {
    this.pending += piece;
  }

  get pendingUnits(): number {
    return this.pending.length;
  }

  get isDue(): boolean {
    return this.pending.length >= BATCH_UNITS;
  }

  /** Makes the pending text the next batch. It is read by `ruleHits`, `payloads` and `passages`, in this order, then discarded. */
  next(last: boolean): void {
    this.opened ??= this.open(this.isPlain || (last && isPlainAscii(this.pending)));
    this.views.next(this.pending, last);
    this.pending = '';
  }

  ruleHits(last: boolean): RuleHit[] {
    const hits: RuleHit[] = [];
    for (const reader of this.opened?.rules ?? []) hits.push(...reader.read(this.views.shown(reader.view), last));
    return hits;
  }

  /** Lazy: the texts hidden in one payload count towards the limits of the next. */
  *payloads(last: boolean): Generator<Payload, void> {
    for (const reader of this.opened?.payloads ?? []) yield* reader.read(this.views.shown(reader.view), last);
  }

  /** Each is valid until the next. */
  *passages(last: boolean): Generator<ReadPassage, void> {
    const reader = this.opened?.passages;
    if (reader !== undefined) yield* reader.read(this.views.shown(reader.view), last);
  }

  /** Discards positions of the batch, unless it was the last. */
  discard(): void {
    if (this.opened === undefined) return;
    const { rules, payloads, passages } = this.opened;
    discardPositions(this.views, [...rules, ...payloads, ...(passages === undefined ? [] : [passages])]);
  }

  /** Raw offset before which no later hit of a rule starts; Infinity before the first batch. */
  get rulesSettled(): number {
    return earliestSettled(this.opened?.rules ?? []);
  }

  /** With `isAllPlain` the text is complete, and readers for other characters can skip it. */
  private open(isAllPlain: boolean): OpenReaders {
    const { views, nesting } = this;
    const rules = this.plan.views.flatMap(({ view, watching }) =>
      watching === undefined || (isAllPlain && view === 'raw') ? [] : [new ViewReader(view, watching, views, false)],
    );
    if (!this.findsHidden) return { rules, payloads: [], passages: undefined };
    const encodings = isAllPlain ? [VISIBLE_ENCODING_SET] : [VISIBLE_ENCODING_SET, INVISIBLE_ENCODING_SET];
    return {
      rules,
      payloads: encodings.map((set) => new PayloadReader(set, views, nesting.decoder)),
      passages: new PassageReader(views, nesting.readings),
    };
  }
}

interface OpenReaders {
  readonly rules: readonly ViewReader[];
  readonly payloads: readonly PayloadReader[];
  readonly passages: PassageReader | undefined;
}

function earliestSettled(rules: readonly ViewReader[]): number {
  let settled = Number.POSITIVE_INFINITY;
  for (const reader of rules) settled = Math.min(settled, reader.settled);
  return settled;
}

/** Discards positions that no reader needs any more. */
function discardPositions(
  views: TextViews,
  readers: readonly { readonly view: View; readonly needed: number }[],
): void {
  for (const view of VIEWS) {
    let needed = Number.POSITIVE_INFINITY;
    for (const reader of readers) if (reader.view === view) needed = Math.min(needed, reader.needed);
    if (needed < Number.POSITIVE_INFINITY) views.positions(view).forget(needed);
  }
}
