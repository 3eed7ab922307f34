import { VOCABULARY } from './vocabulary.ts';

const LETTERS = 26;
const A = 0x61;
const WORD = 1;
const INFLECTED = 2;
/** Words this long and longer take the endings of English grammar. */
const MIN_INFLECTED = 3;

/** The vocabulary, spelled letter by letter: a node for each beginning of a word. */
export class WordTrie {
  /** Entry `node * 26 + letter` is the node behind that letter, 0 where no word goes on so. */
  private readonly next: Uint16Array;
  private readonly ends: Uint8Array;

  constructor(words: ReadonlySet<string>, inflected: ReadonlySet<string>) {
    const all = [...words, ...inflected].filter((word, at) => at < words.size || !words.has(word));
    const nodes = all.reduce((sum, { length }) => sum + length, 1);
    const next = new Uint16Array(nodes * LETTERS);
    const ends = new Uint8Array(nodes);
    let last = 0;
    for (const word of all) {
      let node = 0;
      for (let at = 0; at < word.length; at++) {
        const slot = node * LETTERS + word.charCodeAt(at) - A;
        if (next[slot] === 0) next[slot] = ++last;
        node = next[slot] as number;
      }
      ends[node] = words.has(word) ? WORD : INFLECTED;
    }
    if (last > 0xffff) throw new RangeError('the vocabulary is too large for its trie');
    this.next = next.slice(0, (last + 1) * LETTERS);
    this.ends = ends.slice(0, last + 1);
  }

  /** The node behind a letter, given as 0..25; 0, the root, where there is none. */
  step(node: number, letter: number): number {
    return this.next[node * LETTERS + letter] as number;
  }

  isWord(node: number): boolean {
    return this.ends[node] !== 0;
  }

  /** Whether the word is only known by its ending. */
  isInflected(node: number): boolean {
    return this.ends[node] === INFLECTED;
  }
}

/** The words of the vocabulary with the regular endings of English; a form that nobody writes does no harm. */
export function inflectedVocabulary(): Set<string> {
  const forms = new Set<string>(VOCABULARY);
  for (const word of VOCABULARY) {
    if (word.length < MIN_INFLECTED || word.endsWith('s')) continue;
    const stem = word.endsWith('e') ? word.slice(0, -1) : word;
    if (word.endsWith('y')) forms.add(`${word.slice(0, -1)}ies`).add(`${word.slice(0, -1)}ied`);
    forms.add(`${word}s`).add(`${stem}ed`).add(`${stem}ing`);
  }
  return forms;
}

let shared: WordTrie | undefined;

/** The one trie of the vocabulary, made when it is first needed. */
export function vocabularyTrie(): WordTrie {
  shared ??= new WordTrie(new Set(VOCABULARY), inflectedVocabulary());
  return shared;
}
