/**
 * A character as JSON and programs escape it: `\u0041`, a pair of these, `\u{41}`, `\x41`, `\/`. A JSON text within another doubles
 * the backslashes.
 */
const ESCAPE =
  /\\{1,8}(?:(\/)|u\{([\da-fA-F]{1,6})\}|u([dD][89abAB][\da-fA-F]{2})\\{1,8}u([dD][c-fC-F][\da-fA-F]{2})|u([\da-fA-F]{4})|x([0-7][\da-fA-F]))/y;
/** The beginning of one, up to the end of the text. */
const UNFINISHED =
  /^\\{1,8}(?:u(?:\{[\da-fA-F]{0,6}|[\da-fA-F]{0,3}|[dD][89abAB][\da-fA-F]{2}(?:\\{1,8}(?:u(?:[dD](?:[c-fC-F][\da-fA-F]?)?)?)?)?)?|x[0-7]?)?$/;
/** The longest of these. */
const MAX_UNFINISHED = 8 + 5 + 8 + 4;
const LETTER = /^[a-z]$/i;

export interface Escape {
  readonly character: string;
  readonly end: number;
}

/** The escape at a backslash; undefined where it is none, `unfinished` where more text decides. */
export function escapeAt(text: string, at: number): Escape | 'unfinished' | undefined {
  if (text.length - at <= MAX_UNFINISHED && UNFINISHED.test(text.slice(at))) return 'unfinished';
  return wholeEscapeAt(text, at);
}

/** The same where no more text comes. */
export function wholeEscapeAt(text: string, at: number): Escape | undefined {
  ESCAPE.lastIndex = at;
  const match = ESCAPE.exec(text);
  if (match === null) return undefined;
  const [, slash, braced, high, low, unit, byte] = match;
  const end = ESCAPE.lastIndex;
  if (slash !== undefined) return { character: slash, end };
  if (high !== undefined) return { character: String.fromCharCode(hex(high), hex(low)), end };
  const codePoint = hex(braced ?? unit ?? byte);
  return codePoint > 0x10ffff ? undefined : { character: String.fromCodePoint(codePoint), end };
}

/** Whether an escape hides an ASCII letter. Of other letters, JSON in ASCII has no other way to write them. */
export function hidesLetters(raw: string): boolean {
  for (let at = raw.indexOf('\\'); at !== -1; ) {
    const found = wholeEscapeAt(raw, at);
    if (found !== undefined && LETTER.test(found.character)) return true;
    at = raw.indexOf('\\', found?.end ?? at + 1);
  }
  return false;
}

function hex(digits = ''): number {
  return Number.parseInt(digits, 16);
}
