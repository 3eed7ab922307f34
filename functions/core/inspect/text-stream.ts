import { finish, type Steps } from '../base/steps.ts';
import { Decoder, MAX_DECODE_DEPTH, PayloadReader, RAW_ENCODINGS, SHOWN_ENCODINGS } from './decoding/payloads.ts';
import { compareFindings, type Finding, findingKey, type RuleHit } from './finding.ts';
import { disguisesOf, type HiddenFindings, payloadFindings, readingFindings, type Watch } from './hidden-findings.ts';
import { PassageReader } from './readings/passage-reader.ts';
import { blanked, type Range, type ReadingKind } from './readings/reading.ts';
import { type Rule, type Signal, VIEWS, type View } from './rule.ts';
import { type HiddenTextInspector, isHideable, type StreamPlan } from './rules/stream-plan.ts';
import { ViewReader } from './rules/view-reader.ts';
import type { ResponseDetector, ResponseReader } from './text-inspector.ts';
import { hidesLetters, holdsMarks, mayHoldMarks, OF_ALL, OF_PROGRAMS, QUERY_UNITS } from './views/escapes.ts';
import { TextWindow } from './views/text-offsets.ts';
import { isAscii, isPlainAscii, TextViews } from './views/text-view.ts';

/** The text that this text was hidden in. */
interface Within {
  /** Nesting depth. */
  readonly depth: number;
  readonly decoder: Decoder;
  /** The limit for other readings is separate, so that the results do not depend on the order in which both kinds are found. */
  readonly reader: Decoder;
  /** The kinds of readings that have led to it. */
  readonly readings: readonly ReadingKind[];
  /** Whether this is the second reading of the text, by rules alone. */
  readonly isSecond?: true;
}

function outermost(): Within {
  return { depth: 0, decoder: new Decoder(), reader: new Decoder(), readings: [] };
}

/** For a text in which hidden text is not searched. */
export function withinDepths(): Within {
  return { ...outermost(), depth: MAX_DECODE_DEPTH };
}

/**
 * Readers that hold no text back process a stream in batches of this size: this takes a fifth of the time for single pieces, and delays their
 * findings by as much.
 */
const BATCH_UNITS = 256;
/** Longer text is read in slices, each taking some milliseconds. Reading the whole at once takes a tenth less time. */
const WHOLE_UNITS = 32_768;
const SLICE_UNITS = 8_192;
/** The classifier scores a long text in parts of `WHOLE_UNITS`, which overlap by more than its longest window. */
const CLASSIFIED_OVERLAP = 2048;
/** Text before a match that may affect it. */
const CONTEXT_UNITS = 300;
const SPACES = /\s/;
/** An escape of up to this length may precede a match and separate it from earlier text. */
const ESCAPE_UNITS = 12;

/** Processes a view of the text in batches. */
interface LateReader {
  readonly view: View;
  readonly needed: number;
}

/**
 * Inspects a text that arrives in pieces. Any split of the text has the same findings, and no finding of an acting rule starts before an
 * earlier `settled`. Two kinds of findings may come late, for text before `settled`: those of rules that do not act, and those in hidden text
 * (`decodedFrom` is not empty), which is decoded payloads and other readings of passages. Text is never held back for these.
 */
export class TextStream {
  private readonly plan: StreamPlan;
  private readonly hiddenText: HiddenTextInspector;
  private readonly detectors: readonly ResponseDetector[];
  private readonly responseReaders: readonly ResponseReader[];
  private readonly isDeep: boolean;
  private readonly within: Within;
  /** Read piece by piece, by rules that act. */
  private readonly views: TextViews;
  private readonly holding: readonly ViewReader[];
  /** Read in batches, by all other rules. */
  private readonly lateViews: TextViews;
  private late: LateReaders | undefined;
  private pending = '';
  private readonly raw = new TextWindow();
  /** ASCII without escapes and control characters hides nothing. */
  private isPlain = true;
  private readonly signalled = new Set<string>();
  /** The second reading of a text with escapes, its start offset, and keys of findings by either reading since. */
  private second: { readonly stream: TextStream; readonly from: number; readonly found: Set<string> } | undefined;
  /** Decoded or respelled ranges; only collected if the whole text is classified. */
  private reread: Range[] | undefined;
  private length = 0;
  /** Whether the text is known as a whole and is ASCII. */
  private isKnownAscii = false;
  /** Whether the text was not read completely. */
  private isCut = false;

  /** `hiddenText` and `detectors` inspect hidden text of the same surface; `within` describes the text that this one was hidden in. */
  constructor(
    plan: StreamPlan,
    hiddenText: HiddenTextInspector,
    detectors: readonly ResponseDetector[] = [],
    within: Within = outermost(),
  ) {
    this.plan = plan;
    this.hiddenText = hiddenText;
    this.detectors = detectors;
    this.responseReaders = detectors.map((detector) => detector.open());
    this.within = within;
    this.views = new TextViews(within.isSecond);
    this.lateViews = new TextViews(within.isSecond);
    this.isDeep = within.depth < MAX_DECODE_DEPTH && (plan.views.length > 0 || detectors.length > 0);
    this.holding = plan.views.flatMap(({ view, holding }) =>
      holding === undefined ? [] : [new ViewReader(view, holding, this.views, true)],
    );
  }

  push(piece: string): Finding[] {
    // Most pieces of a stream complete no batch, and need no steps.
    const findings = this.take(piece, false);
    if (this.mustRead(false, findings)) finish(this.readBatch(false, findings));
    return this.settle(false, findings);
  }

  end(piece = ''): Finding[] {
    return finish(this.read(piece, true));
  }

  catchUp(): Finding[] {
    const findings: Finding[] = [];
    finish(this.readBatch(false, findings));
    if (this.second !== undefined) findings.push(...this.fromSecond(this.second.stream.catchUp()));
    return this.once(findings).sort(compareFindings);
  }

  /**
   * All findings of a text, including the classifier's, in order of position; for a text that was not read completely, those in the part
   * before. Nothing may have been pushed before.
   */
  *inspectWhole(text: string): Steps<Finding[]> {
    const reread: Range[] = [];
    this.reread = reread;
    const findings = yield* this.readWhole(text);
    // Decoded or respelled text was scored separately: its original is noise to the classifier.
    if (text.length <= WHOLE_UNITS) {
      findings.push(
        ...this.hiddenText.classify(reread.length === 0 ? this.lateViews : TextViews.of(blanked(text, reread))),
      );
    } else if (!this.isCut) findings.push(...(yield* classifyParts(blanked(text, reread), this.hiddenText)));
    return findings.sort(compareFindings);
  }

  /** All findings of a text except the classifier's. Nothing may have been pushed before. */
  *readWhole(text: string): Steps<Finding[]> {
    if (text.length <= WHOLE_UNITS) return yield* this.read(text, true);
    this.isKnownAscii = isAscii(text);
    const findings: Finding[] = [];
    for (let at = 0; at < text.length; at += SLICE_UNITS) {
      const slice = text.slice(at, at + SLICE_UNITS);
      const found = yield* this.read(slice, at + SLICE_UNITS >= text.length);
      for (const finding of found) findings.push(finding);
      if (yield) {
        this.isCut = true;
        break;
      }
    }
    return findings;
  }

  get settled(): number {
    let settled = this.length;
    for (const reader of this.holding) settled = Math.min(settled, reader.settled);
    for (const reader of this.responseReaders) settled = Math.min(settled, reader.settled);
    if (this.second !== undefined) settled = Math.min(settled, this.second.from + this.second.stream.settled);
    return settled;
  }

  private *read(piece: string, last: boolean): Steps<Finding[]> {
    const findings = this.take(piece, last);
    if (this.mustRead(last, findings)) yield* this.readBatch(last, findings);
    return this.settle(last, findings);
  }

  /** Reads the next piece with all readers that hold text back. */
  private take(piece: string, last: boolean): Finding[] {
    this.openSecond(piece);
    this.raw.push(piece);
    this.length += piece.length;
    this.isPlain &&= isPlainAscii(piece) && !piece.includes('\\');
    const findings: Finding[] = [];
    this.views.next(piece, last);
    for (const reader of this.holding) {
      for (const hit of reader.read(this.views.shown(reader.view), last)) findings.push(...this.toFindings(hit));
    }
    if (!last) discardPositions(this.views, this.holding);
    for (const reader of this.responseReaders) {
      for (const hit of reader.read(piece, last)) findings.push({ ...hit, decodedFrom: [] });
    }
    this.pending += piece;
    const { second } = this;
    if (second !== undefined)
      findings.push(...this.fromSecond(last ? second.stream.end(piece) : second.stream.push(piece)));
    return findings;
  }

  /** Starts the second reading at the first piece that may need it, with earlier text that may be part of a match. */
  private openSecond(piece: string): void {
    if (this.second !== undefined || this.within.isSecond || this.within.depth > 0) return;
    if (!mayHoldMarks(piece, this.raw.slice(Math.max(0, this.length - QUERY_UNITS), this.length))) return;
    const from = Math.max(0, this.seen - CONTEXT_UNITS);
    const within: Within = { ...this.within, depth: MAX_DECODE_DEPTH, isSecond: true };
    const stream = new TextStream(this.plan, this.hiddenText, [], within);
    stream.push(this.raw.slice(from, this.length));
    this.second = { stream, from, found: new Set() };
  }

  private fromSecond(findings: readonly Finding[]): Finding[] {
    const from = this.second?.from ?? 0;
    return findings.map((finding) => ({ ...finding, start: finding.start + from, end: finding.end + from }));
  }

  /** Removes findings that both readings have. */
  private once(findings: Finding[]): Finding[] {
    const found = this.second?.found;
    if (found === undefined || findings.length === 0) return findings;
    return findings.filter((finding) => {
      const key = findingKey(finding);
      return found.size < found.add(key).size;
    });
  }

  /** Whether a batch is due: findings are reported together with all earlier ones. */
  private mustRead(last: boolean, findings: readonly Finding[]): boolean {
    return last || findings.length > 0 || this.pending.length >= BATCH_UNITS;
  }

  private settle(last: boolean, findings: Finding[]): Finding[] {
    if (!last) this.raw.forget(this.seen - CONTEXT_UNITS);
    const all = this.once(findings);
    return all.length > 1 ? all.sort(compareFindings) : all;
  }

  /** Reads pending text with all readers that hold no text back. */
  private *readBatch(last: boolean, findings: Finding[]): Steps<void> {
    const { pending, lateViews: views } = this;
    this.pending = '';
    this.late ??= this.openLate(this.isKnownAscii || (last && isAscii(pending)));
    const { rules, payloads, passages } = this.late;
    views.next(pending, last);
    for (const reader of rules) {
      for (const hit of reader.read(views.shown(reader.view), last)) findings.push(...this.toFindings(hit));
    }
    for (const reader of payloads) {
      for (const payload of reader.read(views.shown(reader.view), last)) {
        const watch = this.watchWith(this.within.decoder, this.within.readings);
        findings.push(...this.withSignals(yield* payloadFindings(payload, watch)));
        this.reread?.push(payload);
      }
    }
    for (const passage of passages?.read(views.shown(passages.view), last) ?? []) {
      const { reader, readings } = this.within;
      if (!reader.mayRead(passage.reading.text.length)) continue;
      const watch = this.watchWith(reader, [...readings, passage.reading.kind]);
      findings.push(...this.withSignals(yield* readingFindings(passage, watch)));
      this.reread?.push(...passage.replaced());
    }
    if (!last) discardPositions(views, [...rules, ...payloads, ...(passages === undefined ? [] : [passages])]);
  }

  /** With `isAllAscii` the text is complete, and readers for other characters can skip it. */
  private openLate(isAllAscii: boolean): LateReaders {
    const views = this.lateViews;
    const rules = this.plan.views.flatMap(({ view, watching }) =>
      watching === undefined || (isAllAscii && view === 'raw') ? [] : [new ViewReader(view, watching, views, false)],
    );
    if (!this.isDeep) return { rules, payloads: [], passages: undefined };
    const encodings = isAllAscii ? [SHOWN_ENCODINGS] : [SHOWN_ENCODINGS, RAW_ENCODINGS];
    return {
      rules,
      payloads: encodings.map((set) => new PayloadReader(set, views, this.within.decoder)),
      passages: new PassageReader(views, this.within.readings),
    };
  }

  /** Raw offset before which no later hit of a rule starts. */
  private get seen(): number {
    let seen = this.length - this.pending.length;
    for (const reader of this.holding) seen = Math.min(seen, reader.settled);
    for (const reader of this.late?.rules ?? []) seen = Math.min(seen, reader.settled);
    return seen;
  }

  private toFindings({ rule, score, start, end }: RuleHit): Finding[] {
    const { isSecond } = this.within;
    // The first reading has the findings in text without escapes.
    if (isSecond && !holdsMarks(this.raw.slice(Math.max(0, start - ESCAPE_UNITS), end))) return [];
    const raw = this.raw.slice(start, end);
    if (isSecond && rule.type === 'pii' && rule.forcedAction === undefined && this.isInAddress(start, end)) return [];
    const findings: Finding[] = [{ rule, score, start, end, decodedFrom: [] }];
    if ((this.isPlain && !isSecond) || !isHideable(rule.type)) return findings;
    for (const signal of disguisesOf(raw)) findings.push(...this.signalFindings(signal, start, end));
    if (hidesLetters(raw, isSecond ? OF_ALL : OF_PROGRAMS))
      findings.push(...this.signalFindings('encoded', start, end, ['escapes']));
    return findings;
  }

  /** Whether a range is of an address with escapes: its decoded parts run together, and everything before an @ would be a mailbox name. */
  private isInAddress(start: number, end: number): boolean {
    if (!this.raw.slice(start, end).includes('%')) return false;
    const words = this.raw.slice(Math.max(0, start - CONTEXT_UNITS), end).split(SPACES);
    return words.at(-1)?.includes('://') === true;
  }

  private withSignals({ findings, signals }: HiddenFindings): Finding[] {
    const reported = signals.flatMap(({ signal, start, end, decodedFrom, atMost }) =>
      this.signalFindings(signal, start, end, decodedFrom, atMost),
    );
    return [...findings, ...reported];
  }

  private watchWith(decoder: Decoder, readings: readonly ReadingKind[]): Watch {
    const { classify } = this.hiddenText;
    const plan = readings.length === 0 ? this.hiddenText.plan : this.hiddenText.attacks;
    // Detectors read reversed and shifted letters themselves.
    const detectors = readings.length === 0 ? this.detectors : [];
    const open = (depth: number, read: StreamPlan) =>
      new TextStream(read, this.hiddenText, detectors, { depth, decoder, reader: decoder, readings });
    return {
      all: (text) => open(this.within.depth + 1, plan).inspectWhole(text),
      plain: (text, rules) => open(MAX_DECODE_DEPTH, viewsOf(plan, rules)).readWhole(text),
      classify: (text) => classify(TextViews.of(text)),
    };
  }

  /** The findings of the rules for a signal, each range once. */
  private signalFindings(
    signal: Signal,
    start: number,
    end: number,
    decodedFrom: readonly string[] = [],
    atMost = 1,
  ): Finding[] {
    const findings = (this.plan.signals.get(signal) ?? []).map((rule) => ({
      rule,
      score: Math.min(rule.score, atMost),
      start,
      end,
      decodedFrom,
    }));
    return findings.filter((finding) => {
      const key = findingKey(finding);
      if (this.signalled.has(key)) return false;
      this.signalled.add(key);
      return true;
    });
  }
}

/** The classifier's highest-scoring finding of each rule over the parts of a long text. */
function* classifyParts(text: string, { classify }: HiddenTextInspector): Steps<Finding[]> {
  const highest = new Map<Rule, Finding>();
  for (let from = 0; ; from += WHOLE_UNITS - CLASSIFIED_OVERLAP) {
    for (const finding of classify(TextViews.of(text.slice(from, from + WHOLE_UNITS)))) {
      if (finding.score <= (highest.get(finding.rule)?.score ?? -1)) continue;
      highest.set(finding.rule, { ...finding, start: from + finding.start, end: from + finding.end });
    }
    if (from + WHOLE_UNITS >= text.length || (yield)) return [...highest.values()];
  }
}

interface LateReaders {
  readonly rules: readonly ViewReader[];
  readonly payloads: readonly PayloadReader[];
  readonly passages: PassageReader | undefined;
}

/** The plan with only the views of these rules. A signal's rule needs all of them. */
function viewsOf(plan: StreamPlan, rules: readonly Rule[]): StreamPlan {
  if (rules.some(({ signal }) => signal !== undefined)) return plan;
  return { ...plan, views: plan.views.filter(({ view }) => rules.some((rule) => isRead(rule, view))) };
}

function isRead(rule: Rule, view: View): boolean {
  return rule.view === view && rule.patterns.length > 0;
}

/** Discards positions that no reader needs any more. */
function discardPositions(views: TextViews, readers: readonly LateReader[]): void {
  for (const view of VIEWS) {
    let needed = Number.POSITIVE_INFINITY;
    for (const reader of readers) if (reader.view === view) needed = Math.min(needed, reader.needed);
    if (needed < Number.POSITIVE_INFINITY) views.positions(view).forget(needed);
  }
}
