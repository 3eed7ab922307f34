import { type CharSet, complement, DIGITS, NOT_WORD_CHARS, SPACES, WORD_CHARS } from './char-set.ts';

/** Escapes that stand for a class of characters. */
export const SET_ESCAPES: ReadonlyMap<string, CharSet> = new Map([
  ['d', DIGITS],
  ['D', complement(DIGITS)],
  ['w', WORD_CHARS],
  ['W', NOT_WORD_CHARS],
  ['s', SPACES],
  ['S', complement(SPACES)],
]);
export const CONTROL_ESCAPES: ReadonlyMap<string, number> = new Map([
  ['t', 0x09],
  ['n', 0x0a],
  ['r', 0x0d],
  ['f', 0x0c],
  ['v', 0x0b],
]);
/** Escapes that a code unit follows, and its length in hexadecimal digits. */
export const HEX_ESCAPE_LENGTHS: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
]);
/** What a backslash makes literal: ASCII punctuation. */
export const ESCAPABLE = /^[!-/:-@[-`{-~]$/;

/** Why an escape with this letter is refused. */
export function escapeProblem(char: string): string {
  if (/[1-9]/.test(char)) return `backreferences (\\${char}) are not supported`;
  if (char === 'k') return 'named backreferences (\\k) are not supported';
  if (char === 'b' || char === 'B') return `\\${char} has no meaning in a class`;
  return `the escape \\${char} is not supported`;
}
