import { VOCABULARY } from './vocabulary.ts';

const LETTERS = 26;
const A = 0x61;
const MAX_NODES = 20_000;
const WORD = 1;
const INFLECTED = 2;
/** Words this long and longer take the endings of English grammar. */
const MIN_INFLECTED = 3;

/** The vocabulary, spelled letter by letter: a node for each beginning of a word. */
export class WordTrie {
  /** Entry `node * 26 + letter` is the node behind that letter, 0 where no word goes on so. */
  private readonly next = new Uint16Array((MAX_NODES + 1) * LETTERS);
  private readonly ends: number[] = [0];
  /** Of each node the one before it, and the letter between. */
  private readonly before: number[] = [0];
  private readonly letter: number[] = [0];

  constructor(words: ReadonlySet<string>, inflected: ReadonlySet<string>) {
    for (const word of words) this.ends[this.add(word)] = WORD;
    for (const word of inflected) {
      const node = this.add(word);
      if (this.ends[node] === 0) this.ends[node] = INFLECTED;
    }
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

  /** The letters that lead to a node. */
  wordAt(node: number): string {
    let word = '';
    for (let at = node; at !== 0; at = this.before[at] as number) {
      word = String.fromCharCode(A + (this.letter[at] as number)) + word;
    }
    return word;
  }

  private add(word: string): number {
    let node = 0;
    for (let at = 0; at < word.length; at++) {
      const letter = word.charCodeAt(at) - A;
      const slot = node * LETTERS + letter;
      node = this.next[slot] || this.grow(slot, node, letter);
    }
    return node;
  }

  private grow(slot: number, before: number, letter: number): number {
    const node = this.ends.length;
    if (node > MAX_NODES) throw new RangeError('the vocabulary is too large for its trie');
    this.next[slot] = node;
    this.ends.push(0);
    this.before.push(before);
    this.letter.push(letter);
    return node;
  }
}

let inflected: Set<string> | undefined;

/** The words of the vocabulary with the regular endings of English; a form that nobody writes does no harm. */
export function inflectedVocabulary(): ReadonlySet<string> {
  inflected ??= inflect();
  return inflected;
}

function inflect(): Set<string> {
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
