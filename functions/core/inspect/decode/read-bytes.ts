const UTF_8 = new TextDecoder('utf-8');
const UTF_16 = new TextDecoder('utf-16le');
const UTF_16_BIG = new TextDecoder('utf-16be');
/** Shorter texts carry no instruction. */
const MIN_TEXT_UNITS = 8;
/** Characters that no text holds: a few may come from what stands glued to the payload, more say that it is no text. */
const MAX_ODD = 3;
const MAX_ODD_SHARE = 1 / 16;
const ODD_CHARACTERS = /[^\P{Cc}\t\n\r]|\ufffd/gu;
const PROBE_BYTES = 64;

/** Bytes as text, or undefined where they are mostly something else: UTF-8, or the UTF-16 of PowerShell or of UTF-7. */
export function readBytes(bytes: Uint8Array): string | undefined {
  if (looksBinary(bytes)) return undefined;
  const text = decoderOf(bytes).decode(bytes);
  if (text.length < MIN_TEXT_UNITS) return undefined;
  const odd = text.match(ODD_CHARACTERS)?.length ?? 0;
  return odd <= MAX_ODD + text.length * MAX_ODD_SHARE ? text : undefined;
}

function decoderOf(bytes: Uint8Array) {
  if (hasZeroBytes(bytes, 1)) return UTF_16;
  return hasZeroBytes(bytes, 0) ? UTF_16_BIG : UTF_8;
}

/** A cheap first look, since most runs that look encoded are names, paths and hashes. */
function looksBinary(bytes: Uint8Array): boolean {
  if (hasZeroBytes(bytes, 1) || hasZeroBytes(bytes, 0)) return false;
  const probed = Math.min(bytes.length, PROBE_BYTES);
  let odd = 0;
  for (let at = 0; at < probed; at++) {
    const byte = bytes[at] ?? 0;
    if ((byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) || byte === 0x7f || byte >= 0xf8) odd++;
  }
  return odd > MAX_ODD + probed * MAX_ODD_SHARE;
}

/** Whether much of every other byte is zero, as it is in UTF-16; `from` is 0 or 1. */
function hasZeroBytes(bytes: Uint8Array, from: number): boolean {
  const probed = Math.min(bytes.length & ~1, PROBE_BYTES);
  let zeros = 0;
  for (let at = from; at < probed; at += 2) if (bytes[at] === 0) zeros++;
  return probed > 0 && zeros > probed / 4;
}
