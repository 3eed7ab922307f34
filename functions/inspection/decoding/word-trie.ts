import { VOCABULARY } from './vocabulary.ts';

const LETTERS = 26;
const A = 0x61;
const MAX_NODES = 20_000;
const WORD = 1;
const INFLECTED = 2;
/** Minimum length of words that take endings of English grammar. */
const MIN_INFLECTED = 3;

/**
 * The vocabulary as a trie: a node for each prefix of a word. The children of a node are adjacent and in the order of their letters, so that
 * all nodes fit into the processor's cache.
 */
export class WordTrie {
  /** For each node: the letters of its children, as bits, and its first child. */
  readonly lettersBehind: Int32Array;
  private readonly firstBehind: Uint16Array;
  private readonly ends: Uint8Array;
  /** For each node: its parent, and the letter between them. */
  private readonly before: Uint16Array;
  private readonly letter: Uint8Array;

  constructor(words: ReadonlySet<string>, inflected: ReadonlySet<string>) {
    const spelled = new SpelledWords();
    for (const word of words) spelled.add(word, WORD);
    for (const word of inflected) spelled.add(word, INFLECTED);
    const { next, ends, count } = spelled;
    this.lettersBehind = new Int32Array(count);
    this.firstBehind = new Uint16Array(count);
    this.ends = new Uint8Array(count);
    this.before = new Uint16Array(count);
    this.letter = new Uint8Array(count);
    /** New numbers of the nodes, by their old number. */
    const numbers = new Uint16Array(count);
    let placed = 1;
    for (let node = 0; node < count; node++) {
      const number = numbers[node] as number;
      this.ends[node] = ends[number] as number;
      this.firstBehind[node] = placed;
      for (let letter = 0; letter < LETTERS; letter++) {
        const behind = next[number * LETTERS + letter] as number;
        if (behind === 0) continue;
        this.lettersBehind[node] = (this.lettersBehind[node] as number) | (1 << letter);
        this.before[placed] = node;
        this.letter[placed] = letter;
        numbers[placed++] = behind;
      }
    }
  }

  /** The child for a letter, given as 0..25; 0, the root, if there is none. */
  step(node: number, letter: number): number {
    const letters = this.lettersBehind[node] as number;
    const bit = 1 << letter;
    return (letters & bit) === 0 ? 0 : (this.firstBehind[node] as number) + countBits(letters & (bit - 1));
  }

  isWord(node: number): boolean {
    return this.ends[node] !== 0;
  }

  /** Whether the word is only known with an ending. */
  isInflected(node: number): boolean {
    return this.ends[node] === INFLECTED;
  }

  /** The letters on the path to a node. */
  wordAt(node: number): string {
    let word = '';
    for (let at = node; at !== 0; at = this.before[at] as number) {
      word = String.fromCharCode(A + (this.letter[at] as number)) + word;
    }
    return word;
  }
}

/** The trie's nodes in order of insertion. */
class SpelledWords {
  /** Entry `node * 26 + letter` is the child for that letter, 0 if there is none. */
  readonly next = new Uint16Array((MAX_NODES + 1) * LETTERS);
  /** The kind of the word that ends at each node, 0 for none. */
  readonly ends = new Uint8Array(MAX_NODES + 1);
  count = 1;

  /** Adds a word unless it is already in the trie. */
  add(word: string, kind: number): void {
    let node = 0;
    for (let at = 0; at < word.length; at++) {
      const slot = node * LETTERS + word.charCodeAt(at) - A;
      node = this.next[slot] || this.grow(slot);
    }
    if (this.ends[node] === 0) this.ends[node] = kind;
  }

  private grow(slot: number): number {
    if (this.count > MAX_NODES) throw new RangeError('the vocabulary is too large for its trie');
    this.next[slot] = this.count;
    return this.count++;
  }
}

function countBits(bits: number): number {
  const pairs = bits - ((bits >> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

let inflected: Set<string> | undefined;

/** The words of the vocabulary with the regular endings of English; forms that do not exist do no harm. */
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

/** Returns the shared trie of the vocabulary, built on first use. */
export function vocabularyTrie(): WordTrie {
  shared ??= new WordTrie(new Set(VOCABULARY), inflectedVocabulary());
  return shared;
}
