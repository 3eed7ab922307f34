import type { Steps } from '../../kernel/tasks/index.ts';
import { hexByte } from './find-files.ts';

const [EQUALS, UNDERSCORE, SPACE, TAB, CARRIAGE_RETURN, LINE_FEED] = [0x3d, 0x5f, 0x20, 0x09, 0x0d, 0x0a] as const;
/** These bytes take about a millisecond. */
const STEP_BYTES = 64 * 1024;

/**
 * The bytes of quoted-printable text (RFC 2045, 6.7), as leniently as readers decode it: small letters, white space before the end of a
 * soft line break, broken escapes unchanged.
 */
export function* fromQuotedPrintable(text: string): Steps<Uint8Array> {
  const bytes = Buffer.from(text);
  let length = 0;
  let next = STEP_BYTES;
  for (let at = 0; at < bytes.length; at += 1) {
    if (at >= next) {
      next += STEP_BYTES;
      yield;
    }
    const code = bytes[at] === EQUALS ? hexByte(bytes, at + 1) : -1;
    const softEnd = bytes[at] === EQUALS && code < 0 ? softBreakEnd(bytes, at + 1) : -1;
    if (softEnd >= 0) at = softEnd - 1;
    else {
      bytes[length] = code < 0 ? (bytes[at] as number) : code;
      length += 1;
      if (code >= 0) at += 2;
    }
  }
  return bytes.subarray(0, length);
}

/** The bytes of the `Q` encoding of header fields (RFC 2047, 4.2), in which `_` is a space. */
export function fromQuotedWord(text: string): Uint8Array {
  const bytes = Buffer.from(text);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    const code = byte === EQUALS ? hexByte(bytes, at + 1) : byte === UNDERSCORE ? SPACE : -1;
    bytes[length] = code < 0 ? byte : code;
    length += 1;
    if (byte === EQUALS && code >= 0) at += 2;
  }
  return bytes.subarray(0, length);
}

/** Where the line after a soft line break begins; -1 if there is none. */
function softBreakEnd(bytes: Buffer, from: number): number {
  let at = from;
  while (bytes[at] === SPACE || bytes[at] === TAB) at += 1;
  if (at >= bytes.length) return at;
  if (bytes[at] === CARRIAGE_RETURN) return bytes[at + 1] === LINE_FEED ? at + 2 : at + 1;
  return bytes[at] === LINE_FEED ? at + 1 : -1;
}
