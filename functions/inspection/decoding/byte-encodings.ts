const UTF_8 = new TextDecoder('utf-8');
const UTF_16 = new TextDecoder('utf-16le');
const UTF_16_BIG = new TextDecoder('utf-16be');
/** Shorter texts contain no instruction. */
const MIN_TEXT_UNITS = 8;
/**
 * Characters that text does not contain. A few may come from characters around the payload; more mean that it is not text. Short runs may
 * have fewer, since many a name of twenty letters or more decodes to about a dozen odd characters.
 */
const MAX_ODD = 3;
const MAX_ODD_SHARE = 1 / 16;
const UNITS_AN_ODD = 12;
const ODD_CHARACTERS = /[^\P{Cc}\t\n\r]|\ufffd/gu;
const PROBE_BYTES = 64;
/** Leading bytes that decide whether bytes are text: the probed ones and the rest of the last character. */
const DECIDING_BYTES = PROBE_BYTES + 3;

/** Decodes bytes as text (UTF-8, or UTF-16 as in PowerShell or UTF-7); undefined if they are mostly something else. */
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

/** A cheap first check, since most runs that look encoded are names, paths and hashes. The first `DECIDING_BYTES` decide. */
function looksBinary(bytes: Uint8Array): boolean {
  if (hasZeroBytes(bytes, 1) || hasZeroBytes(bytes, 0)) return false;
  const probed = Math.min(bytes.length, PROBE_BYTES);
  const most = MAX_ODD + probed * MAX_ODD_SHARE;
  let odd = 0;
  for (let at = 0; at < probed; ) {
    const length = characterLength(bytes, at);
    // Random bytes are recognised after a dozen.
    if (length === 0 && ++odd > most) return true;
    at += Math.max(1, length);
  }
  return false;
}

/** Length of the UTF-8 character at an index; 0 if text does not contain it. One that is cut off at the end counts as complete. */
function characterLength(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] as number;
  if (byte < 0x80) return byte === 0x7f || (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) ? 0 : 1;
  if (byte < 0xc2 || byte > 0xf4) return 0;
  const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
  const end = Math.min(at + length, bytes.length);
  for (let next = at + 1; next < end; next++) if (((bytes[next] as number) & 0xc0) !== 0x80) return 0;
  return length;
}

/** Whether most of every other byte is zero, as in UTF-16; `from` is 0 or 1. */
function hasZeroBytes(bytes: Uint8Array, from: number): boolean {
  const probed = Math.min(bytes.length & ~1, PROBE_BYTES);
  let zeros = 0;
  for (let at = from; at < probed; at += 2) if (bytes[at] === 0) zeros++;
  return probed > 0 && zeros > probed / 4;
}

const BASE64_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const NO_VALUE = 64;
const BASE64_VALUES = base64Values();
/** Values that decode to DECIDING_BYTES, for any alignment. */
const DECIDING_VALUES = Math.ceil((DECIDING_BYTES * 8) / 6) + 4;
/** Shorter runs are too often names to try disguises on them. */
const MIN_DISGUISED = 28;
const LETTERS = 26;

/**
 * Text in base64, in both alphabets, with or without padding; undefined if the run contains none. Also undoes a reversed run and ROT13:
 * the result is not text, but its letters are distributed as in base64, unlike those of a name.
 */
export function readBase64(run: string): string | undefined {
  const values = valuesOf(run);
  const text = readValues(values);
  if (text !== undefined) return text;
  const isName = run.length < MIN_DISGUISED || !/[0-9]/.test(run) || !/[A-Z]/.test(run) || !/[a-z]/.test(run);
  return isName ? undefined : (readValues(values.toReversed()) ?? readValues(values.map(shifted)));
}

/**
 * Decodes a run at each of the four alignments, since it may begin with characters that are not part of the payload (a path before it,
 * a letter attached to it).
 */
function readValues(values: Uint8Array): string | undefined {
  const probed = values.subarray(0, DECIDING_VALUES);
  for (let skipped = 0; skipped < 4; skipped++) {
    if (looksBinary(toBytes(probed, skipped))) continue;
    const text = readBytes(toBytes(values, skipped));
    if (text !== undefined) return text;
  }
  return undefined;
}

/** The values of the letters, without line ends and padding. */
function valuesOf(run: string): Uint8Array {
  const values = new Uint8Array(run.length);
  let count = 0;
  for (let at = 0; at < run.length; at++) {
    const value = BASE64_VALUES[run.charCodeAt(at)] ?? NO_VALUE;
    if (value !== NO_VALUE) values[count++] = value;
  }
  return values.subarray(0, count);
}

/** ROT13 of a value's letter. */
function shifted(value: number): number {
  if (value >= 2 * LETTERS) return value;
  const first = value < LETTERS ? 0 : LETTERS;
  return first + ((value - first + LETTERS / 2) % LETTERS);
}

function toBytes(values: Uint8Array, skipped: number): Uint8Array {
  const bytes = new Uint8Array(Math.max(0, ((values.length - skipped) * 6) >> 3));
  let bits = 0;
  let held = 0;
  let filled = 0;
  for (let at = skipped; at < values.length && filled < bytes.length; at++) {
    bits = ((bits << 6) | (values[at] as number)) & 0xffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes[filled++] = bits >> held;
    }
  }
  return bytes;
}

function base64Values(): Uint8Array {
  const table = new Uint8Array(128).fill(NO_VALUE);
  for (let value = 0; value < BASE64_ALPHABET.length; value++) table[BASE64_ALPHABET.charCodeAt(value)] = value;
  table['-'.charCodeAt(0)] = 62;
  table['_'.charCodeAt(0)] = 63;
  return table;
}

const ZERO = 0x30;
const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;
const SMALL_X = 0x78;
/** Converts a letter to lower case. */
const CASE_BIT = 0x20;
const NO_DIGIT = 16;
const DIGITS = hexDigits();

/** Text as pairs of hexadecimal digits, each with or without `0x` or `\\x`, with any separators. */
export function readHex(run: string): string | undefined {
  const bytes = new Uint8Array(run.length >> 1);
  let filled = 0;
  let high = NO_DIGIT;
  for (let at = 0; at < run.length; at++) {
    const unit = run.charCodeAt(at);
    const digit = digitOf(unit);
    if (digit === NO_DIGIT || (unit === ZERO && (run.charCodeAt(at + 1) | CASE_BIT) === SMALL_X)) continue;
    if (high === NO_DIGIT) high = digit;
    else {
      bytes[filled++] = (high << 4) | digit;
      high = NO_DIGIT;
    }
  }
  return readBytes(bytes.subarray(0, filled));
}

/** A word of hexadecimal digits; a long one is an id. */
const HEX_WORD = /^(?=[0-9]*[a-f])[0-9a-f]+$/i;
const FEWEST_HEX_DIGITS = 16;

/** Whether a word is a number in hexadecimal digits that is no text in any encoding. */
export function isHexNumber(word: string): boolean {
  return word.length >= FEWEST_HEX_DIGITS && HEX_WORD.test(word) && readHex(word) === undefined;
}

/** Text in URL encoding. */
export function readPercents(run: string): string | undefined {
  const bytes = new Uint8Array(run.length);
  let filled = 0;
  for (let at = 0; at < run.length; at++) {
    const unit = run.charCodeAt(at);
    const [high, low] = unit === PERCENT ? [digitAt(run, at + 1), digitAt(run, at + 2)] : [NO_DIGIT, NO_DIGIT];
    if (high !== NO_DIGIT && low !== NO_DIGIT) {
      bytes[filled++] = (high << 4) | low;
      at += 2;
    } else bytes[filled++] = unit === PLUS ? SPACE : unit;
  }
  return readBytes(bytes.subarray(0, filled));
}

function digitAt(run: string, at: number): number {
  return at < run.length ? digitOf(run.charCodeAt(at)) : NO_DIGIT;
}

function digitOf(unit: number): number {
  return DIGITS[unit] ?? NO_DIGIT;
}

function hexDigits(): Uint8Array {
  const table = new Uint8Array(128).fill(NO_DIGIT);
  for (let digit = 0; digit < 16; digit++) {
    for (const letter of [digit.toString(16), digit.toString(16).toUpperCase()]) table[letter.charCodeAt(0)] = digit;
  }
  return table;
}

const BASE32_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Text in RFC 4648 base32, upper or lower case; undefined if the run contains none. */
export function readBase32(run: string): string | undefined {
  // In encoded text about every fifth letter is a digit, and case is not mixed.
  if (!/[2-7]/.test(run.slice(0, 64)) || /[a-z]/.test(run) === /[A-Z]/.test(run)) return undefined;
  const letters = run.replace(/[\s=]/g, '').toUpperCase();
  const bytes = new Uint8Array(Math.floor((letters.length * 5) / 8));
  let bits = 0;
  let held = 0;
  let filled = 0;
  for (const letter of letters) {
    bits = ((bits << 5) | BASE32_ALPHABET.indexOf(letter)) & 0xfff;
    held += 5;
    if (held < 8) continue;
    held -= 8;
    bytes[filled++] = bits >> held;
  }
  return readBytes(bytes);
}
