import type { View } from '../rule.ts';
import { toExact, toFolded } from '../view/read-character.ts';

const WORD_CHARACTER = /\w/;
const PUNCTUATION = /[!-/:-@[-`{-~]/g;
const SPACES = /\s+/;
/** What `*` at the end of a keyword stands for. */
const ANY_ENDING = '\\w{0,20}';

/** The pattern that finds a literal in a view; a space in it stands for any white space. Empty where nothing of it is visible. */
export function literalPattern(literal: string, view: View, wholeWord = false): string {
  const shown = Array.from(literal, (character) => readIn(view, character)).join('');
  const words = shown.split(SPACES).filter((word) => word !== '');
  if (words.length === 0) return '';
  const pattern = words.map((word) => word.replace(PUNCTUATION, '\\$&')).join('\\s+');
  return wholeWord ? bounded(pattern, shown.trim()) : pattern;
}

/** The pattern that finds a keyword in folded text: a whole word or phrase, or with `*` at its end a beginning. */
export function keywordPattern(keyword: string): string {
  if (!keyword.endsWith('*')) return literalPattern(keyword, 'folded', true);
  const stem = literalPattern(keyword.slice(0, -1), 'folded');
  return stem === '' ? '' : `${startsWord(stem) ? '\\b' : ''}${stem}${ANY_ENDING}\\b`;
}

/** The view in which a literal is looked for. */
export function literalView(ignoreCase: boolean): View {
  return ignoreCase ? 'folded' : 'exact';
}

function readIn(view: View, character: string): string {
  if (view === 'exact') return toExact(character);
  return character <= '\x7f' ? character.toLowerCase() : toFolded(character);
}

function bounded(pattern: string, shown: string): string {
  const ends = WORD_CHARACTER.test(shown.at(-1) ?? '');
  return `${startsWord(shown) ? '\\b' : ''}${pattern}${ends ? '\\b' : ''}`;
}

/** A letter beyond ASCII is no word character to the engine: between two such letters it sees no boundary. */
function startsWord(shown: string): boolean {
  return WORD_CHARACTER.test(shown.at(0) ?? '');
}
