import type { WordTrie } from './word-trie.ts';

const A = 0x61;
/** The letters that a digit or sign stands for, the likeliest first. */
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
  '*': 'aeiou',
  '€': 'e',
  '£': 'le',
  '¢': 'c',
  '¥': 'y',
  '¡': 'i',
  '§': 's',
};
const NONE: readonly number[] = [];
/** Of each unit, the letters (0..25) that it may be read as. */
const LETTERS_OF: readonly (readonly number[])[] = Array.from({ length: 0x20ad }, (_, unit) => {
  const character = String.fromCharCode(unit);
  if (/[a-z]/.test(character)) return [unit - A];
  const letters = STAND_INS[character];
  return letters === undefined ? NONE : [...letters].map((letter) => letter.charCodeAt(0) - A);
});

/** Nodes that a walk keeps at once; a word has few readings. */
const MAX_BRANCHES = 24;

/** The letters (0..25) that a unit of folded text may stand for; of a letter itself, of most others none. */
export function lettersOf(unit: number): readonly number[] {
  return LETTERS_OF[unit] ?? NONE;
}

export function isLetter(unit: number): boolean {
  return unit >= A && unit < A + 26;
}

/**
 * The word of the vocabulary that a token is written for, from its start or with `step` -1 from its end; undefined where
 * there is none. Work is bounded by the token's length.
 */
export function wordOf(
  units: Uint16Array,
  from: number,
  to: number,
  trie: WordTrie,
  step: 1 | -1 = 1,
): string | undefined {
  let branches: { readonly node: number; readonly word: string }[] = [{ node: 0, word: '' }];
  for (let at = step > 0 ? from : to - 1; at >= from && at < to && branches.length > 0; at += step) {
    const grown: typeof branches = [];
    for (const { node, word } of branches) {
      for (const letter of lettersOf(units[at] as number)) {
        const next = trie.step(node, letter);
        if (next !== 0 && grown.length < MAX_BRANCHES) {
          grown.push({ node: next, word: word + String.fromCharCode(A + letter) });
        }
      }
    }
    branches = grown;
  }
  return branches.find(({ node }) => trie.isWord(node))?.word;
}
