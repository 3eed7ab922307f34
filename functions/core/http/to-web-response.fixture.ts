import { isStream, type OutgoingBody, type OutgoingResponse } from './responses.ts';

/** A response as a client gets it. */
export function toWebResponse({ status, headers, cookies = [], body }: OutgoingResponse): Response {
  const all = new Headers(headers);
  for (const cookie of cookies) all.append('set-cookie', cookie);
  return new Response(toWebBody(body), { status, headers: all });
}

function toWebBody(body: OutgoingBody): ReadableStream<Uint8Array> | string | Uint8Array<ArrayBuffer> | null {
  if (body === '') return null;
  if (isStream(body)) return ReadableStream.from(body).pipeThrough(new TextEncoderStream());
  return typeof body === 'string' ? body : new Uint8Array(body);
}
