import { finish, type Steps } from '../../kernel/tasks/index.ts';
import { blanked, MAX_DECODE_DEPTH, type Range } from '../decoding/index.ts';
import { TextViews, TextWindow } from '../views/index.ts';
import { compareFindings, type Finding } from './finding.ts';
import { HiddenTextReader, type Nesting, notNested } from './hidden-findings.ts';
import { CONTEXT_UNITS, HitFindings } from './hit-findings.ts';
import type { Rule } from './rule.ts';
import { SecondReading } from './second-reading.ts';
import type { HiddenTextInspector, StreamPlan } from './stream-plan.ts';
import { BatchReaders, ImmediateReaders } from './stream-readers.ts';
import type { FindingStream, ResponseDetector } from './text-inspector.ts';

/** Longer text is read in slices, each taking some milliseconds. Reading the whole at once takes a tenth less time. */
const WHOLE_UNITS = 32_768;
const SLICE_UNITS = 8_192;
/** The classifier scores a long text in parts of `WHOLE_UNITS`, which overlap by more than its longest window. */
const CLASSIFIED_OVERLAP = 2048;

/**
 * Inspects one text that arrives in pieces. Three kinds of readers see each piece:
 *
 *     immediate   rules that act, and detectors for this request. Text is held back for them, and is free up to `settled`.
 *     batches     all other rules, and what finds hidden text, 256 units at a time. Text never waits for them.
 *     second      the rules again, with the escapes of URLs and HTML resolved, from the first piece that has one.
 *
 * Under a policy that redacts personal data:
 *
 *     piece                 length   settled   findings
 *     "Pay with 4111 11"        16         9   none: a card number may begin at 9
 *     "11 1111 11"              26         9   none
 *     "11 today"                34        29   payment-card 9..28; only "today" may still begin a match
 *
 * Hidden text (a base64 payload, a passage in leetspeak) is a text again: another TextStream inspects it, at most three levels deep. Its
 * findings have the range of the payload, and `decodedFrom` names the encodings.
 *
 * Must never happen: a finding of an acting rule that starts before an earlier `settled`, since that text was released; or other findings for
 * another split of the same text. Findings of rules that do not act, and those in hidden text, may come late. Why:
 * docs/decisions/0003-streams-released-when-settled.md
 */
export class TextStream implements FindingStream {
  /** The text as received, as far back as findings need it. */
  private readonly raw = new TextWindow();
  private readonly hits: HitFindings;
  private readonly immediate: ImmediateReaders;
  private readonly batches: BatchReaders;
  private readonly hidden: HiddenTextReader;
  /** Absent for a hidden text. */
  private readonly second: SecondReading | undefined;
  private readonly classify: HiddenTextInspector['classify'];

  /** `inspector` and `detectors` inspect hidden text of the same surface. */
  constructor(
    plan: StreamPlan,
    inspector: HiddenTextInspector,
    detectors: readonly ResponseDetector[] = [],
    nesting: Nesting = notNested(),
  ) {
    const open = (plan: StreamPlan, detectors: readonly ResponseDetector[], nesting: Nesting) =>
      new TextStream(plan, inspector, detectors, nesting);
    this.hits = new HitFindings(plan.signals, this.raw, nesting.isSecond === true);
    this.immediate = new ImmediateReaders(plan, detectors, nesting);
    this.batches = new BatchReaders(plan, detectors, nesting);
    this.hidden = new HiddenTextReader(inspector, detectors, nesting, open);
    if (nesting.depth === 0)
      this.second = new SecondReading(() => open(plan, [], { ...nesting, depth: MAX_DECODE_DEPTH, isSecond: true }));
    this.classify = inspector.classify;
  }

  push(piece: string): Finding[] {
    // Most pieces of a stream complete no batch, and need no steps.
    const findings = this.readPiece(piece, false);
    if (this.isBatchDue(false, findings)) finish(this.readBatch(false, findings));
    return this.ordered(findings, false);
  }

  end(piece = ''): Finding[] {
    return finish(this.read(piece, true));
  }

  catchUp(): Finding[] {
    const findings: Finding[] = [];
    finish(this.readBatch(false, findings));
    if (this.second === undefined) return findings.sort(compareFindings);
    findings.push(...this.second.catchUp());
    return this.second.withoutRepeated(findings).sort(compareFindings);
  }

  /**
   * All findings of a text, including the classifier's, in order of position; for a text that was not read completely, those in the part
   * before. Nothing may have been pushed before.
   */
  *inspectWhole(text: string): Steps<Finding[]> {
    const replaced: Range[] = [];
    this.hidden.replaced = replaced;
    const findings: Finding[] = [];
    const isComplete = yield* this.readSlices(text, findings);
    // Decoded or respelled text was scored separately: its original is noise to the classifier.
    if (text.length <= WHOLE_UNITS) {
      findings.push(
        ...this.classify(replaced.length === 0 ? this.batches.views : TextViews.of(blanked(text, replaced))),
      );
    } else if (isComplete) findings.push(...(yield* classifyParts(blanked(text, replaced), this.classify)));
    return findings.sort(compareFindings);
  }

  /** All findings of a text except the classifier's. Nothing may have been pushed before. */
  *readWhole(text: string): Steps<Finding[]> {
    const findings: Finding[] = [];
    yield* this.readSlices(text, findings);
    return findings;
  }

  get settled(): number {
    return Math.min(this.raw.length, this.immediate.settled, this.second?.settled ?? Number.POSITIVE_INFINITY);
  }

  /** Returns whether the text was read completely. */
  private *readSlices(text: string, findings: Finding[]): Steps<boolean> {
    if (text.length > WHOLE_UNITS) this.batches.announce(text);
    const units = text.length > WHOLE_UNITS ? SLICE_UNITS : WHOLE_UNITS;
    let at = 0;
    do {
      const isLast = at + units >= text.length;
      for (const finding of yield* this.read(text.slice(at, at + units), isLast)) findings.push(finding);
      at += units;
      if (text.length > WHOLE_UNITS && (yield)) return false;
    } while (at < text.length);
    return true;
  }

  private *read(piece: string, last: boolean): Steps<Finding[]> {
    const findings = this.readPiece(piece, last);
    if (this.isBatchDue(last, findings)) yield* this.readBatch(last, findings);
    return this.ordered(findings, last);
  }

  private readPiece(piece: string, last: boolean): Finding[] {
    if (this.second?.beginsWith(piece, this.raw)) this.second.begin(this.raw, this.rulesSettled);
    this.raw.push(piece);
    this.hits.push(piece);
    this.batches.push(piece);
    const findings: Finding[] = [];
    for (const hit of this.immediate.ruleHits(piece, last)) findings.push(...this.hits.of(hit));
    for (const hit of this.immediate.detectorHits(piece, last)) findings.push({ ...hit, decodedFrom: [] });
    if (this.second !== undefined) findings.push(...this.second.read(piece, last));
    return findings;
  }

  /** Findings are reported together with all earlier ones. */
  private isBatchDue(last: boolean, findings: readonly Finding[]): boolean {
    return last || findings.length > 0 || this.batches.isDue;
  }

  private *readBatch(last: boolean, findings: Finding[]): Steps<void> {
    const { batches, hits, hidden } = this;
    batches.next(last);
    for (const hit of batches.ruleHits(last)) findings.push(...hits.of(hit));
    for (const payload of batches.payloads(last)) findings.push(...hits.ofHidden(yield* hidden.inPayload(payload)));
    for (const passage of batches.passages(last)) findings.push(...hits.ofHidden(yield* hidden.inPassage(passage)));
    if (!last) batches.discard();
  }

  private ordered(findings: Finding[], last: boolean): Finding[] {
    if (!last) this.raw.forget(this.rulesSettled - CONTEXT_UNITS);
    const all = this.second?.withoutRepeated(findings) ?? findings;
    return all.length > 1 ? all.sort(compareFindings) : all;
  }

  /** Raw offset before which no later hit of a rule starts. */
  private get rulesSettled(): number {
    const { raw, immediate, batches } = this;
    return Math.min(raw.length - batches.pendingUnits, immediate.rulesSettled, batches.rulesSettled);
  }
}

/** The classifier's highest-scoring finding of each rule over the parts of a long text. */
function* classifyParts(text: string, classify: HiddenTextInspector['classify']): Steps<Finding[]> {
  const highest = new Map<Rule, Finding>();
  for (let from = 0; ; from += WHOLE_UNITS - CLASSIFIED_OVERLAP) {
    for (const finding of classify(TextViews.of(text.slice(from, from + WHOLE_UNITS)))) {
      if (finding.score <= (highest.get(finding.rule)?.score ?? -1)) continue;
      highest.set(finding.rule, { ...finding, start: from + finding.start, end: from + finding.end });
    }
    if (from + WHOLE_UNITS >= text.length || (yield)) return [...highest.values()];
  }
}
