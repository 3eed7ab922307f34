import { crc32 } from 'node:zlib';

/** A header whose value is a string. */
const STRING = 7;
const PRELUDE_BYTES = 8;
const CHECKSUM_BYTES = 4;

/**
 * A frame of `application/vnd.amazon.eventstream`: https://smithy.io/2.0/aws/amazon-eventstream.html
 *
 *     total length (4 bytes) | length of headers (4) | CRC of these 8 (4) | headers | body | CRC of all before (4)
 */
function frame(headers: Readonly<Record<string, string>>, body: string): Uint8Array {
  const parts = Object.entries(headers).map(([name, value]) => headerOf(name, value));
  const head = Buffer.concat(parts);
  const content = Buffer.from(body);
  const total = PRELUDE_BYTES + head.length + content.length + 2 * CHECKSUM_BYTES;
  const bytes = Buffer.alloc(total);
  bytes.writeUInt32BE(total, 0);
  bytes.writeUInt32BE(head.length, 4);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, PRELUDE_BYTES)), PRELUDE_BYTES);
  head.copy(bytes, PRELUDE_BYTES + CHECKSUM_BYTES);
  content.copy(bytes, PRELUDE_BYTES + CHECKSUM_BYTES + head.length);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, total - CHECKSUM_BYTES)), total - CHECKSUM_BYTES);
  return bytes;
}

function headerOf(name: string, value: string): Buffer {
  const [key, text] = [Buffer.from(name), Buffer.from(value)];
  const sizes = Buffer.from([key.length]);
  const type = Buffer.from([STRING, text.length >> 8, text.length & 0xff]);
  return Buffer.concat([sizes, key, type, text]);
}

const TYPE = { ':content-type': 'application/json' } as const;

/** An event, such as `messageStop`, with its JSON. */
export function eventFrame(type: string, json: string): Uint8Array {
  return frame({ ':event-type': type, ...TYPE, ':message-type': 'event' }, json);
}

/** An exception, such as `throttlingException`, which ends a stream. */
export function exceptionFrame(type: string, json: string): Uint8Array {
  return frame({ ':exception-type': type, ...TYPE, ':message-type': 'exception' }, json);
}
