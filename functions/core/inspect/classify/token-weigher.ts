import { codeUnits } from '../pattern/code-units.ts';
import type { PlacedTokens } from './agreed-score.ts';
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
const MEMORY = 1 << 13;
/** What is remembered of a word lies together, in units of two bytes: its length, its kind, its features, and so on. */
const SLOT = 32;
const KIND = 1;
const COUNT = 2;
const WEIGHT = 4;
const LETTERS = SLOT - MAX_WORD_UNITS;
const FIRST_CAPACITY = 1024;

/**
 * Weighs the tokens of texts by one model. What a word weighs by itself is remembered, since few words make up most of any
 * text. Holds the totals of the text read last.
 */
export class TokenWeigher implements PlacedTokens {
  tokens = 0;
  weights = new Float64Array(FIRST_CAPACITY);
  features = new Int32Array(FIRST_CAPACITY);
  /** Where token `t` stands in the text: from `startOf[t]` up to `endOf[t]`. */
  startOf = new Int32Array(FIRST_CAPACITY);
  endOf = new Int32Array(FIRST_CAPACITY);

  private readonly model: Int8Array;
  private readonly classes: WordClasses;
  private readonly scratch = new Int32Array(MAX_OWN_FEATURES);
  /** Of each token: its hash, its kind, and what it weighs by itself. */
  private hashes = new Int32Array(FIRST_CAPACITY);
  private kinds = new Int32Array(FIRST_CAPACITY);
  private ownWeights = new Int32Array(FIRST_CAPACITY);
  private readonly memory = new Uint16Array(MEMORY * SLOT);
  private readonly memoryWeights = new Int32Array(this.memory.buffer);

  constructor(model: Int8Array, classes: WordClasses) {
    this.model = model;
    this.classes = classes;
  }

  read(text: string): void {
    this.readTokens(text);
    this.weigh();
  }

  /** One loop over the text: at a few nanoseconds a character, every call in it would show. */
  private readTokens(text: string): void {
    const units = codeUnits(text);
    const { length } = text;
    const { memory, memoryWeights } = this;
    let token = 0;
    let count = 0;
    for (let at = 0; at < length; ) {
      const character = KINDS[units[at] as number] as number;
      const start = at++;
      if (character === SPACE) continue;
      at = tokenEnd(units, start, length, character);
      const isWord = character === LETTER;
      const hash = hashToken(units, start, at, isWord);
      const slot = this.remember(hash, units, start, at, isWord);
      if (token + 1 >= this.weights.length) this.grow();
      this.startOf[token] = start;
      this.endOf[token] = at;
      this.hashes[token] = hash;
      this.kinds[token] = memory[slot + KIND] as number;
      this.ownWeights[token] = memoryWeights[(slot + WEIGHT) >> 1] as number;
      token += 1;
      count += (memory[slot + COUNT] as number) + 2 + KIND_FEATURES;
      this.features[token] = count;
    }
    this.tokens = token;
  }

  /** Apart from the text, since the look-ups of many tokens then go on at once. */
  private weigh(): void {
    const { model, weights, hashes, kinds, ownWeights, tokens } = this;
    let weight = 0;
    let previous = 0;
    let beforePrevious = 0;
    let [kind1, kind2, kind3] = [NO_KIND, NO_KIND, NO_KIND];
    for (let token = 0; token < tokens; token++) {
      const hash = hashes[token] as number;
      const kind = kinds[token] as number;
      weight +=
        (ownWeights[token] as number) +
        (model[pairBucket(previous, hash)] as number) +
        (model[tripleBucket(beforePrevious, previous, hash)] as number) +
        (model[kindsBucket(1, kind1, kind)] as number) +
        (model[kindsBucket(2, kind2, kind)] as number) +
        (model[kindsBucket(3, kind3, kind)] as number);
      weights[token + 1] = weight;
      beforePrevious = previous;
      previous = hash;
      kind3 = kind2;
      kind2 = kind1;
      kind1 = kind;
    }
  }

  /** Where in memory stands what the token weighs by itself. */
  private remember(hash: number, units: Uint16Array, start: number, end: number, isWord: boolean): number {
    const { memory } = this;
    const slot = ((hash ^ (hash >>> 13)) & (MEMORY - 1)) * SLOT;
    const length = Math.min(end - start, MAX_WORD_UNITS);
    // Two words may fall into one slot: the letters decide.
    let known = memory[slot] === length;
    for (let at = 0; known && at < length; at++) known = memory[slot + LETTERS + at] === units[start + at];
    if (!known) this.learn(slot, hash, units, start, end, isWord);
    return slot;
  }

  private learn(slot: number, hash: number, units: Uint16Array, start: number, end: number, isWord: boolean): void {
    const { memory, model, scratch } = this;
    const kind = kindOf(hash, units[start] as number, isWord, this.classes);
    const count = ownFeatures(hash, kind, units, start, end, isWord, scratch, 0);
    let weight = 0;
    for (let at = 0; at < count; at++) weight += model[scratch[at] as number] as number;
    const length = Math.min(end - start, MAX_WORD_UNITS);
    memory[slot] = length;
    memory[slot + KIND] = kind;
    memory[slot + COUNT] = count;
    this.memoryWeights[(slot + WEIGHT) >> 1] = weight;
    for (let at = 0; at < length; at++) memory[slot + LETTERS + at] = units[start + at] as number;
  }

  private grow(): void {
    const length = 2 * this.startOf.length;
    this.weights = extended(new Float64Array(length), this.weights);
    this.features = extended(new Int32Array(length), this.features);
    this.startOf = extended(new Int32Array(length), this.startOf);
    this.endOf = extended(new Int32Array(length), this.endOf);
    this.hashes = extended(new Int32Array(length), this.hashes);
    this.kinds = extended(new Int32Array(length), this.kinds);
    this.ownWeights = extended(new Int32Array(length), this.ownWeights);
  }
}

function extended<T extends Float64Array | Int32Array>(larger: T, array: T): T {
  larger.set(array);
  return larger;
}
