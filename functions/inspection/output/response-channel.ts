import type { Action, CallBy } from '../../kernel/model/index.ts';
import type { TextAbove } from '../addresses/index.ts';
import type { Finding, FindingStream, Reading, ResponseDetector } from '../matching/index.ts';
import { actionInCall, type Policy, type Redaction } from '../policy/index.ts';
import { BlockBoundary } from './block-boundary.ts';
import { PrecedingText } from './preceding-text.ts';
import { type LocatedFinding, ReceivedText } from './received-text.ts';
import { RestoredText } from './restored-text.ts';
import { TextRelease } from './text-release.ts';

/** A finding in a response and its action. */
export interface OutputFinding extends LocatedFinding {
  readonly action: Action;
}

/** Opens a stream of the inspector under the response's policy. */
export type OpenStream = (
  detectors: readonly ResponseDetector[],
  isNew?: (finding: Finding) => boolean,
  reading?: Reading,
) => FindingStream;

/** Shared by the channels of one response. */
export interface ChannelContext {
  readonly policy: Policy;
  readonly redaction: Redaction;
  readonly report: (found: OutputFinding) => void;
  /** Reasoning. */
  readonly above: TextAbove;
  /** As in OutputGuardOptions. */
  readonly streams: boolean;
}

interface ChannelOptions {
  /** Whether the text is JSON. */
  readonly isJson: boolean;
  /** Findings are at most flagged, and no text is held back. */
  readonly isReadOnly: boolean;
  /** Who executes the tool call; undefined for other text. */
  readonly call: CallBy | undefined;
  /** For a string of parsed arguments of a call: the name of its member. */
  readonly argument: string | undefined;
}

const SPACE = /^\s$/;
/** Text before the end of a block that may affect findings there. */
const CONTEXT_UNITS = 300;

/**
 * The text of one channel of a response (`choices[0].content`), or of a run of channels that clients join (text blocks): what arrived
 * (ReceivedText), up to where it is inspected (FindingStream), and what happens to it on release (TextRelease). OutputGuard asks each channel
 * how far its text is releasable. With a policy that redacts personal data, pieces of two blocks of one run:
 *
 *     piece          block 0 "Pay with 4111 11"   block 0 "11 1111 11"   block 1 "11 today"
 *     releasable     9                            9                      29
 *     released       "Pay with "                                         "[REDACTED_PAYMENT_CARD]", "", " "
 *     reported                                                           payment-card: block 0 at 9..26, block 1 at 0..2
 *
 * All offsets are of the text as received. Three readers more see parts of it:
 *
 *     RestoredText    the text with the caller's originals for placeholders: this is what the stream inspects
 *     PrecedingText   the end of a text that was released before, for matches that span both
 *     BlockBoundary   the ends of two blocks with a space between them, as a client may show them
 *
 * Must never happen: text at or after `releasable` leaves; a finding is reported before the text where it starts is released (a block further
 * ahead may still cut that text). Why: docs/decisions/0003-streams-released-when-settled.md
 */
export class ResponseChannel {
  private readonly received = new ReceivedText();
  private readonly release: TextRelease;
  /** undefined once the text has ended, since it holds the state of every rule. */
  private stream: FindingStream | undefined;
  private readonly open: OpenStream;
  private readonly isReadOnly: boolean;
  /** Absent if there are no placeholders to restore. */
  private readonly restored: RestoredText | undefined;
  /** undefined once no match can span both texts. */
  private preceding: PrecedingText | undefined;
  private boundary: BlockBoundary | undefined;

  constructor(
    stream: FindingStream,
    open: OpenStream,
    context: ChannelContext,
    { isJson, isReadOnly, call, argument }: ChannelOptions,
  ) {
    this.stream = stream;
    this.open = open;
    this.isReadOnly = isReadOnly;
    const decide = decideBy(context.policy, isReadOnly, call);
    const report = (finding: Finding, action: Action) => context.report({ ...this.locate(finding), action });
    this.release = new TextRelease({ decide, report, streams: context.streams, isJson });
    const restores = !context.redaction.isEmpty && !isReadOnly;
    this.restored = restores ? new RestoredText(context.redaction, isJson, argument, context.above) : undefined;
  }

  /** Length so far. */
  get length(): number {
    return this.received.length;
  }

  get isOver(): boolean {
    return this.received.isEnded;
  }

  /** Whether it contains text of this channel. */
  has(name: string): boolean {
    return this.received.has(name);
  }

  /** Takes text that was released before, which clients may join with the text of this channel. */
  follow(before: string): void {
    this.preceding = new PrecedingText((isNew) => this.open([], isNew, 'shallow'), before);
    this.restored?.follow(before);
  }

  /** Takes more text of one of its channels; `last` marks its end. */
  push(name: string, text: string, last: boolean): void {
    const isBoundary = this.received.begin(name) && this.length > 0;
    if (isBoundary) this.openBoundary(text);
    this.received.push(text, last);
    this.release.push(text);
    const shown = this.restored === undefined ? text : this.restore(this.restored, text, last);
    this.addReceived((last ? this.stream?.end(shown) : this.stream?.push(shown)) ?? []);
    this.readBoundary(text, isBoundary);
    this.readPreceding(text, last);
    if (last) this.stream = undefined;
    else this.received.forget(Math.min(this.settled, this.length - CONTEXT_UNITS));
  }

  /** Ends the text or its current channel if `closing` returns true for it. */
  close(closing: (name: string) => boolean, run: string): void {
    if (closing(run)) this.end();
    this.received.closeChannel(closing);
  }

  end(): void {
    if (this.isOver) return;
    this.received.end();
    this.addReceived(this.stream?.end(this.restored?.end() ?? '') ?? []);
    this.stream = undefined;
    this.readBoundary('', false);
    this.readPreceding('', true);
  }

  catchUp(): void {
    if (this.isOver) return;
    this.addReceived(this.stream?.catchUp() ?? []);
    if (this.boundary === undefined) return;
    this.release.act(this.boundary.catchUp());
    this.release.report(this.boundary.takeUnreported());
  }

  /** A finding as a range of the channel in which it starts. */
  locate(finding: Finding): LocatedFinding {
    return this.received.locate(finding);
  }

  /** Findings as ranges of the text as received. */
  addFindings(findings: readonly Finding[]): void {
    this.boundary?.addJoined(findings);
    this.release.addFindings(findings);
  }

  /** The offset before which nothing can change any more. */
  get releasable(): number {
    if (this.isOver || this.isReadOnly) return this.length;
    return Math.min(this.settled, this.boundary?.settled ?? this.length);
  }

  /** The first block in the range. */
  blockWithin(start: number, end: number): ReturnType<TextRelease['blockWithin']> {
    return this.release.blockWithin(start, end);
  }

  /** A block at the end of a text that is complete and may be released as a whole. */
  get blockAtEnd(): Finding | undefined {
    return this.isOver ? this.blockWithin(this.length, Number.POSITIVE_INFINITY)?.finding : undefined;
  }

  /** The edited text, which is now released. */
  render(text: string, start: number): string {
    return this.release.render(text, start);
  }

  /** The text before a block, the last to be released. */
  renderLast(text: string, start: number): string {
    return this.release.renderLast(text, start);
  }

  private get settled(): number {
    const settled = this.stream?.settled ?? this.length;
    const received =
      this.restored === undefined || this.stream === undefined ? settled : this.restored.receivedOffset(settled);
    return Math.min(received, this.preceding?.settled ?? received);
  }

  private openBoundary(text: string): void {
    const isSpaced = SPACE.test(text[0] ?? '') || SPACE.test(this.received.from(this.length - 1));
    if (this.boundary !== undefined || isSpaced) return;
    const from = Math.max(0, Math.min(this.settled, this.length - CONTEXT_UNITS));
    this.boundary = new BlockBoundary((isNew) => this.open([], isNew), this.received.from(from), from);
  }

  private readBoundary(text: string, begins: boolean): void {
    const { boundary, isOver } = this;
    if (boundary === undefined) return;
    if (text !== '') this.release.act(boundary.push(text, begins));
    if (!isOver && !boundary.isOver) return;
    if (!isOver) this.addReceived(this.stream?.catchUp() ?? []);
    this.release.act(isOver ? boundary.end() : boundary.catchUp());
    this.release.report(boundary.takeUnreported());
    this.boundary = undefined;
  }

  /** Acts on findings that start in the preceding text and end in this one. */
  private readPreceding(text: string, last: boolean): void {
    const { preceding } = this;
    if (preceding === undefined) return;
    this.addFindings(preceding.read(text, last).filter((finding) => this.release.acts(finding)));
    if (last || preceding.settled >= 0) this.preceding = undefined;
  }

  /** Restores placeholders in a piece; returns the text to inspect. */
  private restore(restored: RestoredText, piece: string, last: boolean): string {
    const { text, edits } = restored.push(piece, this.length, last);
    this.release.addEdits(edits);
    return text;
  }

  /** Adds findings of the text with originals restored. */
  private addReceived(findings: readonly Finding[]): void {
    this.addFindings(this.restored?.receivedFindings(findings) ?? findings);
  }
}

/** What happens to a finding in a text of a response. */
export function decideBy(policy: Policy, isReadOnly: boolean, call: CallBy | undefined): (finding: Finding) => Action {
  return (finding) => {
    const action = policy.decide(finding, 'output');
    if (isReadOnly && action !== 'allow') return 'flag';
    return call === undefined ? action : actionInCall(action, finding.rule, call);
  };
}
