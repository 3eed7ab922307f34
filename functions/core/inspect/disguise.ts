import type { Signal } from './rule.ts';
import { isInvisible, isTag, toExact, toFolded } from './views/read-character.ts';
import { isPlainAscii } from './views/text-view.ts';

const ASCII_LETTERS = /^[a-z]+$/i;
/** Latin letters that languages write, phonetic and small capital forms left out. */
const WRITTEN_LATIN = /[\p{Script=Latin}--[\u0250-\u02af\u1d00-\u1d7f\ua720-\ua7ff]]/v;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** What has been found out about a character: asking takes several expressions and a normalisation. */
const ASKED = 1;
const INVISIBLE = 2;
const STYLED = 4;
const IMITATES = 8;
/** By code unit. */
const KINDS = new Uint8Array(0x10000);

/** How the raw text of a match hid it from a plain reading; empty for honest text, accents and other scripts included. */
export function disguisesOf(raw: string): readonly Signal[] {
  if (isPlainAscii(raw)) return [];
  let kinds = 0;
  for (const character of raw) kinds |= kindOf(character);
  const found: Signal[] = [];
  if (kinds & INVISIBLE) found.push('invisible');
  if (kinds & STYLED || (kinds & IMITATES && raw.match(WORD)?.some(mixesLookAlikes))) found.push('lookalike');
  return found;
}

function kindOf(character: string): number {
  if (character.length > 1) return ask(character);
  const unit = character.charCodeAt(0);
  if (KINDS[unit] === 0) KINDS[unit] = ASKED | ask(character);
  return KINDS[unit] as number;
}

function ask(character: string): number {
  if (character >= ' ' && character < '\x7f') return 0;
  const isOfTag = isTag(character.codePointAt(0) ?? 0);
  return (
    (isInvisible(character) && !isOfTag ? INVISIBLE : 0) |
    // A letter only by compatibility: full width, mathematical, circled.
    (ASCII_LETTERS.test(toExact(character)) && !isOfTag ? STYLED : 0) |
    (!WRITTEN_LATIN.test(character) && ASCII_LETTERS.test(toFolded(character)) ? IMITATES : 0)
  );
}

/** ASCII letters and others that imitate them, in one word. */
function mixesLookAlikes(word: string): boolean {
  if (!/[a-z]/i.test(word)) return false;
  for (const letter of word) if (kindOf(letter) & IMITATES) return true;
  return false;
}
