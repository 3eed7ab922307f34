import type http from 'node:http';
import { FRONT_DOOR_HEADERS } from '../adapters/aws/front-door.ts';
import { GatewayError } from '../kernel/errors/index.ts';
import { HeaderList, type IncomingRequest, toAddress, tooLarge } from '../kernel/http/index.ts';

/** The origin of a request target in absolute form, which a server must accept (RFC 9112, 3.2.2). It has no effect, like `Host`. */
const ORIGIN = /^https?:\/\/[^/?#\\]+/i;
/** 100 KB a second: slower than any network that uploads files of many megabytes. */
const SLOWEST_BYTES_PER_MS = 100;
/** For a body whose length the client does not send. */
const FIRST_ROOM_BYTES = 16_384;
/** No client gets more room for a length that it only claims. */
const MAX_FIRST_ROOM_BYTES = 262_144;
/** A distribution, a tracer and a client's SDK send some 40 headers together. */
export const MAX_HEADERS = 200;

/** The request, or an error for an unsupported head. */
export function toRequest(
  incoming: http.IncomingMessage,
  maxBodyBytes: number,
  bodyMs: number,
): IncomingRequest | GatewayError {
  const { method = 'GET', url = '/', rawHeaders } = incoming;
  if (rawHeaders.length > 2 * MAX_HEADERS) return headTooLarge(`${MAX_HEADERS} headers`);
  const coding = incoming.headers['transfer-encoding'];
  // Node decodes chunks only.
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return new GatewayError('invalid_value', "The only supported 'Transfer-Encoding' is chunked.");
  const headers = new HeaderList(pairs(rawHeaders));
  return {
    method,
    url: toAddress(URL.canParse(url) ? url.replace(ORIGIN, '') : url),
    headers,
    bytes: () => readBytes(incoming, maxBodyBytes, bodyMs),
  };
}

function pairs(list: readonly string[]): [string, string][] {
  const paired: [string, string][] = [];
  for (let at = 0; at < list.length; at += 2) {
    const [name, value] = [list[at] as string, list[at + 1] as string];
    if (!FRONT_DOOR_HEADERS.has(name.toLowerCase())) paired.push([name, value]);
  }
  return paired;
}

function readBytes(incoming: http.IncomingMessage, maxBytes: number, bodyMs: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    // One buffer: a client could send a chunk for each byte.
    const declared = Number(incoming.headers['content-length'] ?? FIRST_ROOM_BYTES);
    let room = Buffer.allocUnsafe(Math.min(declared, MAX_FIRST_ROOM_BYTES));
    let size = 0;
    const startedAt = performance.now();
    const look = () => {
      const left = bodyMs + size / SLOWEST_BYTES_PER_MS - (performance.now() - startedAt);
      if (left > 0) timer = setTimeout(look, Math.max(1, left));
      else reject(tooSlow());
    };
    let timer = setTimeout(look, bodyMs);
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      // Discards the rest, so that the client can read the response.
      if (size > maxBytes) {
        reject(tooLarge(maxBytes));
        return;
      }
      if (size > room.length) room = Buffer.concat([room], Math.max(size, 2 * room.length));
      room.set(chunk, size - chunk.length);
    });
    incoming.once('close', () => clearTimeout(timer));
    incoming.once('end', () => resolve(room.subarray(0, size)));
    // The client disconnected while sending: not a server error.
    incoming.once('error', () => reject(new GatewayError('request_cancelled', 'The request was cancelled.')));
  });
}

export function tooSlow(): GatewayError {
  return new GatewayError('request_timeout', 'The request was too slow, and was not read completely.', {
    headers: { connection: 'close' },
  });
}

export function headTooLarge(limit: string): GatewayError {
  return new GatewayError('headers_too_large', `The request has more than ${limit}, the maximum.`);
}
