import type { View } from '../rule.ts';
import { TextView } from '../views/text-view.ts';

const WORD_CHARACTER = /\w/;
const PUNCTUATION = /[!-/:-@[-`{-~]/g;
const SPACES = /\s+/;
const BOUNDARY = '\\b';
/** What `*` at the end of a keyword stands for. */
const ANY_ENDING = '\\w{0,20}';

/** The pattern that finds a literal in a view; a space in it stands for any white space. Empty where nothing of it is visible. */
export function literalPattern(literal: string, view: View, wholeWord = false): string {
  const words = wordsOf(literal, view);
  const pattern = words.map((word) => word.replace(PUNCTUATION, '\\$&')).join('\\s+');
  return wholeWord ? bounded(pattern, words.join(' ')) : pattern;
}

/** The pattern that finds a keyword in folded text: a whole word or phrase, or with `*` at its end a beginning. */
export function keywordPattern(keyword: string): string {
  if (!keyword.endsWith('*')) return literalPattern(keyword, 'folded', true);
  const stem = literalPattern(keyword.slice(0, -1), 'folded');
  return stem === '' ? '' : `${startsWord(stem) ? BOUNDARY : ''}${stem}${ANY_ENDING}${BOUNDARY}`;
}

/** The same alternatives, those that begin with a word brought together behind one boundary, so that beginnings are shared. */
export function alternatives(patterns: readonly string[]): string[] {
  const words = patterns.filter((pattern) => pattern.startsWith(BOUNDARY));
  if (words.length < 2) return [...patterns];
  const others = patterns.filter((pattern) => !pattern.startsWith(BOUNDARY));
  return [`${BOUNDARY}(?:${words.map((word) => word.slice(BOUNDARY.length)).join('|')})`, ...others];
}

/** A text as a keyword is compared with it: folded, its words one space apart. */
export function foldWords(text: string): string {
  return wordsOf(text, 'folded').join(' ');
}

/** The view in which a literal is looked for. */
export function literalView(ignoreCase: boolean): View {
  return ignoreCase ? 'folded' : 'exact';
}

function wordsOf(text: string, view: View): string[] {
  const reader = new TextView(view);
  const shown = reader.push(text) + reader.end();
  return shown.split(SPACES).filter((word) => word !== '');
}

function bounded(pattern: string, shown: string): string {
  const ends = WORD_CHARACTER.test(shown.at(-1) ?? '');
  return `${startsWord(shown) ? BOUNDARY : ''}${pattern}${ends ? BOUNDARY : ''}`;
}

/** A letter beyond ASCII is no word character to the engine: between two such letters it sees no boundary. */
function startsWord(shown: string): boolean {
  return WORD_CHARACTER.test(shown.at(0) ?? '');
}
