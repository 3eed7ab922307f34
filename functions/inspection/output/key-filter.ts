import { GatewayError } from '../../kernel/errors/index.ts';
import { mergeEdits, renderEdits, type TextEdit } from '../../kernel/json/index.ts';
import { type Piece, REDACTED_KEY, type TextSlot, withTexts } from '../../kernel/model/index.ts';
import { finish, type Steps } from '../../kernel/tasks/index.ts';
import { WHOLE_RESPONSE } from '../report/index.ts';
import { type KeyRange, KeyReader, type ProviderKeys } from './provider-keys.ts';

/** Places of which the end of the text is remembered. Consecutive texts are read in any case. */
const MAX_PLACES = 4096;

/** JSON that waits behind the possible start of a key. Only a provider that never ends that text sends more. */
const MAX_WAITING_CHARS = 4 * 1024 * 1024;

/** Longer texts are read in slices, which take about a millisecond. */
const SLICE_UNITS = 8192;
const STEP_SLOTS = 64;

/** A text in the order in which a client may join texts: those of one place, or all of the response. */
interface Lane {
  readonly reader: KeyReader;
  /** Texts of which a part may still become part of a key. */
  readonly waiting: Segment[];
}

/** The part of a lane that is a text of a piece, or a slice of one. */
interface Segment {
  readonly lane: Lane;
  readonly held: Held;
  readonly slot: number;
  /** Its start in that text. */
  readonly from: number;
  readonly start: number;
  readonly end: number;
}

interface Held {
  readonly piece: Piece;
  /** For each slot, by start. */
  readonly edits: readonly Map<number, TextEdit>[];
  readonly waiting: Set<Segment>;
  /** Released units of a divisible piece. */
  released: number;
}

/**
 * Removes the operator's keys for providers from a response, before anything else sees it. A key may be split over the texts of one place (the
 * deltas of a choice, the tokens of log probabilities) with other texts between, or over consecutive texts anywhere (two choices, two blocks, a
 * name and its value): so each place and the whole response are read as one text each. Pieces wait, in order, while a part of them may still
 * become part of a key:
 *
 *     deltas             "Use sk"        "-ab12"       "cd ok"          (the key is sk-ab12cd...)
 *     released           "Use sk"        ""            "[REDACTED...] ok"
 *
 * Never released: the third or a later character of a key before all of it is known to be none. No policy applies.
 */
export class KeyFilter {
  private readonly keys: ProviderKeys;
  private readonly report: (field: string, range: KeyRange) => void;
  /** By place. A lane without the start of a key is dropped: the next text there starts a new one. */
  private readonly places = new Map<string, Lane>();
  private whole: Lane | undefined;
  private readonly queue: Held[] = [];
  private waitingChars = 0;
  private isReported = false;

  constructor(keys: ProviderKeys, report: (field: string, range: KeyRange) => void) {
    this.keys = keys;
    this.report = report;
  }

  /** The JSON of a piece before it is read. Keys in it are reported once, without their place: every event may repeat an id. */
  *inJson(json: string): Steps<string> {
    const cleaned = yield* this.keys.inJson(json);
    if (cleaned !== json && !this.isReported) this.report(WHOLE_RESPONSE, { start: 0, end: 0 });
    this.isReported ||= cleaned !== json;
    return cleaned;
  }

  /** Takes a piece and returns those that may go on. */
  push<P extends Piece>(piece: P): P[] {
    return finish(this.pushSteps(piece));
  }

  *pushSteps<P extends Piece>(piece: P): Steps<P[]> {
    const held: Held = {
      piece,
      edits: piece.slots.map(() => new Map<number, TextEdit>()),
      waiting: new Set(),
      released: 0,
    };
    let isAbsent = true;
    for (const [at, slot] of piece.slots.entries()) {
      for (const part of partsOf(slot)) {
        const isPartAbsent = this.keys.isAbsentIn(part.text);
        this.take(held, at, part, isPartAbsent);
        isAbsent &&= isPartAbsent;
        if (part.text.length === SLICE_UNITS) yield;
      }
      this.readNames(held, at, slot);
      if (at % STEP_SLOTS === STEP_SLOTS - 1) yield;
    }
    if (piece.slots.length > 1 && !isAbsent) yield* this.readBackwards(held);
    if (this.queue.length === 0 && held.waiting.size === 0) return [edited(held, 0, undefined) as P];
    this.queue.push(held);
    this.waitingChars += piece.json.length;
    const released = this.release() as P[];
    if (this.queue.length > 1 && this.waitingChars > MAX_WAITING_CHARS) throw tooMuchWaits();
    return released;
  }

  /** The remaining pieces, at the end of the response. */
  end<P extends Piece>(): P[] {
    for (const lane of this.places.values()) this.finish(lane);
    if (this.whole !== undefined) this.finish(this.whole);
    this.places.clear();
    this.whole = undefined;
    return this.release() as P[];
  }

  private take(held: Held, at: number, part: Part, isAbsent: boolean): void {
    const { channel, run = channel, place = run } = held.piece.slots[at] as TextSlot;
    const known = this.places.get(place);
    if (known !== undefined || !isAbsent) {
      const lane = known ?? newLane(this.keys);
      this.read(lane, held, at, part);
      if (lane.reader.isIdle) this.places.delete(place);
      else if (this.places.size < MAX_PLACES || known !== undefined) this.places.set(place, lane);
      else this.finish(lane);
    }
    if (this.whole !== undefined || !isAbsent) {
      this.whole ??= newLane(this.keys);
      this.read(this.whole, held, at, part);
      if (this.whole.reader.isIdle) this.whole = undefined;
    }
  }

  /** A key may begin in the names of the members that lead to a text. */
  private readNames(held: Held, at: number, { path, text }: TextSlot): void {
    const range = this.keys.continuedIn(path.filter((step) => typeof step === 'string').join(''), text);
    if (range !== undefined) this.redact(held, at, range, true);
  }

  /** A client may show the texts of a piece in another order than they are listed: reasoning before content. */
  private *readBackwards(held: Held): Steps<void> {
    const lane = newLane(this.keys);
    for (let at = held.piece.slots.length - 1; at >= 0; at -= 1) {
      for (const part of partsOf(held.piece.slots[at] as TextSlot)) {
        this.read(lane, held, at, part);
        if (part.text.length === SLICE_UNITS) yield;
      }
      if (at % STEP_SLOTS === 0) yield;
    }
    this.finish(lane);
  }

  private read(lane: Lane, held: Held, slot: number, { text, from }: Part): void {
    const { reader, waiting } = lane;
    const segment = { lane, held, slot, from, start: reader.length, end: reader.length + text.length };
    waiting.push(segment);
    held.waiting.add(segment);
    this.mark(lane, reader.read(text, false));
    while (waiting.length > 0 && (waiting[0] as Segment).end <= reader.settled) {
      const settled = waiting.shift() as Segment;
      settled.held.waiting.delete(settled);
    }
  }

  private finish(lane: Lane): void {
    this.mark(lane, lane.reader.read('', true));
    for (const segment of lane.waiting.splice(0)) segment.held.waiting.delete(segment);
  }

  /** Redacts ranges of a lane: the first text of each gets the placeholder, the others lose their part. */
  private mark({ waiting }: Lane, ranges: readonly KeyRange[]): void {
    for (const range of ranges) {
      let isFirst = true;
      for (const { held, slot, from, start, end } of waiting) {
        if (start >= range.end || end <= range.start) continue;
        const within = {
          start: Math.max(range.start, start) - start + from,
          end: Math.min(range.end, end) - start + from,
        };
        this.redact(held, slot, within, isFirst);
        isFirst = false;
      }
    }
  }

  private redact({ piece, edits }: Held, slot: number, range: KeyRange, isFirst: boolean): void {
    const { channel } = piece.slots[slot] as TextSlot;
    const known = edits[slot] as Map<number, TextEdit>;
    const other = known.get(range.start);
    const text = isFirst ? REDACTED_KEY : '';
    if (isFirst && other === undefined) this.report(channel, range);
    known.set(range.start, { ...range, end: Math.max(range.end, other?.end ?? 0), text: other?.text || text });
  }

  private release(): Piece[] {
    const out: Piece[] = [];
    for (let head = this.queue[0]; head !== undefined; head = this.queue[0]) {
      if (head.waiting.size > 0) {
        const part = partOf(head);
        if (part !== undefined) out.push(part);
        break;
      }
      this.queue.shift();
      this.waitingChars -= head.piece.json.length;
      out.push(edited(head, head.released, undefined));
    }
    return out;
  }
}

function tooMuchWaits(): GatewayError {
  return new GatewayError('provider_error', 'The provider returned a response that could not be inspected.', {
    internal: `more than ${MAX_WAITING_CHARS} characters behind the possible start of a key`,
  });
}

/** A text, or a slice of a long one. */
interface Part {
  readonly text: string;
  readonly from: number;
}

function partsOf({ text }: TextSlot): Part[] {
  if (text.length <= SLICE_UNITS) return [{ text, from: 0 }];
  const starts = Array.from({ length: Math.ceil(text.length / SLICE_UNITS) }, (_, at) => at * SLICE_UNITS);
  return starts.map((from) => ({ text: text.slice(from, from + SLICE_UNITS), from }));
}

function newLane(keys: ProviderKeys): Lane {
  return { reader: new KeyReader(keys), waiting: [] };
}

/** The part of a divisible piece that may go on, if there is more of it than before. */
function partOf(held: Held): Piece | undefined {
  if (!held.piece.divisible) return undefined;
  const settled = [...held.waiting].map(({ lane, start, from }) => lane.reader.settled - start + from);
  const upTo = Math.min(...settled);
  if (upTo <= held.released) return undefined;
  const from = held.released;
  held.released = upTo;
  return edited(held, from, upTo);
}

function edited({ piece, edits }: Held, from: number, to: number | undefined): Piece {
  if (from === 0 && to === undefined && edits.every(({ size }) => size === 0)) return piece;
  const texts = piece.slots.map(({ text }, at) =>
    renderEdits(text.slice(from, to), from, mergeEdits([...(edits[at]?.values() ?? [])])),
  );
  return withTexts(piece, texts);
}
