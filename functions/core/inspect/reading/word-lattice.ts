import { isLetter, lettersOf } from './leet.ts';
import { MAX_PASSAGE } from './passage.ts';
import type { WordTrie } from './word-trie.ts';

/** Steps that are taken to find the words that start at one unit. */
const MAX_STEPS = 160;
/** Units that are no letters, between two letters of a word. */
const MAX_INNER_GAP = 8;
const MARKUP = 240;
const LESS = 0x3c;
const GREATER = 0x3e;
const STAND_IN_COST = 0.75;
const GAP_COST = 0.25;
const LEFT_OUT_COST = 2;

const NOT_A_WORD = -1;

/** A word found in a span, and the units that spell it. */
export interface LatticeWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Reads the words out of a span however they are spaced, cut up or run together: of all ways to cover it by words of the
 * vocabulary, the one with the longest words. Linear in the span: the work for each unit is bounded.
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

  read(units: Uint16Array, start: number, end: number): LatticeWord[] {
    const { score, from } = this;
    score.fill(Number.NEGATIVE_INFINITY, start, end + 1);
    score[start] = 0;
    for (let at = start; at < end; at++) {
      const unit = units[at] as number;
      const readable = lettersOf(unit).length > 0;
      this.offer(at + 1, (score[at] as number) - (isLetter(unit) ? LEFT_OUT_COST : 0), NOT_A_WORD, undefined);
      if (readable) this.readWords(units, at, end);
    }
    const words: LatticeWord[] = [];
    for (let at = end; at > start; ) {
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
  private readWords(units: Uint16Array, start: number, end: number): void {
    const stack = [{ at: start, node: 0, text: '', cost: 0, gap: 0 }];
    for (let steps = 0; stack.length > 0 && steps < MAX_STEPS; steps++) {
      const { at, node, text, cost, gap } = stack.pop() as (typeof stack)[number];
      if (at >= end) continue;
      const unit = units[at] as number;
      if (!isLetter(unit) && text !== '' && gap < MAX_INNER_GAP) {
        const behind = unit === LESS ? tagEnd(units, at, end) : at + 1;
        stack.push({ at: behind, node, text, cost: cost + GAP_COST * (gap + 1), gap: gap + 1 });
      }
      for (const letter of lettersOf(unit)) {
        const next = this.trie.step(node, letter);
        if (next === 0) continue;
        const spelled = text + String.fromCharCode(0x61 + letter);
        const price = cost + (isLetter(unit) ? 0 : STAND_IN_COST);
        if (this.trie.isWord(next)) {
          this.offer(at + 1, (this.score[start] as number) + spelled.length ** 2 - price, start, spelled);
        }
        stack.push({ at: at + 1, node: next, text: spelled, cost: price, gap: 0 });
      }
    }
  }

  private offer(end: number, score: number, from: number, word: string | undefined): void {
    if (score <= (this.score[end] as number)) return;
    this.score[end] = score;
    this.from[end] = from;
    this.word[end] = word;
  }
}

function tagEnd(units: Uint16Array, at: number, end: number): number {
  const stop = Math.min(end, at + MARKUP);
  for (let to = at + 1; to < stop; to++) if (units[to] === GREATER) return to + 1;
  return at + 1;
}
