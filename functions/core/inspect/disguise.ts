import type { Signal } from './rule.ts';
import { isInvisible, isTag, toExact, toFolded } from './view/read-character.ts';
import { isAscii } from './view/text-view.ts';

const ASCII_LETTERS = /^[a-z]+$/i;
/** Latin letters that languages write, phonetic and small capital forms left out. */
const WRITTEN_LATIN = /[\p{Script=Latin}--[\u0250-\u02af\u1d00-\u1d7f\ua720-\ua7ff]]/v;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** How the raw text of a match hid it from a plain reading; empty for honest text, accents and other scripts included. */
export function disguisesOf(raw: string): readonly Signal[] {
  if (isAscii(raw)) return [];
  const found: Signal[] = [];
  const characters = [...raw];
  if (characters.some((character) => isInvisible(character) && !isTag(character.codePointAt(0) ?? 0))) {
    found.push('invisible');
  }
  if (characters.some(isStyledLetter) || raw.match(WORD)?.some(mixesLookAlikes)) found.push('lookalike');
  return found;
}

/** A letter only by compatibility: full width, mathematical, circled. */
function isStyledLetter(character: string): boolean {
  return character > '\x7f' && ASCII_LETTERS.test(toExact(character)) && !isTag(character.codePointAt(0) ?? 0);
}

/** ASCII letters and others that imitate them, in one word. */
function mixesLookAlikes(word: string): boolean {
  return (
    /[a-z]/i.test(word) &&
    [...word].some((letter) => letter > '\x7f' && !WRITTEN_LATIN.test(letter) && ASCII_LETTERS.test(toFolded(letter)))
  );
}
