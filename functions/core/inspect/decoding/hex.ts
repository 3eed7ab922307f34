import { readBytes } from './read-bytes.ts';

const ZERO = 0x30;
const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;
const SMALL_X = 0x78;
/** Makes a letter small. */
const CASE_BIT = 0x20;
const NO_DIGIT = 16;
const DIGITS = digits();

/** Text written as pairs of hexadecimal digits, each behind `0x` or `\\x` or not, whatever stands between them. */
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

function digits(): Uint8Array {
  const table = new Uint8Array(128).fill(NO_DIGIT);
  for (let digit = 0; digit < 16; digit++) {
    for (const letter of [digit.toString(16), digit.toString(16).toUpperCase()]) table[letter.charCodeAt(0)] = digit;
  }
  return table;
}
