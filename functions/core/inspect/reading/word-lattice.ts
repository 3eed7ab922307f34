import { isLetter, lettersOf } from './leet.ts';
import { MAX_PASSAGE } from './passage.ts';
import type { WordTrie } from './word-trie.ts';

/** Steps that are taken to find the words that start at one unit. */
const MAX_STEPS = 96;
/** Units that are no letters, between two letters of a word. */
const MAX_INNER_GAP = 8;
const STAND_IN_COST = 0.75;
const GAP_COST = 0.25;
/** A gap longer than the usual one parts two words. */
const WIDE_GAP_COST = 12;
const LEFT_OUT_COST = 2;
/** "a" and "i" are found everywhere; a form with an ending is rarer than its word. */
const SINGLE_COST = 4;
const INFLECTED_COST = 3;

const NOT_A_WORD = -1;
const STEP_FIELDS = 5;

/** A word found, and the elements of the span that spell it. */
export interface LatticeWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Reads the words out of a row of units however they are spaced, cut up or run together: of all ways to cover it by words
 * of the vocabulary, the one with the longest words. Linear: the work for each unit is bounded.
 */
export class WordLattice {
  private readonly trie: WordTrie;
  private readonly score = new Float64Array(MAX_PASSAGE + 1);
  /** Where the word starts that ends here best, NOT_A_WORD for a unit that is left out. */
  private readonly from = new Int32Array(MAX_PASSAGE + 1);
  /** The node of the trie that the word ends at. */
  private readonly node = new Uint16Array(MAX_PASSAGE + 1);
  /** Steps that are still to be taken: where, from which node, at what cost, behind how wide a gap, how many letters. */
  private readonly todo = new Float64Array(STEP_FIELDS * (MAX_STEPS + 8) * 4);

  constructor(trie: WordTrie) {
    this.trie = trie;
  }

  /** `usualGap` is how many units stand between two letters of a word. */
  read(units: Uint16Array, length: number, usualGap: number): LatticeWord[] {
    const { score, from } = this;
    score.fill(Number.NEGATIVE_INFINITY, 0, length + 1);
    score[0] = 0;
    for (let at = 0; at < length; at++) {
      const unit = units[at] as number;
      this.offer(at + 1, (score[at] as number) - (isLetter(unit) ? LEFT_OUT_COST : 0), NOT_A_WORD, 0);
      if (lettersOf(unit).length > 0) this.readWords(units, at, length, usualGap);
    }
    const words: LatticeWord[] = [];
    for (let at = length; at > 0; ) {
      const begin = from[at] as number;
      if (begin === NOT_A_WORD) at--;
      else {
        words.push({ text: this.trie.wordAt(this.node[at] as number), start: begin, end: at });
        at = begin;
      }
    }
    return words.reverse();
  }

  /** Offers every word that starts at this unit. */
  private readWords(units: Uint16Array, start: number, length: number, usualGap: number): void {
    const { todo, trie } = this;
    const base = this.score[start] as number;
    let open = this.push(0, start, 0, 0, 0, 0);
    for (let steps = 0; open > 0 && steps < MAX_STEPS; steps++) {
      open -= STEP_FIELDS;
      const at = todo[open] as number;
      const node = todo[open + 1] as number;
      const cost = todo[open + 2] as number;
      const gap = todo[open + 3] as number;
      const letters = todo[open + 4] as number;
      if (at >= length) continue;
      const unit = units[at] as number;
      const isPlainLetter = isLetter(unit);
      if (!isPlainLetter && letters > 0 && gap < MAX_INNER_GAP) {
        open = this.push(open, at + 1, node, cost + (gap === usualGap ? WIDE_GAP_COST : GAP_COST), gap + 1, letters);
      }
      const price = cost + (isPlainLetter ? 0 : STAND_IN_COST);
      for (const letter of lettersOf(unit)) {
        const next = trie.step(node, letter);
        if (next === 0) continue;
        if (trie.isWord(next)) this.offer(at + 1, base + this.worth(letters + 1, next) - price, start, next);
        open = this.push(open, at + 1, next, price, 0, letters + 1);
      }
    }
  }

  private push(open: number, at: number, node: number, cost: number, gap: number, letters: number): number {
    const { todo } = this;
    todo[open] = at;
    todo[open + 1] = node;
    todo[open + 2] = cost;
    todo[open + 3] = gap;
    todo[open + 4] = letters;
    return open + STEP_FIELDS;
  }

  private worth(length: number, node: number): number {
    return length ** 2 - (length === 1 ? SINGLE_COST : 0) - (this.trie.isInflected(node) ? INFLECTED_COST : 0);
  }

  private offer(end: number, score: number, from: number, node: number): void {
    if (score <= (this.score[end] as number)) return;
    this.score[end] = score;
    this.from[end] = from;
    this.node[end] = node;
  }
}
