import { createParser, type EventSourceParser } from 'eventsource-parser';

export interface ServerSentEvent {
  /** `message` if the stream names none. */
  readonly event: string;
  /** The data lines, joined by newlines. */
  readonly data: string;
}

/** The largest accepted event, in characters; a provider that sends more is broken or hostile. */
const MAX_EVENT_CHARS = 8 * 1024 * 1024;
/** The same for events that may contain an image. */
export const MAX_PICTURE_EVENT_CHARS = 64 * 1024 * 1024;

/** Bytes of short lines that take some milliseconds to decode. */
const PIECE_BYTES = 32_768;

/** An event exceeded the size limit. */
export class SseOverflow extends Error {}

/**
 * Decodes an event stream piece by piece (https://html.spec.whatwg.org/multipage/server-sent-events.html). Any split of the
 * bytes gives the same events. Lines may end with CR, LF or both.
 */
export class SseDecoder {
  /** The parser removes the byte order mark; a TextDecoder removes two if the first is split. */
  private readonly utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
  private readonly parser: EventSourceParser;
  private events: ServerSentEvent[] = [];

  constructor(maxEventChars = MAX_EVENT_CHARS) {
    // Without `onError`: the parser creates an error, 5 us each, for every line of an unknown field.
    this.parser = createParser({
      maxBufferSize: maxEventChars,
      onEvent: ({ event, data }) => this.events.push({ event: event ?? 'message', data }),
    });
  }

  /** @throws SseOverflow if an event is larger than `maxEventChars` */
  push(bytes: Uint8Array): ServerSentEvent[] {
    return this.feed(this.utf8.decode(bytes, { stream: true }));
  }

  /**
   * The last event of a body that ended without a blank line, if its data is whole. The standard drops it, but some servers send no final
   * line break.
   */
  end(): ServerSentEvent[] {
    return this.feed(`${this.utf8.decode()}\n\n`).filter(({ data }) => isWhole(data));
  }

  private feed(text: string): ServerSentEvent[] {
    this.events = [];
    try {
      this.parser.feed(text);
      // A parser whose buffer has overflowed throws at the next call.
      this.parser.feed('');
    } catch {
      throw new SseOverflow('event too large');
    }
    return this.events;
  }
}

/** Whether no part of the data is missing: JSON that was cut is invalid. */
function isWhole(data: string): boolean {
  if (data === '[DONE]') return true;
  try {
    JSON.parse(data);
    return true;
  } catch {
    return false;
  }
}

/** The events of a body in batches of those that are complete; never an empty batch. */
export async function* readServerSentEvents(
  body: AsyncIterable<Uint8Array>,
  maxEventChars?: number,
): AsyncGenerator<ServerSentEvent[]> {
  const decoder = new SseDecoder(maxEventChars);
  for await (const bytes of body) {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      const events = decoder.push(bytes.subarray(at, at + PIECE_BYTES));
      if (events.length > 0) yield events;
      // Other requests run while a long event is decoded.
      else if (at + PIECE_BYTES < bytes.length) await new Promise(setImmediate);
    }
  }
  const last = decoder.end();
  if (last.length > 0) yield last;
}
