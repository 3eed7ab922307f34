export interface ServerSentEvent {
  /** `message` where the stream names none. */
  readonly event: string;
  /** The data lines, joined by newlines. */
  readonly data: string;
}

/** The largest event that is read, in characters; a provider that sends more is broken or hostile. */
const MAX_EVENT_CHARS = 8 * 1024 * 1024;

/** An event stream held more than MAX_EVENT_CHARS without an event's end. */
export class SseOverflow extends Error {}

/**
 * Reads an event stream piece by piece: any split of the bytes, within a character or a line end too, gives the same
 * events. Comments and fields other than `event` and `data` are dropped; an unfinished event at the end is not given,
 * as the HTML standard says (https://html.spec.whatwg.org/multipage/server-sent-events.html).
 */
export class SseDecoder {
  readonly #utf8 = new TextDecoder('utf-8');
  #rest = '';
  #event = '';
  #data: string[] = [];
  #size = 0;

  push(bytes: Uint8Array): ServerSentEvent[] {
    let text = this.#rest + this.#utf8.decode(bytes, { stream: true });
    const events: ServerSentEvent[] = [];
    // A lone CR at the end may be the first half of a CRLF: it waits for its neighbour.
    const heldCr = text.endsWith('\r');
    if (heldCr) text = text.slice(0, -1);
    let from = 0;
    while (from < text.length) {
      const end = lineEnd(text, from);
      if (end < 0) break;
      this.#line(text.slice(from, end), events);
      from = end + (text[end] === '\r' && text[end + 1] === '\n' ? 2 : 1);
    }
    this.#rest = text.slice(from) + (heldCr ? '\r' : '');
    if (this.#rest.length + this.#size > MAX_EVENT_CHARS) throw new SseOverflow('event too large');
    return events;
  }

  #line(line: string, events: ServerSentEvent[]): void {
    if (line === '') {
      if (this.#data.length > 0) events.push({ event: this.#event || 'message', data: this.#data.join('\n') });
      this.#event = '';
      this.#data = [];
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

function lineEnd(text: string, from: number): number {
  const lf = text.indexOf('\n', from);
  const cr = text.indexOf('\r', from);
  if (lf < 0) return cr;
  return cr < 0 || lf < cr ? lf : cr;
}

/** The events of a body, each as soon as it is whole. */
export async function* readServerSentEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const decoder = new SseDecoder();
  for await (const bytes of body) yield* decoder.push(bytes);
}
