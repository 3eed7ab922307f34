import { codeUnits } from '../pattern-engine/index.ts';

/** Only the first units of a longer word count: base64 and similar runs are no evidence. */
export const MAX_WORD_UNITS = 24;

export const SPACE = 0;
export const LETTER = 1;
const MARK = 2;
/** In scripts without spaces, each character is a token. */
export const IDEOGRAPH = 3;
/** The kind of each code unit. */
export const KINDS = kinds();

/**
 * Calls `take` with each token of a text: a word (letters, digits and apostrophes), an ideograph, or a run of one punctuation mark.
 * `units` holds the code units of the text.
 */
export function eachToken(
  text: string,
  take: (units: Uint16Array, start: number, end: number, isWord: boolean) => void,
): void {
  const units = codeUnits(text);
  const { length } = text;
  for (let at = 0; at < length; ) {
    const kind = KINDS[units[at] as number] as number;
    const start = at++;
    if (kind === SPACE) continue;
    at = tokenEnd(units, start, length, kind);
    take(units, start, at, kind === LETTER);
  }
}

/** The end of the token of this kind that starts at `start`. */
export function tokenEnd(units: Uint16Array, start: number, length: number, kind: number): number {
  let end = start + 1;
  if (kind === LETTER) while (end < length && KINDS[units[end] as number] === LETTER) end++;
  // A run of dashes is one mark, however long.
  else if (kind === MARK) while (end < length && units[end] === units[start]) end++;
  return end;
}

function kinds(): Uint8Array {
  const table = new Uint8Array(0x10000).fill(LETTER);
  const set = (first: number, last: number, kind: number) => table.fill(kind, first, last + 1);
  set(0x00, 0x7f, MARK);
  set(0x00, 0x20, SPACE);
  set(0x30, 0x39, LETTER);
  set(0x41, 0x5a, LETTER);
  set(0x61, 0x7a, LETTER);
  // Part of a word: don't, d'accord.
  set(0x27, 0x27, LETTER);
  set(0x80, 0xbf, MARK);
  set(0xa0, 0xa0, SPACE);
  set(0x2000, 0x206f, MARK);
  set(0x2000, 0x200f, SPACE);
  set(0x2190, 0x2bff, MARK);
  set(0x3000, 0x303f, MARK);
  set(0x3000, 0x3000, SPACE);
  set(0x3040, 0x30ff, IDEOGRAPH);
  set(0x3400, 0x9fff, IDEOGRAPH);
  set(0xf900, 0xfaff, IDEOGRAPH);
  set(0xff00, 0xff0f, MARK);
  return table;
}
