/** Text of earlier pieces that is read with a later one: longer than keys and tokens of APIs are. */
const MAX_BEFORE = 512;
/** Places of a stream that have texts: each keeps so much. */
const MAX_PLACES = 4096;
/** A text that came so long a row of times makes no new one by coming once more. */
const REPEATED_CHARS = 32;

/** The channel of a text that is inspected elsewhere. */
const SAID = '(said)';

interface Place {
  /** What has left. */
  left: string;
  /** So much at the end was inspected elsewhere. */
  said: number;
  /** What has not left yet, in order. */
  readonly waiting: { readonly channel: string; readonly text: string }[];
}

/**
 * What came earlier in each place of a stream, as it left: clients may join the strings of one place over all events. What repeats
 * in every event stays cheap.
 */
export class EarlierTexts {
  private readonly places = new Map<string, Place>();
  private readonly placeOf = new Map<string, string>();
  private pieces = 0;

  /** Begins a piece. */
  begin(): void {
    this.pieces += 1;
  }

  /** What came in a place before its next text. */
  before(place: string): { readonly before?: string } {
    const { left = '', waiting = [] } = this.places.get(place) ?? {};
    let ahead = '';
    for (let at = waiting.length; at-- > 0 && ahead.length < MAX_BEFORE; ) ahead = waiting[at]?.text + ahead;
    const before = (left + ahead).slice(-MAX_BEFORE);
    return before === '' ? {} : { before };
  }

  /** Takes the next text of a place, in a channel. */
  add(place: string, channel: string, text: string, isSaid = false): void {
    let known = this.places.get(place);
    if (known === undefined) {
      // Of a whole answer there are no later pieces.
      if (this.places.size >= MAX_PLACES && this.pieces === 1) return;
      if (this.places.size >= MAX_PLACES) throw new RangeError(`texts in more than ${MAX_PLACES} places of a stream`);
      known = { left: '', said: MAX_BEFORE, waiting: [] };
      this.places.set(place, known);
    }
    known.said = isSaid ? known.said + text.length : 0;
    known.waiting.push({ channel, text });
    this.placeOf.set(channel, place);
  }

  /** Whether all that came in a place was inspected elsewhere, so that more of it needs no reading with what came. */
  isAllSaid(place: string): boolean {
    return (this.places.get(place)?.said ?? MAX_BEFORE) >= MAX_BEFORE;
  }

  /** Takes a text that is inspected elsewhere. */
  said(place: string, text: string): void {
    this.add(place, SAID, text, true);
    this.left(SAID, text);
  }

  /** Whether a text that has left in the place has come there often enough to be passed over. */
  repeats(place: string, text: string): boolean {
    const { left = '', waiting = [] } = this.places.get(place) ?? {};
    return waiting.length === 0 && left.endsWith(text.repeat(Math.ceil(REPEATED_CHARS / text.length)));
  }

  /** Takes note of what left in a channel. */
  left(channel: string, text: string): void {
    const place = this.places.get(this.placeOf.get(channel) ?? '');
    const at = place?.waiting.findIndex((one) => one.channel === channel) ?? -1;
    if (place === undefined || at < 0) return;
    place.waiting.splice(at, 1);
    place.left = (place.left + text).slice(-MAX_BEFORE);
    if (!place.waiting.some((one) => one.channel === channel)) this.placeOf.delete(channel);
  }
}
