import { boundJson, type JsonBounds, PARSE_BOUNDS } from '../../kernel/json/index.ts';
import { BedrockFailure } from '../../translation/index.ts';

/** Above the longest response of any model: 96 vectors of 3,072 numbers. */
const MAX_BYTES = 8 * 1024 * 1024;
/** A chat is translated, which takes longer than to parse it. */
const CHAT_BOUNDS: JsonBounds = { ...PARSE_BOUNDS, nodes: 40_000, values: 40_000 };
/** Longer than any event of a chat. */
const MAX_FRAME_BYTES = 1024 * 1024;
/** A frame begins with its length, that of its headers, and a checksum: https://smithy.io/2.0/aws/amazon-eventstream.html */
const LENGTH_BYTES = 4;
const LENGTHS_BYTES = 8;
const PRELUDE_BYTES = 12;
const CHECKSUM_BYTES = 4;

/** A response as the SDK may parse it: all at once, whatever it holds. @throws BedrockFailure `AnswerTooLarge` */
export async function* boundWhole(
  body: AsyncIterable<Uint8Array>,
  { isChat, status }: { readonly isChat: boolean; readonly status: number },
): AsyncGenerator<Uint8Array> {
  const received: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > MAX_BYTES) throw tooLarge(status);
    received.push(piece);
  }
  const whole = Buffer.concat(received);
  if (isChat) checkJson(whole, status);
  yield whole;
}

/** The frames of an event stream, each whole. The SDK keeps as many bytes as a frame announces. @throws BedrockFailure `AnswerTooLarge` */
export async function* boundFrames(body: AsyncIterable<Uint8Array>, status: number): AsyncGenerator<Uint8Array> {
  let received: Uint8Array[] = [];
  let bytes = 0;
  let needed = LENGTHS_BYTES;
  for await (const piece of body) {
    received.push(piece);
    bytes += piece.length;
    if (bytes < needed) continue;
    const all = Buffer.concat(received);
    let at = 0;
    needed = LENGTHS_BYTES;
    while (all.length - at >= LENGTHS_BYTES) {
      const length = Math.max(all.readUInt32BE(at), PRELUDE_BYTES + CHECKSUM_BYTES);
      if (length > MAX_FRAME_BYTES) throw tooLarge(status);
      needed = length;
      if (all.length - at < length) break;
      const payload = at + PRELUDE_BYTES + all.readUInt32BE(at + LENGTH_BYTES);
      checkJson(all.subarray(payload, at + length - CHECKSUM_BYTES), status);
      at += length;
      needed = LENGTHS_BYTES;
    }
    if (at > 0) yield all.subarray(0, at);
    received = [all.subarray(at)];
    bytes = all.length - at;
  }
  if (bytes > 0) yield Buffer.concat(received);
}

function checkJson(json: Buffer, status: number): void {
  try {
    boundJson(json.toString(), CHAT_BOUNDS);
  } catch (error) {
    // What is no JSON is left to the SDK.
    if (error instanceof RangeError) throw tooLarge(status);
  }
}

function tooLarge(status: number): BedrockFailure {
  return new BedrockFailure('AnswerTooLarge', '', status);
}
