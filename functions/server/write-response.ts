import type http from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type BodyStream, isStream, type OutgoingResponse } from '../kernel/http/index.ts';

/** How long the rest of a refused request is read. */
const DISCARD_MS = 5_000;

/** When parts of a response may be sent. */
export interface ResponsePace {
  /** For a client that reads nothing. */
  readonly readerMs: number;
  /** Called before a response in pieces. */
  readonly streaming: () => void;
  /** Resolves when the response may end. */
  readonly ending: () => Promise<void>;
}

/** Sends a response as fast as its client reads. Resolves when it is written, or the client has left. */
export async function writeResponse(
  response: OutgoingResponse,
  incoming: http.IncomingMessage,
  outgoing: http.ServerResponse,
  { readerMs, streaming, ending }: ResponsePace,
): Promise<void> {
  const { status, body } = response;
  const head = headOf(response);
  if (isStream(body)) {
    streaming();
    outgoing.writeHead(status, head);
    await send(body, outgoing, readerMs);
    await ending();
    outgoing.end();
  } else {
    await ending();
    const isLarge = typeof body === 'string' && body.length > SLICE_CHARS;
    head.push('content-length', String(isLarge ? await byteLength(body) : Buffer.byteLength(body)));
    outgoing.writeHead(status, head);
    if (isLarge) await writeAll(slicesOf(body), outgoing, readerMs);
    const rest = isLarge ? '' : body;
    // A client that was too slow is not waited for.
    if (incoming.complete || response.headers.connection === 'close') {
      // A string is sent in one write with the head.
      outgoing.end(rest);
    } else {
      outgoing.write(rest);
      await discarded(incoming);
      outgoing.end();
    }
    if (outgoing.closed) return;
    const reading = setTimeout(() => outgoing.destroy(), readerMs);
    outgoing.once('close', () => clearTimeout(reading));
  }
}

/**
 * Resolves when the client has sent its request, or no longer does. Where the connection is to be closed, Node resets it at the end of a
 * response, and a client that is still sending would lose the response.
 */
function discarded(incoming: http.IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(waiting);
      resolve();
    };
    const waiting = setTimeout(done, DISCARD_MS);
    incoming.once('end', done).once('close', done).resume();
  });
}

/** Names and values in turn, in the order of the names. */
function headOf({ headers, cookies = [] }: OutgoingResponse): string[] {
  const head: string[] = [];
  for (const name of Object.keys(headers).sort()) head.push(name, headers[name] as string);
  for (const cookie of cookies) head.push('set-cookie', cookie);
  return head;
}

/** Other requests wait while a string is encoded: a millisecond for so many characters. */
const SLICE_CHARS = 1_048_576;

/** A text in slices that are each valid UTF-16. */
function* slicesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = at + SLICE_CHARS;
    const isInPair = (text.codePointAt(end - 1) ?? 0) > 0xffff;
    const slice = text.slice(at, isInPair ? end - 1 : end);
    yield slice;
    at += slice.length;
  }
}

/** The bytes of a long text, counted while other requests run. */
async function byteLength(text: string): Promise<number> {
  let bytes = 0;
  for (const slice of slicesOf(text)) {
    bytes += Buffer.byteLength(slice);
    await nextTurn();
  }
  return bytes;
}

async function send(body: BodyStream, outgoing: http.ServerResponse, readerMs: number): Promise<void> {
  // Also during the wait for a piece.
  outgoing.once('close', () => void body.return());
  await writeAll(body, outgoing, readerMs);
}

async function writeAll(
  pieces: Iterable<string> | BodyStream,
  outgoing: http.ServerResponse,
  readerMs: number,
): Promise<void> {
  for await (const piece of pieces) {
    if (outgoing.destroyed) return;
    if (!outgoing.write(piece)) await drained(outgoing, readerMs);
  }
}

function drained(outgoing: http.ServerResponse, readerMs: number): Promise<void> {
  return new Promise((resolve) => {
    // Removes both listeners: a long response to a slow reader waits many times.
    if (outgoing.closed) return;
    const reading = setTimeout(() => outgoing.destroy(), readerMs);
    const done = () => {
      clearTimeout(reading);
      outgoing.off('drain', done).off('close', done);
      resolve();
    };
    outgoing.on('drain', done).on('close', done);
  });
}
