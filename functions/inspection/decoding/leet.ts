import type { WordTrie } from './word-trie.ts';

const A = 0x61;
/** Letters that a digit or sign replaces, the most likely first. */
const STAND_INS: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'ilt',
  2: 'zs',
  3: 'e',
  4: 'a',
  5: 's',
  6: 'gb',
  7: 'tl',
  8: 'b',
  9: 'gq',
  '@': 'a',
  $: 's',
  '!': 'il',
  '|': 'il',
  '+': 't',
  '(': 'c',
  '<': 'c',
  '{': 'c',
  '[': 'c',
  '#': 'h',
  '^': 'a',
  '%': 'x',
  '€': 'e',
  '£': 'le',
  '¢': 'c',
  '¥': 'y',
  '¡': 'i',
  '§': 's',
};
const NONE: readonly number[] = [];
/** Bits for each letter in a packed list: the letter plus one, the first letter lowest. */
export const LIST_BITS = 5;
/** The letters (0..25) that each unit may represent. */
const LETTERS_OF = new Array<readonly number[]>(0x20ad).fill(NONE);
for (let letter = 0; letter < 26; letter++) LETTERS_OF[A + letter] = [letter];
for (const [character, letters] of Object.entries(STAND_INS)) {
  LETTERS_OF[character.charCodeAt(0)] = Array.from(letters, (letter) => letter.charCodeAt(0) - A);
}

/** The letters of a unit for inner loops: as a set with bit `letter` for each, and as a list. */
const LETTER_MASKS = Int32Array.from(LETTERS_OF, (letters) =>
  letters.reduce((mask, letter) => mask | (1 << letter), 0),
);
const LETTER_LISTS = Int32Array.from(LETTERS_OF, (letters) =>
  letters.reduceRight((list, letter) => (list << LIST_BITS) | (letter + 1), 0),
);

/** Limit of letters that are tried for one token. */
const MAX_STEPS = 400;

/** The letters (0..25) that a unit of folded text may represent: a letter only itself, most other units none. */
export function lettersOf(unit: number): readonly number[] {
  return LETTERS_OF[unit] ?? NONE;
}

/** The same letters as a set: bit `letter` for each. */
export function letterMaskOf(unit: number): number {
  return unit < LETTER_MASKS.length ? (LETTER_MASKS[unit] as number) : 0;
}

/** The same letters as a list: the lowest `LIST_BITS` hold the first letter plus one, the next ones the second, and so on. */
export function letterListOf(unit: number): number {
  return unit < LETTER_LISTS.length ? (LETTER_LISTS[unit] as number) : 0;
}

export function isLetter(unit: number): boolean {
  return unit >= A && unit < A + 26;
}

let steps = 0;

/**
 * The vocabulary word that a token spells in leetspeak, read forward, or backward with `step` -1; undefined if there is none. Work is
 * bounded.
 */
export function wordOf(
  units: Uint16Array,
  from: number,
  to: number,
  trie: WordTrie,
  step: 1 | -1 = 1,
): string | undefined {
  steps = 0;
  return step > 0 ? spell(units, from, to, 1, trie, 0) : spell(units, to - 1, from - 1, -1, trie, 0);
}

/** The rest of a word from this node of the trie: the units from `at` to `stop`. */
function spell(
  units: Uint16Array,
  at: number,
  stop: number,
  step: number,
  trie: WordTrie,
  node: number,
): string | undefined {
  if (at === stop) return trie.isWord(node) ? '' : undefined;
  for (const letter of lettersOf(units[at] as number)) {
    const next = trie.step(node, letter);
    if (next === 0 || ++steps > MAX_STEPS) continue;
    const rest = spell(units, at + step, stop, step, trie, next);
    if (rest !== undefined) return String.fromCharCode(A + letter) + rest;
  }
  return undefined;
}
