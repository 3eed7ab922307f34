import type { GatewayError } from '../../kernel/errors/index.ts';
import { type ChatDelta, MIN_KEY_CHARS, REDACTED_KEY } from '../../kernel/model/index.ts';
import { errorIn } from './error-body.ts';
import { errorInResponse, readBounded, toBrokenResponse } from './provider-failures.ts';

/** A provider's message with the gateway's key for it redacted. */
export function withoutKey(message: string, apiKey = ''): string {
  return apiKey.length >= MIN_KEY_CHARS ? message.replaceAll(apiKey, REDACTED_KEY) : message;
}

/** A body with that key redacted; `onKey` is called for the first. A piece that may end with the start of the key waits for the next piece. */
export async function* bytesWithoutKey(
  body: AsyncIterable<Uint8Array>,
  apiKey = '',
  onKey?: () => void,
): AsyncGenerator<Uint8Array, void, void> {
  if (apiKey.length < MIN_KEY_CHARS) {
    yield* body;
    return;
  }
  const key = Buffer.from(apiKey);
  let held: Buffer = Buffer.alloc(0);
  let isFirst = true;
  for await (const bytes of body) {
    let rest =
      held.length === 0 ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) : Buffer.concat([held, bytes]);
    for (let at = rest.indexOf(key); at !== -1; at = rest.indexOf(key)) {
      if (isFirst) onKey?.();
      isFirst = false;
      yield rest.subarray(0, at);
      yield Buffer.from(REDACTED_KEY);
      rest = rest.subarray(at + key.length);
    }
    const end = beginningOf(key, rest);
    if (end > 0) yield rest.subarray(0, end);
    held = rest.subarray(end);
  }
  if (held.length > 0) yield held;
}

/** The offset at which the bytes end with a prefix of the key; their length if they do not. */
function beginningOf(key: Buffer, bytes: Buffer): number {
  const [first] = key;
  for (let at = Math.max(0, bytes.length - key.length + 1); at < bytes.length; at += 1) {
    at = bytes.indexOf(first as number, at);
    if (at === -1) break;
    if (bytes.subarray(at).equals(key.subarray(0, bytes.length - at))) return at;
  }
  return bytes.length;
}

/** The JSON texts before the first that is an error of the provider, and that error. */
export function untilError(provider: string, texts: readonly string[]): { before: string[]; failure?: GatewayError } {
  for (const [at, text] of texts.entries()) {
    const error = errorIn(text);
    if (error !== undefined) return { before: texts.slice(0, at), failure: errorInResponse(provider, error) };
  }
  return { before: [...texts] };
}

/** A whole body as text. @throws GatewayError if it breaks off, or is an error of the provider with a status of success */
export async function readWhole(provider: string, body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  let text: string;
  try {
    text = await readBounded(body, maxBytes);
  } catch (error) {
    throw toBrokenResponse(provider, error);
  }
  const { failure } = untilError(provider, [text]);
  if (failure !== undefined) throw failure;
  return text;
}

/** Parses the chunks of one streamed response, in order. */
export interface ChunkReader {
  /** @throws GatewayError if the text is not a chunk */
  read(json: string): ChatDelta[];
}

/** The deltas of a stream's chunks, batch by batch, up to the first chunk that cannot be parsed. */
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
