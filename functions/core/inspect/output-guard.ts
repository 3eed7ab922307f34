import { GatewayError } from '../errors.ts';
import { escaped, JsonStrings } from '../json/json-strings.ts';
import type { Action } from '../model/threat.ts';
import { type Piece, type TextSlot, withTexts } from '../pipeline/piece.ts';
import { mergeEdits, renderEdits, type TextEdit } from '../text/text-edit.ts';
import type { AnswerDetector } from './answer/answer-detector.ts';
import { compareFindings } from './compare-findings.ts';
import type { Finding } from './finding.ts';
import type { Policy } from './policy.ts';
import { type Redaction, redacted } from './redaction.ts';
import type { FindingStream, TextInspector } from './text-inspector.ts';

export interface OutputFinding {
  readonly channel: string;
  readonly finding: Finding;
  /** What is done about it. */
  readonly action: Action;
}

export interface OutputGuardOptions {
  /** What looks for what only this exchange can tell. */
  readonly detectors?: readonly AnswerDetector[];
  /** Whether text leaves as it comes. Of a whole answer nothing has left when it is judged, and a block may cut it anywhere. */
  readonly streams?: boolean;
}

const never = () => false;

/** A finding that ends the answer, and where. */
interface Block {
  readonly at: number;
  readonly finding: Finding;
}

interface Queued {
  readonly piece: Piece;
  /** For each slot, its channel, the offset of its text there, and of what leads to it. */
  readonly places: readonly { readonly channel: Channel; readonly start: number; readonly leadStart: number }[];
  /** Characters of a divisible piece that have left. */
  released: number;
}

/**
 * Holds an answer's pieces until no acting rule can still match in them, makes the redactions, and ends the answer where
 * a finding blocks. Pieces leave in their order. Any split of the same texts into pieces releases the same text. A finding
 * is reported once the text where it begins has left, and after a block only what begins no later: how much was held back
 * makes no difference.
 */
export class OutputGuard {
  /** The finding that ended the answer. */
  blocked: OutputFinding | undefined;
  private readonly inspector: TextInspector;
  private readonly policy: Policy;
  private readonly redaction: Redaction;
  private readonly report: (found: OutputFinding) => void;
  private readonly detectors: readonly AnswerDetector[];
  private readonly streams: boolean;
  private readonly channels = new Map<string, Channel>();
  private readonly queue: Queued[] = [];

  constructor(
    inspector: TextInspector,
    policy: Policy,
    redaction: Redaction,
    report: (found: OutputFinding) => void,
    { detectors = [], streams = true }: OutputGuardOptions = {},
  ) {
    this.inspector = inspector;
    this.policy = policy;
    this.redaction = redaction;
    this.report = report;
    this.detectors = detectors;
    this.streams = streams;
  }

  /**
   * Takes a piece and gives those that may leave now. After a block nothing more leaves.
   * @throws GatewayError `provider_error` for more text in a channel that a piece has closed
   */
  push(piece: Piece): Piece[] {
    if (this.blocked) return [];
    const { slots, closes = [] } = piece;
    const closing = (name: string) => closes.some((prefix) => name.startsWith(prefix));
    const places = slots.map((slot, at) => {
      const { channel: name, text, lead = '' } = slot;
      const last = closing(name) && !slots.some((slot, other) => other > at && slot.channel === name);
      const channel = this.channel(name, slot);
      const leadStart = channel.push(lead + text, last);
      return { channel, leadStart, start: leadStart + lead.length };
    });
    if (closes.length > 0) for (const [name, channel] of this.channels) if (closing(name)) channel.end();
    this.queue.push({ piece, places, released: 0 });
    return this.release();
  }

  /** The remaining pieces: the answer is over. */
  end(): Piece[] {
    if (this.blocked) return [];
    for (const channel of this.channels.values()) channel.end();
    const pieces = this.release();
    if (!this.blocked) this.blockAtEnd(() => true);
    return pieces;
  }

  /** Reports what was found and not told yet of text that has left: for an answer that ends before its end. */
  catchUp(): void {
    for (const channel of this.channels.values()) channel.catchUp();
  }

  /** Takes findings of another judge for a channel of which nothing has left; they act like our own. */
  addFindings(channel: string, findings: readonly Finding[]): void {
    this.channel(channel).take(findings);
  }

  /** The channels seen, in order: what was inspected. */
  get inspected(): string[] {
    return [...this.channels.keys()];
  }

  private channel(name: string, { isJson, isReadOnly }: Pick<TextSlot, 'isJson' | 'isReadOnly'> = {}): Channel {
    let channel = this.channels.get(name);
    if (!channel) {
      const stream = isReadOnly
        ? this.inspector.open('output', never)
        : this.inspector.open('output', this.policy.actsOnOutput, this.detectors);
      channel = new Channel(name, stream, this.policy, this.redaction, this.report, {
        streams: this.streams,
        isJson: isJson === true,
        isReadOnly: isReadOnly === true,
      });
      this.channels.set(name, channel);
    }
    return channel;
  }

  private release(): Piece[] {
    const out: Piece[] = [];
    while (!this.blocked) {
      const head = this.queue[0];
      if (!head) break;
      const whole = head.piece.slots.every((slot, at) => {
        const { channel, start } = head.places[at] as Queued['places'][number];
        return channel.releasable >= start + slot.text.length;
      });
      if (!whole) {
        const part = this.releasePart(head);
        if (part) out.push(part);
        break;
      }
      this.queue.shift();
      const piece = this.render(head, head.released, undefined);
      if (piece) out.push(piece);
    }
    return out;
  }

  /** Ends the answer where its last words are objected to: all of it has left, and only its finish tells. */
  private blockAtEnd(concerns: (channel: string) => boolean): void {
    for (const [name, channel] of this.channels) {
      const finding = concerns(name) ? channel.blockAtEnd : undefined;
      if (finding && !this.blocked) this.block({ channel: name, finding, action: 'block' });
    }
  }

  private block(found: OutputFinding): void {
    this.blocked = found;
    this.catchUp();
  }

  private releasePart(head: Queued): Piece | undefined {
    const place = head.places[0];
    if (!head.piece.divisible || !place) return undefined;
    const upTo = place.channel.releasable - place.start;
    if (upTo <= head.released) return undefined;
    const from = head.released;
    head.released = upTo;
    return this.render(head, from, upTo);
  }

  /** The piece with [from, to) of its texts, edits made; cut, and the answer over, where a block begins. */
  private render(head: Queued, from: number, to: number | undefined): Piece | undefined {
    const texts = head.piece.slots.map((slot, at) => {
      const { channel, start: begin, leadStart } = head.places[at] as Queued['places'][number];
      const start = begin + from;
      const text = slot.text.slice(from, to);
      const block = channel.blockWithin(from === 0 ? leadStart : start, start + text.length);
      if (!block || this.blocked) return this.blocked ? '' : channel.render(text, start);
      this.block({ channel: slot.channel, finding: block.finding, action: 'block' });
      return channel.renderLast(text.slice(0, Math.max(0, block.at - start)), start);
    });
    const { closes = [] } = head.piece;
    if (to === undefined && !this.blocked) this.blockAtEnd((name) => closes.some((prefix) => name.startsWith(prefix)));
    // The end of a piece that is cut says more than its texts (a finish reason): only its texts leave.
    if (this.blocked && texts.every((text) => text === '')) return undefined;
    return withTexts(head.piece, texts);
  }
}

/** One text of the answer as it grows. */
class Channel {
  private readonly name: string;
  private readonly stream: FindingStream;
  private readonly policy: Policy;
  private readonly redaction: Redaction;
  private readonly report: (found: OutputFinding) => void;
  private length = 0;
  private ended = false;
  /** Everything before it has left. */
  private released = 0;
  /** As they came: which of two that overlap comes first may show only later. */
  private edits: TextEdit[] = [];
  private untold: Finding[] = [];
  private readonly blocks: Block[] = [];
  /** The text's end, from where a placeholder may be open; kept only where there are placeholders to put back. */
  private tail = '';
  private readonly streams: boolean;
  private readonly isReadOnly: boolean;
  /** Of a text that is JSON itself. */
  private readonly strings: JsonStrings | undefined;

  constructor(
    name: string,
    stream: FindingStream,
    policy: Policy,
    redaction: Redaction,
    report: (found: OutputFinding) => void,
    { streams, isJson, isReadOnly }: { streams: boolean; isJson: boolean; isReadOnly: boolean },
  ) {
    this.streams = streams;
    this.isReadOnly = isReadOnly;
    this.strings = isJson ? new JsonStrings() : undefined;
    this.name = name;
    this.stream = stream;
    this.policy = policy;
    this.redaction = redaction;
    this.report = report;
  }

  /** Takes more text, with `last` the rest of it. @returns the offset of the text in the channel. */
  push(text: string, last: boolean): number {
    if (this.ended) throw new GatewayError('provider_error', 'The provider gave text after the end of its answer.');
    const start = this.length;
    this.length += text.length;
    this.strings?.push(text);
    this.ended = last;
    this.take(last ? this.stream.end(text) : this.stream.push(text));
    if (!this.redaction.isEmpty && !this.isReadOnly) this.restore(text);
    return start;
  }

  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.take(this.stream.end());
  }

  catchUp(): void {
    if (!this.ended) this.take(this.stream.catchUp());
  }

  /** The offset before which nothing can change any more. */
  get releasable(): number {
    return this.ended || this.isReadOnly ? this.length : Math.min(this.stream.settled, this.length - this.tail.length);
  }

  /** The first block that begins in the range. */
  blockWithin(start: number, end: number): Block | undefined {
    if (this.blocks.length === 0) return undefined;
    const within = this.blocks.filter(({ at }) => at >= start && at < end);
    return within.sort((a, b) => a.at - b.at)[0];
  }

  /** A block of a text that is over, all of which may leave. */
  get blockAtEnd(): Finding | undefined {
    return this.ended ? this.blockWithin(this.length, Number.POSITIVE_INFINITY)?.finding : undefined;
  }

  /** The text with its edits made; it leaves now. */
  render(text: string, start: number): string {
    if (this.edits.length === 0) {
      this.released = start + text.length;
      this.strings?.forget(this.released);
      this.tell(this.released);
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
    this.tell(this.released);
    return out;
  }

  private aligned(edit: TextEdit): TextEdit {
    return this.strings?.align(edit) ?? edit;
  }

  /** The text before a block, the last that leaves. */
  renderLast(text: string, start: number): string {
    const out = this.render(text, start);
    this.tell(this.released + 1);
    return out;
  }

  take(findings: readonly Finding[]): void {
    for (const finding of findings) {
      const action = this.actionFor(finding);
      // Of a whole answer nothing has left.
      const at = (this.streams ? finding.cutsAt : undefined) ?? finding.start;
      if (action === 'block') this.blocks.push({ at, finding });
      if (action === 'redact') this.edits.push({ start: finding.start, end: finding.end, text: redacted(finding) });
      this.untold.push(finding);
    }
    this.tell(this.released);
  }

  /** Reports the findings that begin before the offset. */
  private tell(before: number): void {
    if (this.untold.length === 0) return;
    const told = this.untold.filter((finding) => finding.start < before);
    if (told.length === 0) return;
    this.untold = this.untold.filter((finding) => finding.start >= before);
    for (const finding of told.sort(compareFindings))
      this.report({ channel: this.name, finding, action: this.actionFor(finding) });
  }

  private actionFor(finding: Finding): Action {
    const action = this.policy.decide(finding, 'output');
    return this.isReadOnly && action !== 'allow' ? 'flag' : action;
  }

  private restore(text: string): void {
    const known = this.tail + text;
    const restorations = this.redaction.restorations(known, this.length - known.length);
    this.edits.push(
      ...(this.strings ? restorations.map((edit) => ({ ...edit, text: escaped(edit.text) })) : restorations),
    );
    this.tail = known.slice(this.redaction.openFrom(known));
  }
}
