import { isLetter, lettersOf } from './leet.ts';
import { MAX_PASSAGE } from './passage.ts';
import type { WordTrie } from './word-trie.ts';

/** Steps that are taken to find the words that start at one unit. */
const MAX_STEPS = 160;
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
  private readonly word: (string | undefined)[] = new Array(MAX_PASSAGE + 1);

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
      this.offer(at + 1, (score[at] as number) - (isLetter(unit) ? LEFT_OUT_COST : 0), NOT_A_WORD, undefined);
      if (lettersOf(unit).length > 0) this.readWords(units, at, length, usualGap);
    }
    const words: LatticeWord[] = [];
    for (let at = length; at > 0; ) {
      const begin = from[at] as number;
      if (begin === NOT_A_WORD) at--;
      else {
        words.push({ text: this.word[at] as string, start: begin, end: at });
        at = begin;
      }
    }
    return words.reverse();
  }

  /** Offers every word that starts at this unit. */
  private readWords(units: Uint16Array, start: number, length: number, usualGap: number): void {
    const stack = [{ at: start, node: 0, text: '', cost: 0, gap: 0 }];
    for (let steps = 0; stack.length > 0 && steps < MAX_STEPS; steps++) {
      const { at, node, text, cost, gap } = stack.pop() as (typeof stack)[number];
      if (at >= length) continue;
      const unit = units[at] as number;
      if (!isLetter(unit) && text !== '' && gap < MAX_INNER_GAP) {
        const price = cost + (gap === usualGap ? WIDE_GAP_COST : GAP_COST);
        stack.push({ at: at + 1, node, text, cost: price, gap: gap + 1 });
      }
      for (const letter of lettersOf(unit)) {
        const next = this.trie.step(node, letter);
        if (next === 0) continue;
        const spelled = text + String.fromCharCode(0x61 + letter);
        const price = cost + (isLetter(unit) ? 0 : STAND_IN_COST);
        if (this.trie.isWord(next)) {
          this.offer(at + 1, (this.score[start] as number) + this.worth(spelled, next) - price, start, spelled);
        }
        stack.push({ at: at + 1, node: next, text: spelled, cost: price, gap: 0 });
      }
    }
  }

  private worth({ length }: string, node: number): number {
    return length ** 2 - (length === 1 ? SINGLE_COST : 0) - (this.trie.isInflected(node) ? INFLECTED_COST : 0);
  }

  private offer(end: number, score: number, from: number, word: string | undefined): void {
    if (score <= (this.score[end] as number)) return;
    this.score[end] = score;
    this.from[end] = from;
    this.word[end] = word;
  }
}
