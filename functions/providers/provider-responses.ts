import type { HttpResponse } from '../core/base/http-client.ts';
import type { ChatDelta } from '../core/model/chat.ts';

/** A shorter key is a placeholder for a server that needs none, such as `none`, and may be a word of any message. */
const MIN_KEY_CHARS = 8;
const REDACTED = '[REDACTED]';

/** A provider's message without the key that the gateway called it with. */
export function withoutKey(message: string, apiKey = ''): string {
  return apiKey.length >= MIN_KEY_CHARS ? message.replaceAll(apiKey, REDACTED) : message;
}

/** A provider's response, with a body without that key. */
export function responseWithoutKey(response: HttpResponse, apiKey: string | undefined): HttpResponse {
  // A client's headers may be read only where they are asked for.
  return {
    status: response.status,
    get headers() {
      return response.headers;
    },
    body: bytesWithoutKey(response.body, apiKey),
  };
}

/** The same of all that a provider sends, in pieces cut anywhere: what may be the beginning of the key waits for the next piece. */
export async function* bytesWithoutKey(
  body: AsyncIterable<Uint8Array>,
  apiKey = '',
): AsyncGenerator<Uint8Array, void, void> {
  if (apiKey.length < MIN_KEY_CHARS) {
    yield* body;
    return;
  }
  const key = Buffer.from(apiKey);
  let held: Buffer = Buffer.alloc(0);
  for await (const bytes of body) {
    let rest =
      held.length === 0 ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) : Buffer.concat([held, bytes]);
    for (let at = rest.indexOf(key); at !== -1; at = rest.indexOf(key)) {
      yield rest.subarray(0, at);
      yield Buffer.from(REDACTED);
      rest = rest.subarray(at + key.length);
    }
    const end = beginningOf(key, rest);
    if (end > 0) yield rest.subarray(0, end);
    held = rest.subarray(end);
  }
  if (held.length > 0) yield held;
}

/** Where the bytes end with a beginning of the key; their length where they do not. */
function beginningOf(key: Buffer, bytes: Buffer): number {
  const [first] = key;
  for (let at = Math.max(0, bytes.length - key.length + 1); at < bytes.length; at += 1) {
    at = bytes.indexOf(first as number, at);
    if (at === -1) break;
    if (bytes.subarray(at).equals(key.subarray(0, bytes.length - at))) return at;
  }
  return bytes.length;
}

/** Reads the chunks of one streamed answer, in order. */
export interface ChunkReader {
  /** @throws GatewayError where the text is no chunk */
  read(json: string): ChatDelta[];
}

/** The steps that a stream's chunks give, batch by batch: up to the first that cannot be read, however they came together. */
export async function* readDeltas(
  reader: ChunkReader,
  chunks: AsyncIterable<readonly string[]>,
): AsyncGenerator<ChatDelta[]> {
  for await (const batch of chunks) {
    const { deltas, failure } = readBatch(reader, batch);
    if (deltas.length > 0) yield deltas;
    if (failure !== undefined) throw failure;
  }
}

function readBatch(reader: ChunkReader, batch: readonly string[]): { deltas: ChatDelta[]; failure?: unknown } {
  const deltas: ChatDelta[] = [];
  try {
    for (const json of batch) deltas.push(...reader.read(json));
    return { deltas };
  } catch (failure) {
    return { deltas, failure };
  }
}
