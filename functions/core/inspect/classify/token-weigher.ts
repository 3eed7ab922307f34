import { codeUnits } from '../pattern/code-units.ts';
import type { TokenTotals } from './best-window.ts';
import {
  hashToken,
  KIND_FEATURES,
  kindOf,
  kindsBucket,
  MAX_OWN_FEATURES,
  NO_KIND,
  ownFeatures,
  pairBucket,
  tripleBucket,
} from './features.ts';
import { KINDS, LETTER, MAX_WORD_UNITS, SPACE, tokenEnd } from './tokens.ts';
import type { WordClasses } from './word-classes.ts';

/** Words whose weights are remembered; a power of two. */
const MEMORY = 1 << 12;
const FIRST_CAPACITY = 1024;

/**
 * Weighs the tokens of texts by one model. What a word weighs by itself is remembered, since few words make up most of any
 * text. Holds the totals of the text read last.
 */
export class TokenWeigher implements TokenTotals {
  tokens = 0;
  weights = new Float64Array(FIRST_CAPACITY);
  features = new Int32Array(FIRST_CAPACITY);
  /** Where token `t` stands in the text: from `startOf[t]` up to `endOf[t]`. */
  startOf = new Int32Array(FIRST_CAPACITY);
  endOf = new Int32Array(FIRST_CAPACITY);

  private readonly model: Int8Array;
  private readonly classes: WordClasses;
  private readonly scratch = new Int32Array(MAX_OWN_FEATURES);
  /** Of each remembered word: its letters, how many, its kind, what it weighs, and its features. */
  private readonly letters = new Uint16Array(MEMORY * MAX_WORD_UNITS);
  private readonly lengths = new Uint8Array(MEMORY);
  private readonly kinds = new Uint16Array(MEMORY);
  private readonly ownWeights = new Int32Array(MEMORY);
  private readonly ownCounts = new Uint8Array(MEMORY);

  constructor(model: Int8Array, classes: WordClasses) {
    this.model = model;
    this.classes = classes;
  }

  /** One loop over the text: at a few nanoseconds a character, every call in it would show. */
  read(text: string): void {
    const units = codeUnits(text);
    const { length } = text;
    const { model } = this;
    let { weights, features } = this;
    let token = 0;
    let weight = 0;
    let count = 0;
    let previous = 0;
    let beforePrevious = 0;
    let [kind1, kind2, kind3] = [NO_KIND, NO_KIND, NO_KIND];
    for (let at = 0; at < length; ) {
      const character = KINDS[units[at] as number] as number;
      const start = at++;
      if (character === SPACE) continue;
      at = tokenEnd(units, start, length, character);
      const isWord = character === LETTER;
      const hash = hashToken(units, start, at, isWord);
      const slot = this.remember(hash, units, start, at, isWord);
      const kind = this.kinds[slot] as number;
      weight +=
        (this.ownWeights[slot] as number) +
        (model[pairBucket(previous, hash)] as number) +
        (model[tripleBucket(beforePrevious, previous, hash)] as number) +
        (model[kindsBucket(1, kind1, kind)] as number) +
        (model[kindsBucket(2, kind2, kind)] as number) +
        (model[kindsBucket(3, kind3, kind)] as number);
      count += (this.ownCounts[slot] as number) + 2 + KIND_FEATURES;
      if (token + 1 >= weights.length) {
        this.grow();
        ({ weights, features } = this);
      }
      this.startOf[token] = start;
      this.endOf[token] = at;
      token += 1;
      weights[token] = weight;
      features[token] = count;
      beforePrevious = previous;
      previous = hash;
      kind3 = kind2;
      kind2 = kind1;
      kind1 = kind;
    }
    this.tokens = token;
  }

  /** The slot that holds what the token weighs by itself. */
  private remember(hash: number, units: Uint16Array, start: number, end: number, isWord: boolean): number {
    const slot = (hash ^ (hash >>> 13)) & (MEMORY - 1);
    const length = Math.min(end - start, MAX_WORD_UNITS);
    const base = slot * MAX_WORD_UNITS;
    // Two words may fall into one slot: the letters decide.
    let known = this.lengths[slot] === length;
    for (let at = 0; known && at < length; at++) known = this.letters[base + at] === units[start + at];
    if (known) return slot;
    const kind = kindOf(hash, units[start] as number, isWord, this.classes);
    const count = ownFeatures(hash, kind, units, start, end, isWord, this.scratch, 0);
    let weight = 0;
    for (let at = 0; at < count; at++) weight += this.model[this.scratch[at] as number] as number;
    this.kinds[slot] = kind;
    this.ownWeights[slot] = weight;
    this.ownCounts[slot] = count;
    this.lengths[slot] = length;
    for (let at = 0; at < length; at++) this.letters[base + at] = units[start + at] as number;
    return slot;
  }

  private grow(): void {
    const length = 2 * this.startOf.length;
    this.weights = extended(new Float64Array(length), this.weights);
    this.features = extended(new Int32Array(length), this.features);
    this.startOf = extended(new Int32Array(length), this.startOf);
    this.endOf = extended(new Int32Array(length), this.endOf);
  }
}

function extended<T extends Float64Array | Int32Array>(larger: T, array: T): T {
  larger.set(array);
  return larger;
}
