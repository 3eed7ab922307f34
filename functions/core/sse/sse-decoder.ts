export interface ServerSentEvent {
  /** `message` where the stream names none. */
  readonly event: string;
  /** The data lines, joined by newlines. */
  readonly data: string;
}

/** The largest event that is read, in characters; a provider that sends more is broken or hostile. */
const MAX_EVENT_CHARS = 8 * 1024 * 1024;
/** The same where an event may hold a picture. */
export const MAX_PICTURE_EVENT_CHARS = 64 * 1024 * 1024;

const BYTE_ORDER_MARK = '\ufeff';
const LINE_END = /\r\n|\n|\r/g;

/** An event stream held more than may be read without an event's end. */
export class SseOverflow extends Error {}

/**
 * Reads an event stream piece by piece: any split of the bytes, within a character or a line end too, gives the same
 * events. Comments and fields other than `event` and `data` are dropped; an unfinished event at the end is not given,
 * as the HTML standard says (https://html.spec.whatwg.org/multipage/server-sent-events.html).
 */
export class SseDecoder {
  /** Node's own removal of a byte order mark takes two of them where the first comes in parts. */
  readonly #utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
  #begun = false;
  /** The unfinished line, in the pieces it came in: joined once, when it ends, so that a long one costs linear time. */
  #rest: string[] = [];
  #restSize = 0;
  #heldCr = false;
  #event = '';
  #data: string[] = [];
  #size = 0;
  readonly #maxEventChars: number;

  constructor(maxEventChars = MAX_EVENT_CHARS) {
    this.#maxEventChars = maxEventChars;
  }

  push(bytes: Uint8Array): ServerSentEvent[] {
    let text = this.#utf8.decode(bytes, { stream: true });
    const events: ServerSentEvent[] = [];
    if (text === '') return events;
    if (!this.#begun && text.startsWith(BYTE_ORDER_MARK)) text = text.slice(1);
    this.#begun = true;
    // A lone CR at the end may be the first half of a CRLF: it waits for its neighbour.
    if (this.#heldCr) text = `\r${text}`;
    this.#heldCr = text.endsWith('\r');
    const to = text.length - (this.#heldCr ? 1 : 0);
    const from = text.includes('\r') ? this.#linesOfAnyEnd(text, to, events) : this.#lines(text, events);
    if (from < to) {
      this.#rest.push(text.slice(from, to));
      this.#restSize += to - from;
    }
    if (this.#restSize + this.#size > this.#maxEventChars) throw new SseOverflow('event too large');
    return events;
  }

  /** Reads the whole lines of a text. @returns where the unfinished one begins */
  #lines(text: string, events: ServerSentEvent[]): number {
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.#line(this.#takeRest() + text.slice(from, end), events);
      from = end + 1;
    }
    return from;
  }

  /** The same up to `to`, where lines end in other ways too, as few streams have them. */
  #linesOfAnyEnd(text: string, to: number, events: ServerSentEvent[]): number {
    let from = 0;
    LINE_END.lastIndex = 0;
    for (let end = LINE_END.exec(text); end !== null && end.index < to; end = LINE_END.exec(text)) {
      this.#line(this.#takeRest() + text.slice(from, end.index), events);
      from = LINE_END.lastIndex;
    }
    return from;
  }

  #takeRest(): string {
    if (this.#restSize === 0) return '';
    const rest = this.#rest.join('');
    this.#rest = [];
    this.#restSize = 0;
    return rest;
  }

  #line(line: string, events: ServerSentEvent[]): void {
    if (line === '') {
      if (this.#data.length > 0) {
        const data = this.#data.length === 1 ? (this.#data[0] as string) : this.#data.join('\n');
        events.push({ event: this.#event || 'message', data });
        this.#data = [];
      }
      this.#event = '';
      this.#size = 0;
      return;
    }
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const field = colon < 0 ? line : line.slice(0, colon);
    let value = colon < 0 ? '' : line.slice(colon + 1);
    if (value.startsWith(' ')) value = value.slice(1);
    if (field === 'data') {
      this.#data.push(value);
      this.#size += value.length;
    } else if (field === 'event') this.#event = value;
  }
}

/** The events of a body, each as soon as it is whole: as many at a time as came at once, never none. */
export async function* readServerSentEvents(
  body: AsyncIterable<Uint8Array>,
  maxEventChars?: number,
): AsyncGenerator<ServerSentEvent[]> {
  const decoder = new SseDecoder(maxEventChars);
  for await (const bytes of body) {
    const events = decoder.push(bytes);
    if (events.length > 0) yield events;
  }
}
