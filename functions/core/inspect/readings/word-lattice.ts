import { isLetter, LIST_BITS, letterListOf, letterMaskOf } from './leet.ts';
import { MAX_PASSAGE } from './reading.ts';
import type { WordTrie } from './word-trie.ts';

/** Steps that are taken to find the words that start at one unit. */
const MAX_STEPS = 96;
/** Units that are no letters, between two letters of a word. */
const MAX_INNER_GAP = 8;
/** Costs within a word are whole numbers, of which so many make a point of its score. */
const COSTS_A_POINT = 4;
const STAND_IN_COST = 3;
const GAP_COST = 1;
/** A gap longer than the usual one parts two words. */
const WIDE_GAP_COST = 48;
const LEFT_OUT_COST = 2;
/** "a" and "i" are found everywhere; a form with an ending is rarer than its word. */
const SINGLE_COST = 4;
const INFLECTED_COST = 3;

const LIST_MASK = (1 << LIST_BITS) - 1;
const NOT_A_WORD = -1;
/** Where a step is to be taken: units behind the word's start (no more than steps), how wide the gap before it, and the node. */
const BEHIND_MASK = 0xff;
const GAP_SHIFT = 8;
const GAP_MASK = 0xf;
const NODE_SHIFT = 12;
/** And what it has cost so far, with the letters that it has. */
const LETTERS_MASK = 0xff;
const COST_SHIFT = 8;
/** A step leaves no more than these: one across a gap, and one by each letter that a unit may represent. */
const MOST_BRANCHES = 4;

/** A word found, and the elements of the span that spell it. */
export interface LatticeWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Reads the words out of a row of units however they are spaced, cut up or run together: of all ways to cover it by words
 * of the vocabulary, the one with the longest words. Linear: the work for each unit and each passage is bounded.
 */
export class WordLattice {
  private readonly trie: WordTrie;
  private readonly score = new Float64Array(MAX_PASSAGE + 1);
  /** Where the word starts that ends here best, NOT_A_WORD for a unit that is left out. */
  private readonly from = new Int32Array(MAX_PASSAGE + 1);
  /** The node of the trie that the word ends at. */
  private readonly node = new Uint16Array(MAX_PASSAGE + 1);
  /** Taken for what was read last. */
  steps = 0;
  /** Steps that are still to be taken. */
  private readonly places = new Uint32Array(MOST_BRANCHES * MAX_STEPS);
  private readonly costs = new Int32Array(MOST_BRANCHES * MAX_STEPS);

  constructor(trie: WordTrie) {
    this.trie = trie;
  }

  /**
   * `usualGap` is the usual gap in units between two letters of a word. Once about `mostSteps` have been taken (`steps` says how
   * many), only adjacent letters are read, of which few go on as words do.
   */
  read(units: Uint16Array, length: number, usualGap: number, mostSteps: number): LatticeWord[] {
    const { score, from } = this;
    score.fill(Number.NEGATIVE_INFINITY, 0, length + 1);
    score[0] = 0;
    this.steps = 0;
    for (let at = 0; at < length; at++) {
      const unit = units[at] as number;
      this.offer(at + 1, (score[at] as number) - (isLetter(unit) ? LEFT_OUT_COST : 0), NOT_A_WORD, 0);
      if (isLetter(unit) || (this.steps < mostSteps && letterMaskOf(unit) !== 0)) {
        this.readWords(units, at, length, usualGap, this.steps >= mostSteps);
      }
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

  /** Offers every word that starts at this unit; with `isPlain` those of letters side by side. */
  private readWords(units: Uint16Array, start: number, length: number, usualGap: number, isPlain: boolean): void {
    const { places, costs, trie } = this;
    const { lettersBehind } = trie;
    const base = this.score[start] as number;
    let open = 1;
    places[0] = 0;
    costs[0] = 0;
    let steps = 0;
    for (; open > 0 && steps < MAX_STEPS; steps++) {
      const place = places[--open] as number;
      const at = start + (place & BEHIND_MASK);
      if (at >= length) continue;
      const node = place >>> NODE_SHIFT;
      const unit = units[at] as number;
      const isPlainLetter = isLetter(unit);
      if (isPlain && !isPlainLetter) continue;
      const held = costs[open] as number;
      const letters = held & LETTERS_MASK;
      const gap = (place >> GAP_SHIFT) & GAP_MASK;
      if (!isPlainLetter && letters > 0 && gap < MAX_INNER_GAP) {
        places[open] = place + 1 + (1 << GAP_SHIFT);
        costs[open++] = held + ((gap === usualGap ? WIDE_GAP_COST : GAP_COST) << COST_SHIFT);
      }
      // Most nodes go on by few letters, and not by those that the unit may represent.
      if (((lettersBehind[node] as number) & letterMaskOf(unit)) === 0) continue;
      const price = (held >> COST_SHIFT) + (isPlainLetter ? 0 : STAND_IN_COST);
      for (let list = letterListOf(unit); list !== 0; list >>= LIST_BITS) {
        const behind = trie.step(node, (list & LIST_MASK) - 1);
        if (behind === 0) continue;
        if (trie.isWord(behind)) {
          const worth = this.worth(letters + 1, behind);
          this.offer(at + 1, base + worth - price / COSTS_A_POINT, start, behind);
        }
        places[open] = (behind << NODE_SHIFT) | ((place & BEHIND_MASK) + 1);
        costs[open++] = (price << COST_SHIFT) | (letters + 1);
      }
    }
    this.steps += steps;
  }

  private worth(length: number, node: number): number {
    return length * length - (length === 1 ? SINGLE_COST : 0) - (this.trie.isInflected(node) ? INFLECTED_COST : 0);
  }

  private offer(end: number, score: number, from: number, node: number): void {
    if (score <= (this.score[end] as number)) return;
    this.score[end] = score;
    this.from[end] = from;
    this.node[end] = node;
  }
}
