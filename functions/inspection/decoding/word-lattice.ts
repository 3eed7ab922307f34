import { isLetter, LIST_BITS, letterListOf, letterMaskOf } from './leet.ts';
import { MAX_PASSAGE } from './reading.ts';
import type { WordTrie } from './word-trie.ts';

/** Limit of steps for the words that start at one unit. */
const MAX_STEPS = 96;
/** Units other than letters between two letters of a word. */
const MAX_INNER_GAP = 8;
/** Costs within a word are integers; this many make a point of its score. */
const COSTS_A_POINT = 4;
const STAND_IN_COST = 3;
const GAP_COST = 1;
/** A gap longer than the usual one separates two words. */
const WIDE_GAP_COST = 48;
const LEFT_OUT_COST = 2;
/** "a" and "i" match everywhere; a form with an ending is rarer than its base word. */
const SINGLE_COST = 4;
const INFLECTED_COST = 3;

const LIST_MASK = (1 << LIST_BITS) - 1;
const NOT_A_WORD = -1;
/** A pending step: units from the word's start (no more than steps), the width of the gap before it, and the trie node. */
const BEHIND_MASK = 0xff;
const GAP_SHIFT = 8;
const GAP_MASK = 0xf;
const NODE_SHIFT = 12;
/** The step's cost so far, with the number of letters. */
const LETTERS_MASK = 0xff;
const COST_SHIFT = 8;
/** A step creates at most this many: one across a gap, and one for each letter that a unit may represent. */
const MOST_BRANCHES = 4;

/** A word with its range of units. */
export interface LatticeWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the words in a row of units that are spaced, split or joined in any way: of all covers by vocabulary words, the one with the
 * longest words. Linear: the work for each unit and each passage is bounded.
 */
export class WordLattice {
  private readonly trie: WordTrie;
  private readonly score = new Float64Array(MAX_PASSAGE + 1);
  /** Start of the best word that ends here; NOT_A_WORD for a skipped unit. */
  private readonly from = new Int32Array(MAX_PASSAGE + 1);
  /** The trie node of the word. */
  private readonly node = new Uint16Array(MAX_PASSAGE + 1);
  /** Steps taken by the last call. */
  steps = 0;
  /** Pending steps. */
  private readonly places = new Uint32Array(MOST_BRANCHES * MAX_STEPS);
  private readonly costs = new Int32Array(MOST_BRANCHES * MAX_STEPS);

  constructor(trie: WordTrie) {
    this.trie = trie;
  }

  /**
   * `usualGap` is the usual gap in units between two letters of a word. After about `mostSteps` (counted in `steps`), only adjacent letters
   * are read, few of which continue a word.
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

  /** Adds every word that starts at this unit; with `isPlain`, only words of adjacent letters. */
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
      // Most nodes continue with few letters, and not with those that the unit may represent.
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
