import { GatewayError } from '../../kernel/errors/index.ts';
import { type Piece, type ResponsePiece, type TextSlot, withTexts } from '../../kernel/model/index.ts';
import { finish, type Steps } from '../../kernel/tasks/index.ts';
import { openTextAbove } from '../addresses/index.ts';
import { withResponseFiles } from '../files/index.ts';
import type { Finding, ResponseDetector, TextInspector } from '../matching/index.ts';
import type { Policy, Redaction } from '../policy/index.ts';
import { type ChannelContext, type OpenStream, type OutputFinding, ResponseChannel } from './response-channel.ts';

export interface OutputGuardOptions {
  /** Detectors for what is specific to this request, such as its system prompt. */
  readonly detectors?: readonly ResponseDetector[];
  /** The same for calls that a client executes, in addition. */
  readonly callDetectors?: readonly ResponseDetector[];
  /** Whether text is released as it arrives. A response that does not stream is inspected before any release, so a block may cut it anywhere. */
  readonly streams?: boolean;
  /** Called once when the CPU budget is used up; returns whether the response ends there. */
  readonly endsOverspent?: () => boolean;
}

const never = () => false;
const NONE: ReadonlyMap<string, ResponseChannel> = new Map();

/**
 * Texts of a response that may be open at once: each keeps the state of every rule, some kilobytes, and closing texts visits all of them.
 * 128 choices with seven calls each have as many.
 */
export const MAX_OPEN_TEXTS = 1024;
/** All texts of a response: each chunk may cite new pages, which count as texts. */
const MAX_TEXTS = 100_000;
/** This many texts of one piece take about a millisecond. */
const STEP_SLOTS = 64;
/** Longer text of a piece is read in slices. */
const SLICE_UNITS = 4096;

type SlotOptions = Partial<Pick<TextSlot, 'isJson' | 'isReadOnly' | 'call' | 'isName' | 'isWord' | 'before' | 'path'>>;

/** A piece that waits to be released. */
interface Queued {
  readonly piece: Piece;
  /** For each slot, its channel, and the start there of its text and of the text before it that is inspected with it. */
  readonly places: readonly { readonly channel: ResponseChannel; readonly start: number; readonly leadStart: number }[];
  /** Texts that ended with this piece. */
  readonly ended: readonly ResponseChannel[];
  /** Released units of a divisible piece. */
  released: number;
}

/**
 * Holds a response's pieces until no acting rule can match in them any more, applies redactions, and ends the response where a finding
 * blocks. Pieces are released in order. Any split of the same texts into pieces releases the same text. A finding is reported once the
 * text where it starts is released; after a block only findings that start no later are reported, however much text was held back.
 */
export class OutputGuard {
  /** The finding that ended the response. */
  blocked: OutputFinding | undefined;
  private readonly inspector: TextInspector;
  private readonly context: ChannelContext;
  private readonly detectors: readonly ResponseDetector[];
  private readonly callDetectors: readonly ResponseDetector[];
  /** Names of all inspected texts so far. */
  readonly inspected: string[] = [];
  /** The response was cut for another reason than a finding. */
  private withheld = false;
  private isOverspent = false;
  private readonly endsOverspent: () => boolean;
  private readonly channels = new Map<string, ResponseChannel>();
  private readonly open = new Map<string, ResponseChannel>();
  private readonly queue: Queued[] = [];
  private piecesWithFiles = 0;
  /** By text. Nothing is restored in reasoning, but clients may show it above the other texts. */
  private readonly reasoning = new Map<string, ReturnType<typeof openTextAbove>>();
  private readonly above = { hasOtherBase: false };

  constructor(
    inspector: TextInspector,
    policy: Policy,
    redaction: Redaction,
    report: (found: OutputFinding) => void,
    { detectors = [], callDetectors = [], streams = true, endsOverspent = never }: OutputGuardOptions = {},
  ) {
    this.inspector = inspector;
    this.context = { policy, redaction, report, above: this.above, streams };
    this.detectors = detectors;
    this.callDetectors = [...detectors, ...callDetectors];
    this.endsOverspent = endsOverspent;
  }

  /**
   * Takes a piece and returns those that may be released now. After a block, nothing more is released.
   * @throws GatewayError `provider_error` for more text in a channel that is closed by a piece or by the next channel of its run, and for
   * too many open texts
   */
  push(piece: Piece): Piece[] {
    return finish(this.pushSteps(piece));
  }

  *pushSteps(piece: Piece): Steps<Piece[]> {
    if (this.isCut) return [];
    const { slots, closes = [] } = piece;
    if (!this.context.redaction.isEmpty) for (const slot of slots) if (slot.isReadOnly) yield* this.readAbove(slot);
    const closing = closes.length === 0 ? never : prefixMatcher(closes);
    const lastOf = slots.length < 2 ? undefined : new Map(slots.map((slot, at) => [runOf(slot), at]));
    const places: Queued['places'][number][] = [];
    for (const [at, slot] of slots.entries()) {
      const { channel: name, text, lead = '' } = slot;
      const run = runOf(slot);
      const channel = this.channel(run, slot);
      const last = (slot.isWhole || closing(run)) && (lastOf === undefined || lastOf.get(run) === at);
      const leadStart = channel.length;
      if (!channel.has(name)) this.inspected.push(name);
      if (text.length <= SLICE_UNITS) channel.push(name, lead + text, last);
      else yield* this.pushLong(channel, name, lead + text, last);
      if (this.withheld) return [];
      places.push({ channel, leadStart, start: leadStart + lead.length });
      if (last) this.open.delete(run);
      if (at % STEP_SLOTS === STEP_SLOTS - 1 && (yield)) this.overspend();
    }
    const ended = places.filter(({ channel }) => channel.isOver).map(({ channel }) => channel);
    for (const [run, channel] of closes.length > 0 ? this.open : NONE) {
      channel.close(closing, run);
      if (!channel.isOver) continue;
      this.open.delete(run);
      ended.push(channel);
    }
    this.queue.push({ piece, places, ended, released: 0 });
    return this.release();
  }

  private *readAbove(slot: TextSlot): Steps<void> {
    const run = runOf(slot);
    const reader = this.reasoning.get(run) ?? openTextAbove();
    this.reasoning.set(run, reader);
    for (let at = 0; at < slot.text.length; at += SLICE_UNITS) {
      reader.read(slot.text.slice(at, at + SLICE_UNITS));
      if (at + SLICE_UNITS < slot.text.length && (yield)) this.overspend();
    }
    this.above.hasOtherBase ||= reader.hasOtherBase;
  }

  private *pushLong(channel: ResponseChannel, name: string, text: string, last: boolean): Steps<void> {
    let at = 0;
    for (; text.length - at > SLICE_UNITS; at += SLICE_UNITS) {
      channel.push(name, text.slice(at, at + SLICE_UNITS), false);
      if (yield) this.overspend();
      if (this.withheld) return;
    }
    channel.push(name, text.slice(at), last);
  }

  /** The piece with the texts of its files. `json`: what is read of it. */
  *withFiles(piece: ResponsePiece, json?: string): Steps<ResponsePiece> {
    const whole = yield* withResponseFiles(piece, this.piecesWithFiles, json);
    if (whole.slots.length > piece.slots.length) this.piecesWithFiles += 1;
    return whole;
  }

  /** Returns the remaining pieces at the end of the response. */
  end(): Piece[] {
    if (this.isCut) return [];
    for (const channel of this.open.values()) channel.end();
    this.open.clear();
    const pieces = this.release();
    if (!this.isCut) this.blockAtEnd(this.channels.values());
    return pieces;
  }

  /** Applies the policy when the CPU budget of the response is used up: held text is not released. */
  overspend(): void {
    if (this.isOverspent) return;
    this.isOverspent = true;
    this.withheld = this.endsOverspent();
  }

  /** Whether the response was ended early. */
  get isCut(): boolean {
    return this.withheld || this.blocked !== undefined;
  }

  /** Reports the remaining findings in released text, for a response that was cut. */
  catchUp(): void {
    for (const channel of this.channels.values()) channel.catchUp();
  }

  /** The range of a finding in a run, or in a channel without a run, across channels. */
  locate(run: string, finding: Finding): Omit<OutputFinding, 'action'> {
    return this.channel(run).locate(finding);
  }

  /** Adds findings of an outside detector for a run, or a channel without a run, before its release; the policy applies to them like to others. */
  addFindings(run: string, findings: readonly Finding[]): void {
    this.channel(run).addFindings(findings);
  }

  private channel(run: string, slot: SlotOptions = {}): ResponseChannel {
    const known = this.channels.get(run);
    if (known !== undefined) return known;
    if (this.open.size >= MAX_OPEN_TEXTS) throw tooManyTexts(`${MAX_OPEN_TEXTS} texts at once`);
    if (this.channels.size >= MAX_TEXTS) throw tooManyTexts(`${MAX_TEXTS} texts`);
    const channel = this.openChannel(slot);
    this.channels.set(run, channel);
    this.open.set(run, channel);
    return channel;
  }

  private openChannel(slot: SlotOptions): ResponseChannel {
    const { isJson, isReadOnly, call, isName, isWord, before = '', path = [] } = slot;
    const acts = isReadOnly ? never : this.context.policy.actsOnOutput;
    const open: OpenStream = (detectors, isNew, reading) =>
      this.inspector.open('output', acts, detectors, isNew, reading);
    const detectors = call === 'client' ? this.callDetectors : this.detectors;
    const stream = open(isReadOnly ? [] : detectors, undefined, isName || isWord ? 'unclassified' : 'whole');
    const argument = call === undefined || isJson ? undefined : path.findLast((step) => typeof step === 'string');
    const options = { isJson: isJson === true, isReadOnly: isReadOnly === true, call, argument };
    const channel = new ResponseChannel(stream, open, this.context, options);
    if (before !== '') channel.follow(before);
    return channel;
  }

  private release(): Piece[] {
    const out: Piece[] = [];
    while (!this.isCut) {
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

  /** Ends the response if a finding blocks at its end: all text was released, and only the finish reason changes. */
  private blockAtEnd(channels: Iterable<ResponseChannel>): void {
    for (const channel of channels) {
      const finding = channel.blockAtEnd;
      if (finding && !this.blocked) this.block({ ...channel.locate(finding), action: 'block' });
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

  /** The piece with [from, to) of its texts, edited; if a block starts there, the piece is cut and the response ends. */
  private render(head: Queued, from: number, to: number | undefined): Piece | undefined {
    const texts = head.piece.slots.map((slot, at) => {
      const { channel, start: begin, leadStart } = head.places[at] as Queued['places'][number];
      const start = begin + from;
      const text = slot.text.slice(from, to);
      const block = channel.blockWithin(from === 0 ? leadStart : start, start + text.length);
      if (!block || this.blocked) return this.blocked ? '' : channel.render(text, start);
      this.block({ ...channel.locate(block.finding), action: 'block' });
      return channel.renderLast(text.slice(0, Math.max(0, block.at - start)), start);
    });
    if (to === undefined && !this.blocked) this.blockAtEnd(head.ended);
    // The end of a cut piece contains more than text (a finish reason): only its text is released.
    if (this.blocked && texts.every((text) => text === '')) return undefined;
    if (this.blocked && this.context.streams && cutsCall(head.piece.slots, texts)) return undefined;
    return withTexts(head.piece, texts);
  }
}

/** Returns a function that tests a name for any of the prefixes, in time independent of the number of prefixes of one length. */
function prefixMatcher(prefixes: readonly string[]): (name: string) => boolean {
  const known = new Set(prefixes);
  const lengths = [...new Set(prefixes.map(({ length }) => length))];
  return (name) => lengths.some((length) => known.has(name.slice(0, length)));
}

function tooManyTexts(limit: string): GatewayError {
  return new GatewayError('provider_error', `The provider returned a response with more than ${limit}.`, {
    internal: `more than ${limit}`,
  });
}

/** Whether a whole call would be left with other values, which a client could run; the start of a JSON text is no JSON. */
function cutsCall(slots: readonly TextSlot[], texts: readonly string[]): boolean {
  const isCut = ({ call, isWhole, text }: TextSlot, at: number) => call && isWhole && texts[at] !== text;
  return slots.some(isCut) && !slots.some(({ isJson }) => isJson);
}

function runOf({ run, channel }: TextSlot): string {
  return run ?? channel;
}
