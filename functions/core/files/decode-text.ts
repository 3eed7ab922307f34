/** The text of a file. */
export interface DecodedText {
  readonly text: string;
  /** The bytes are valid UTF-8: the text can be written back without changing any other byte. */
  readonly isUtf8: boolean;
}

/** Text has hardly any control characters; of compressed and encrypted bytes one in nine is one, more in most formats. */
const MAX_CONTROL_SHARE = 0.05;
/** Of Western text so much is ASCII at least; anything that is less is no Latin-1. */
const MIN_ASCII_SHARE = 0.7;
/** Text in a script of the Basic Multilingual Plane has a zero in every second byte of its spaces and ASCII letters. */
const UTF16_SAMPLE_BYTES = 1024;
const UTF16_ZERO_SHARE = 0.3;

const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const LENIENT_UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });
const LATIN1 = new TextDecoder('latin1');

/**
 * The text that bytes hold, whatever their media type says; undefined where they are no readable text.
 * @param declared the charset that their sender names: tried where the bytes are not UTF-8
 */
export function decodeText(bytes: Uint8Array, declared?: string): DecodedText | undefined {
  const utf16 = utf16Of(bytes);
  if (utf16 !== undefined) return readable(new TextDecoder(utf16).decode(bytes), false);
  if (!isUtf16(declared) && !hasFewControls(bytes)) return undefined;
  const strict = attempt(STRICT_UTF8, bytes);
  if (strict !== undefined && hasFewControls(bytes)) return { text: strict, isUtf8: true };
  const named = declaredDecoder(declared);
  const asDeclared = named && readable(attempt(named, bytes), false);
  if (asDeclared !== undefined) return asDeclared;
  // One broken character does not make a text Latin-1.
  const lenient = LENIENT_UTF8.decode(bytes);
  const isMostlyUtf8 = /[\u0080-\ufffc]/.test(lenient);
  const asUtf8 = isMostlyUtf8 ? readable(lenient, false) : undefined;
  return asUtf8 ?? (isMostlyAscii(bytes) ? readable(LATIN1.decode(bytes), false) : undefined);
}

/** UTF-16 by its byte order mark, or by the zeros of its ASCII letters. */
function utf16Of(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const length = Math.min(bytes.length, UTF16_SAMPLE_BYTES);
  const zeros: [number, number] = [0, 0];
  for (let at = 0; at < length; at += 1) if (bytes[at] === 0) zeros[at % 2 === 0 ? 0 : 1] += 1;
  const [even, odd] = zeros.map((count) => count / (length / 2)) as [number, number];
  if (odd >= UTF16_ZERO_SHARE && even < MAX_CONTROL_SHARE) return 'utf-16le';
  return even >= UTF16_ZERO_SHARE && odd < MAX_CONTROL_SHARE ? 'utf-16be' : undefined;
}

function isUtf16(charset: string | undefined): boolean {
  return charset !== undefined && /^utf-?16/i.test(charset);
}

function hasFewControls(bytes: Uint8Array): boolean {
  const most = bytes.length * MAX_CONTROL_SHARE;
  let controls = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if (!isControl(bytes[at] as number)) continue;
    controls += 1;
    if (controls > most) return false;
  }
  return true;
}

function isMostlyAscii(bytes: Uint8Array): boolean {
  let ascii = 0;
  for (let at = 0; at < bytes.length; at += 1) if ((bytes[at] as number) < 0x80) ascii += 1;
  return ascii >= bytes.length * MIN_ASCII_SHARE;
}

function readable(text: string | undefined, isUtf8: boolean): DecodedText | undefined {
  if (text === undefined) return undefined;
  const most = text.length * MAX_CONTROL_SHARE;
  let controls = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isControl(code) || code === 0xfffd) controls += 1;
    if (controls > most) return undefined;
  }
  return { text, isUtf8 };
}

/** Control characters but for those that text files use: tab to carriage return, and escape. */
function isControl(code: number): boolean {
  return (code < 0x20 && (code < 0x08 || code > 0x0d) && code !== 0x1b) || code === 0x7f;
}

function declaredDecoder(charset: string | undefined): typeof STRICT_UTF8 | undefined {
  if (charset === undefined) return undefined;
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    return undefined;
  }
}

function attempt(decoder: typeof STRICT_UTF8, bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
