import { isStream, type OutgoingBody, type OutgoingResponse } from './responses.ts';

/** A response as a client gets it. */
export function toWebResponse({ status, headers, cookies = [], body }: OutgoingResponse): Response {
  const all = new Headers(headers);
  for (const cookie of cookies) all.append('set-cookie', cookie);
  return new Response(toWebBody(body), { status, headers: all });
}

function toWebBody(body: OutgoingBody): ReadableStream<Uint8Array> | string | Uint8Array<ArrayBuffer> | null {
  if (body === '') return null;
  if (isStream(body)) return ReadableStream.from(body).pipeThrough(toBytes());
  return typeof body === 'string' ? body : new Uint8Array(body);
}

function toBytes(): TransformStream<string | Uint8Array, Uint8Array> {
  const encoder = new TextEncoder();
  return new TransformStream({
    transform: (piece, out) => out.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece),
  });
}
