import { mergeEdits, renderEdits, type TextEdit } from '../../base/edits.ts';
import { GatewayError } from '../../base/errors.ts';
import { JsonStrings } from '../../base/json-strings.ts';
import type { CallBy } from '../../model/piece.ts';
import type { Action } from '../../model/threat.ts';
import type { TextAbove } from '../addresses/address-reader.ts';
import { compareFindings, type Finding } from '../finding.ts';
import { actionInCall, type Policy } from '../policy.ts';
import { type Redaction, redacted } from '../redaction.ts';
import type { Rule } from '../rule.ts';
import type { FindingStream, Reading, ResponseDetector } from '../text-inspector.ts';
import { TextWindow } from '../views/text-offsets.ts';
import { BlockBoundary } from './block-boundary.ts';
import { RestoredText } from './restored-text.ts';

/** A finding in a response and its action. */
export interface OutputFinding {
  /** The channel in which it starts; its range is relative to the text there. */
  readonly channel: string;
  readonly finding: Finding;
  /** Its ranges in later channels of the same run; absent if it ends in this channel. */
  readonly rest?: readonly ChannelRange[];
  readonly action: Action;
}

export interface ChannelRange {
  readonly channel: string;
  readonly start: number;
  readonly end: number;
}

/** A finding that ends the response, and the offset. */
interface Block {
  readonly at: number;
  readonly finding: Finding;
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

/** The text of a channel, or of a run of channels, as it arrives. */
export class ResponseChannel {
  /** Its channels, with the offset of each in the text. */
  private readonly parts: { readonly name: string; readonly start: number; closed: boolean }[] = [];
  private readonly known = new Set<string>();
  /** undefined once the text has ended, since it holds the state of every rule. */
  private stream: FindingStream | undefined;
  private readonly open: OpenStream;
  private readonly context: ChannelContext;
  private readonly isReadOnly: boolean;
  private readonly call: CallBy | undefined;
  /** Length so far. */
  length = 0;
  private ended = false;
  /** Stream over the end of the previous text and this one; undefined once no match can span both. */
  private following: FindingStream | undefined;
  /** Length of the previous text. */
  private before = 0;
  /** All text before this offset was released. */
  private released = 0;
  /** In order of arrival: their final order may be known only later. */
  private edits: TextEdit[] = [];
  private unreported: Finding[] = [];
  private readonly blocks: Block[] = [];
  /** The end of the text, which a block boundary may read again. */
  private readonly recent = new TextWindow();
  /** Absent if there are no placeholders to restore. */
  private readonly restored: RestoredText | undefined;
  private boundary: BlockBoundary | undefined;
  /** Findings since the boundary was opened: in the joined text, and at the boundary. */
  private sinceBoundary: Finding[] = [];
  private atBoundary: Finding[] = [];
  /** For text that is JSON. */
  private readonly strings: JsonStrings | undefined;

  constructor(
    stream: FindingStream,
    open: OpenStream,
    context: ChannelContext,
    { isJson, isReadOnly, call, argument }: ChannelOptions,
  ) {
    this.stream = stream;
    this.open = open;
    this.context = context;
    this.isReadOnly = isReadOnly;
    this.call = call;
    this.strings = isJson ? new JsonStrings() : undefined;
    const restores = !context.redaction.isEmpty && !isReadOnly;
    this.restored = restores ? new RestoredText(context.redaction, isJson, argument, context.above) : undefined;
  }

  /** Whether it contains text of this channel. */
  has(name: string): boolean {
    return this.known.has(name);
  }

  /** Takes text that was released before, which clients may join with the text of this channel. */
  follow(before: string): void {
    this.before = before.length;
    this.following = this.open([], ({ start, end }) => start < before.length && end > before.length, 'shallow');
    this.following.push(before);
    this.restored?.follow(before);
  }

  /** Takes more text of one of its channels; `last` marks its end. */
  push(name: string, text: string, last: boolean): void {
    const isBoundary = this.begin(name) && this.length > 0;
    if (isBoundary) this.openBoundary(text);
    this.length += text.length;
    this.recent.push(text);
    this.strings?.push(text);
    this.ended = last;
    const shown = this.restored === undefined ? text : this.restore(this.restored, text, last);
    this.addFindings(this.received((last ? this.stream?.end(shown) : this.stream?.push(shown)) ?? []));
    this.readBoundary(text, isBoundary);
    this.readFollowing(text, last);
    if (last) this.stream = undefined;
    else this.recent.forget(Math.min(this.settled, this.length - CONTEXT_UNITS));
  }

  get isOver(): boolean {
    return this.ended;
  }

  /** Ends the text or its current channel if `closing` returns true for it. */
  close(closing: (name: string) => boolean, run: string): void {
    if (closing(run)) this.end();
    const part = this.parts.at(-1);
    if (part !== undefined && closing(part.name)) part.closed = true;
  }

  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.addFindings(this.received(this.stream?.end(this.restored?.end() ?? '') ?? []));
    this.stream = undefined;
    this.readBoundary('', false);
    this.readFollowing('', true);
  }

  catchUp(): void {
    if (this.ended) return;
    this.addFindings(this.received(this.stream?.catchUp() ?? []));
    if (this.boundary === undefined) return;
    this.act(this.boundary.catchUp(), this.atBoundary);
    this.reportBoundary();
  }

  /** A finding as a range of the channel in which it starts. */
  locate(finding: Finding): Omit<OutputFinding, 'action'> {
    const { parts } = this;
    const first = Math.max(
      0,
      parts.findLastIndex(({ start }) => start <= finding.start),
    );
    const ranges: ChannelRange[] = [];
    for (let at = first; at === first || (parts[at]?.start ?? finding.end) < finding.end; at++) {
      const { name, start } = parts[at] as (typeof parts)[number];
      const end = Math.min(finding.end, parts[at + 1]?.start ?? finding.end);
      ranges.push({ channel: name, start: Math.max(finding.start, start) - start, end: end - start });
    }
    const [{ channel, start, end }, ...rest] = ranges as [ChannelRange, ...ChannelRange[]];
    return { channel, finding: { ...finding, start, end }, ...(rest.length > 0 && { rest }) };
  }

  /** Starts a new part if the channel changes; returns whether it does. */
  private begin(name: string): boolean {
    const { parts, ended } = this;
    const last = parts.at(-1);
    const isNext = last?.name !== name;
    if (ended || (isNext ? this.known.has(name) : last.closed))
      throw new GatewayError('provider_error', 'The provider sent text after the end of its response.');
    if (isNext) parts.push({ name, start: this.length, closed: false });
    this.known.add(name);
    return isNext;
  }

  private openBoundary(text: string): void {
    if (
      this.boundary !== undefined ||
      SPACE.test(text[0] ?? '') ||
      SPACE.test(this.recent.slice(this.length - 1, this.length))
    )
      return;
    const from = Math.max(0, Math.min(this.settled, this.length - CONTEXT_UNITS));
    const before = this.recent.slice(from, this.length);
    this.boundary = new BlockBoundary((isNew) => this.open([], isNew), before, from);
  }

  private readBoundary(text: string, begins: boolean): void {
    const { boundary } = this;
    if (boundary === undefined) return;
    if (text !== '') this.act(boundary.push(text, begins), this.atBoundary);
    if (!this.ended && !boundary.isOver) return;
    if (!this.ended) this.addFindings(this.received(this.stream?.catchUp() ?? []));
    this.act(this.ended ? boundary.end() : boundary.catchUp(), this.atBoundary);
    this.reportBoundary();
    this.boundary = undefined;
    this.sinceBoundary = [];
  }

  /** Reports findings at the boundary, unless the joined text has them or longer ones. */
  private reportBoundary(): void {
    const isSame = (a: Rule, b: Rule) =>
      a === b || (a.type === b.type && a.forcedAction === undefined && b.forcedAction === undefined);
    const isKnown = ({ rule, start, end }: Finding) =>
      this.sinceBoundary.some((known) => isSame(known.rule, rule) && known.start < end && start < known.end);
    this.unreported.push(...this.atBoundary.filter((finding) => !isKnown(finding)));
    this.atBoundary = [];
    this.reportBefore(this.released);
  }

  /** The offset before which nothing can change any more. */
  get releasable(): number {
    if (this.ended || this.isReadOnly) return this.length;
    return Math.min(this.settled, this.boundary?.settled ?? this.length);
  }

  private get settled(): number {
    const settled = this.stream?.settled ?? this.length;
    const received =
      this.restored === undefined || this.stream === undefined ? settled : this.restored.receivedOffset(settled);
    return this.following === undefined ? received : Math.min(received, this.following.settled - this.before);
  }

  /** Acts on findings that start in the previous text and end in this one. */
  private readFollowing(text: string, last: boolean): void {
    const { following, before } = this;
    if (following === undefined) return;
    const found = last ? following.end(text) : following.push(text);
    const spanning = found.filter(({ start, end }) => start < before && end > before);
    const acting = spanning.filter((finding) => ['block', 'redact'].includes(this.actionFor(finding)));
    this.addFindings(acting.map((finding) => ({ ...finding, start: 0, end: finding.end - before })));
    if (last || following.settled >= before) this.following = undefined;
  }

  /** The first block in the range. */
  blockWithin(start: number, end: number): Block | undefined {
    if (this.blocks.length === 0) return undefined;
    const within = this.blocks.filter(({ at }) => at >= start && at < end);
    return within.sort((a, b) => a.at - b.at)[0];
  }

  /** A block at the end of a text that is complete and may be released as a whole. */
  get blockAtEnd(): Finding | undefined {
    return this.ended ? this.blockWithin(this.length, Number.POSITIVE_INFINITY)?.finding : undefined;
  }

  /** The edited text, which is now released. */
  render(text: string, start: number): string {
    if (this.edits.length === 0) {
      this.released = start + text.length;
      this.strings?.forget(this.released);
      this.reportBefore(this.released);
      return text;
    }
    const out = renderEdits(
      text,
      start,
      mergeEdits(this.edits).map((edit) => this.aligned(edit)),
    );
    this.released = start + text.length;
    this.edits = this.edits.filter((edit) => this.aligned(edit).end > this.released);
    this.strings?.forget(Math.min(this.released, ...this.edits.map((edit) => edit.start)));
    this.reportBefore(this.released);
    return out;
  }

  private aligned(edit: TextEdit): TextEdit {
    return this.strings?.align(edit) ?? edit;
  }

  /** The text before a block, the last to be released. */
  renderLast(text: string, start: number): string {
    const out = this.render(text, start);
    this.reportBefore(this.released + 1);
    return out;
  }

  addFindings(findings: readonly Finding[]): void {
    if (this.boundary !== undefined) this.sinceBoundary.push(...findings);
    this.act(findings, this.unreported);
    this.reportBefore(this.released);
  }

  /** Turns unreported findings into blocks and redactions. */
  private act(findings: readonly Finding[], unreported: Finding[]): void {
    for (const finding of findings) {
      const action = this.actionFor(finding);
      // Without streaming nothing was released yet.
      const at = (this.context.streams ? finding.cutsAt : undefined) ?? finding.start;
      if (action === 'block') this.blocks.push({ at, finding });
      if (action === 'redact') this.edits.push({ start: finding.start, end: finding.end, text: redacted(finding) });
      unreported.push(finding);
    }
  }

  /** Reports the findings that start before the offset. */
  private reportBefore(before: number): void {
    if (this.unreported.length === 0) return;
    const due = this.unreported.filter((finding) => finding.start < before);
    if (due.length === 0) return;
    this.unreported = this.unreported.filter((finding) => finding.start >= before);
    for (const finding of due.sort(compareFindings))
      this.context.report({ ...this.locate(finding), action: this.actionFor(finding) });
  }

  private actionFor(finding: Finding): Action {
    const action = this.context.policy.decide(finding, 'output');
    if (this.isReadOnly && action !== 'allow') return 'flag';
    return this.call === undefined ? action : actionInCall(action, finding.rule, this.call);
  }

  /** Restores placeholders in a piece; returns the text to inspect. */
  private restore(restored: RestoredText, piece: string, last: boolean): string {
    const { text, edits } = restored.push(piece, this.length, last);
    this.edits.push(...edits);
    return text;
  }

  /** Findings as ranges of the text as received. */
  private received(findings: readonly Finding[]): readonly Finding[] {
    return this.restored?.receivedFindings(findings) ?? findings;
  }
}
