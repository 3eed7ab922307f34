const UTF_8 = new TextDecoder('utf-8');
const UTF_16 = new TextDecoder('utf-16le');
const UTF_16_BIG = new TextDecoder('utf-16be');
/** Shorter texts carry no instruction. */
const MIN_TEXT_UNITS = 8;
/**
 * Characters that no text holds: a few may come from what stands glued to the payload, more say that it is no text. Of a
 * short one fewer, since many a name of twenty letters or more decodes to a dozen odd characters.
 */
const MAX_ODD = 3;
const MAX_ODD_SHARE = 1 / 16;
const UNITS_AN_ODD = 12;
const ODD_CHARACTERS = /[^\P{Cc}\t\n\r]|\ufffd/gu;
const PROBE_BYTES = 64;
/** Whether bytes are text shows in so many of the first ones: those probed, and the rest of the last character. */
export const TELLING_BYTES = PROBE_BYTES + 3;

/** Bytes as text, or undefined where they are mostly something else: UTF-8, or the UTF-16 of PowerShell or of UTF-7. */
export function readBytes(bytes: Uint8Array): string | undefined {
  if (looksBinary(bytes)) return undefined;
  const text = decoderOf(bytes).decode(bytes);
  if (text.length < MIN_TEXT_UNITS) return undefined;
  const odd = text.match(ODD_CHARACTERS)?.length ?? 0;
  const glued = Math.min(MAX_ODD, Math.floor(text.length / UNITS_AN_ODD));
  return odd <= glued + Math.floor(text.length * MAX_ODD_SHARE) ? text : undefined;
}

function decoderOf(bytes: Uint8Array) {
  if (hasZeroBytes(bytes, 1)) return UTF_16;
  return hasZeroBytes(bytes, 0) ? UTF_16_BIG : UTF_8;
}

/** A cheap first look, since most runs that look encoded are names, paths and hashes. `TELLING_BYTES` of them say as much as all. */
export function looksBinary(bytes: Uint8Array): boolean {
  if (hasZeroBytes(bytes, 1) || hasZeroBytes(bytes, 0)) return false;
  const probed = Math.min(bytes.length, PROBE_BYTES);
  const most = MAX_ODD + probed * MAX_ODD_SHARE;
  let odd = 0;
  for (let at = 0; at < probed; ) {
    const length = characterLength(bytes, at);
    // Drawn bytes say so after a dozen.
    if (length === 0 && ++odd > most) return true;
    at += Math.max(1, length);
  }
  return false;
}

/** Bytes of the UTF-8 character at an index; 0 where there is none that texts hold. One cut off at the end counts as whole. */
function characterLength(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] as number;
  if (byte < 0x80) return byte === 0x7f || (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) ? 0 : 1;
  if (byte < 0xc2 || byte > 0xf4) return 0;
  const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
  const end = Math.min(at + length, bytes.length);
  for (let next = at + 1; next < end; next++) if (((bytes[next] as number) & 0xc0) !== 0x80) return 0;
  return length;
}

/** Whether much of every other byte is zero, as it is in UTF-16; `from` is 0 or 1. */
function hasZeroBytes(bytes: Uint8Array, from: number): boolean {
  const probed = Math.min(bytes.length & ~1, PROBE_BYTES);
  let zeros = 0;
  for (let at = from; at < probed; at += 2) if (bytes[at] === 0) zeros++;
  return probed > 0 && zeros > probed / 4;
}
