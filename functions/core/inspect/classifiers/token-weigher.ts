import { codeUnits } from '../../pattern-engine/index.ts';
import { plainWords, WORD_NUMBERS, wordNumbers } from '../views/plain-words.ts';
import {
  foldDigit,
  hashToken,
  KIND_FEATURES,
  kindOf,
  kindsBucket,
  MAX_OWN_FEATURES,
  MOST_MARKS,
  NO_KIND,
  ownFeatures,
  pairBucket,
  tripleBucket,
  type WordClasses,
} from './features.ts';
import { KINDS, LETTER, MAX_WORD_UNITS, SPACE, tokenEnd } from './tokens.ts';
import type { PlacedTokens } from './window-score.ts';

/** Cached facts of a plain word, by its number: hash, kind (above the feature count), and both weights. */
const FACTS = 4;
const KIND_AND_COUNT = 1;
const FIRST_WEIGHT = 2;
const OTHER_WEIGHT = 3;
/** Bits of the feature count, enough for the features of any single token. */
const COUNT_BITS = 8;
const COUNT_MASK = (1 << COUNT_BITS) - 1;

/** Slots of the cache for other tokens. */
const MEMORY_BITS = 12;
const MEMORY = 1 << MEMORY_BITS;
/**
 * A cache slot, in units of two bytes: the length with the feature count, the kind, the hash, the weights, then the letters.
 * Digits are folded, so that all numbers of one shape share an entry.
 */
const SLOT = 32;
const LENGTH_BITS = 5;
const LENGTH_MASK = (1 << LENGTH_BITS) - 1;
const KIND = 1;
const HASH = 2;
const WEIGHT = 4;
const SECOND_WEIGHT = 6;
const LETTERS = SLOT - MAX_WORD_UNITS;
const FIRST_CAPACITY = 1024;

/**
 * Weighs the tokens of texts by two models in one pass, since both use the same features and computing these takes most of the time.
 * Weights of single words are cached: few words make up most of any text.
 */
export class TokenWeigher {
  /** The tokens of the last text, weighed by the first and by the second model. */
  first: PlacedTokens;
  second: PlacedTokens;

  private tokens = 0;
  private weights = new Float64Array(FIRST_CAPACITY);
  private secondWeights = new Float64Array(FIRST_CAPACITY);
  private features = new Int32Array(FIRST_CAPACITY);
  private startOf = new Int32Array(FIRST_CAPACITY);
  private endOf = new Int32Array(FIRST_CAPACITY);
  private readonly model: Int8Array;
  private readonly secondModel: Int8Array;
  private readonly classes: WordClasses;
  private readonly scratch = new Int32Array(MAX_OWN_FEATURES);
  /** For each token: its hash, its kind, and its own weights. */
  private hashes = new Int32Array(FIRST_CAPACITY);
  private kinds = new Int32Array(FIRST_CAPACITY);
  private ownWeights = new Int32Array(FIRST_CAPACITY);
  private secondOwnWeights = new Int32Array(FIRST_CAPACITY);
  private readonly memory = new Uint16Array(MEMORY * SLOT);
  private readonly memoryWeights = new Int32Array(this.memory.buffer);
  /** KIND_AND_COUNT is 0 for a word that is not cached yet. */
  private readonly facts = new Int32Array(WORD_NUMBERS * FACTS);
  private generation = wordNumbers.generation;
  /** The facts of the token that was computed last. */
  private hash = 0;
  private kind = 0;
  private count = 0;
  private weight = 0;
  private secondWeight = 0;

  constructor(model: Int8Array, secondModel: Int8Array, classes: WordClasses) {
    this.model = model;
    this.secondModel = secondModel;
    this.classes = classes;
    this.first = this.weighed(this.weights);
    this.second = this.weighed(this.secondWeights);
  }

  read(text: string): void {
    this.readTokens(text);
    this.weigh();
    // Both objects have one shape, so that the JIT compiles the window search for that shape alone.
    this.first = this.weighed(this.weights);
    this.second = this.weighed(this.secondWeights);
  }

  /** One loop over the text: a function call costs as much as the few nanoseconds that a character takes. */
  private readTokens(text: string): void {
    const words = plainWords(text);
    this.evictOld();
    const units = codeUnits(text);
    const { length } = text;
    const { memory, memoryWeights, facts } = this;
    const { starts, ends, numbers, end } = words;
    let word = 0;
    let nextWord = end > 0 ? (starts[0] as number) : length;
    let token = 0;
    let count = 0;
    for (let at = 0; at < length; ) {
      const start = at;
      if (at === nextWord) {
        at = ends[word] as number;
        const fact = (numbers[word] as number) * FACTS;
        word += 1;
        nextWord = word < end ? (starts[word] as number) : length;
        if (facts[fact + KIND_AND_COUNT] === 0) this.learnWord(fact, units, start, at);
        if (token + 1 >= this.weights.length) this.grow();
        const kindAndCount = facts[fact + KIND_AND_COUNT] as number;
        this.hashes[token] = facts[fact] as number;
        this.kinds[token] = kindAndCount >> COUNT_BITS;
        this.ownWeights[token] = facts[fact + FIRST_WEIGHT] as number;
        this.secondOwnWeights[token] = facts[fact + OTHER_WEIGHT] as number;
        count += (kindAndCount & COUNT_MASK) + 2 + KIND_FEATURES;
      } else {
        const character = KINDS[units[at] as number] as number;
        at += 1;
        if (character === SPACE) continue;
        at = tokenEnd(units, start, length, character);
        const slot = this.remember(units, start, at, character === LETTER);
        if (token + 1 >= this.weights.length) this.grow();
        this.hashes[token] = memoryWeights[(slot + HASH) >> 1] as number;
        this.kinds[token] = memory[slot + KIND] as number;
        this.ownWeights[token] = memoryWeights[(slot + WEIGHT) >> 1] as number;
        this.secondOwnWeights[token] = memoryWeights[(slot + SECOND_WEIGHT) >> 1] as number;
        count += ((memory[slot] as number) >> LENGTH_BITS) + 2 + KIND_FEATURES;
      }
      this.startOf[token] = start;
      this.endOf[token] = at;
      token += 1;
      this.features[token] = count;
    }
    this.tokens = token;
  }

  /** Clears the cache when word numbers are reused. */
  private evictOld(): void {
    if (this.generation === wordNumbers.generation) return;
    this.facts.fill(0);
    this.generation = wordNumbers.generation;
  }

  /** A separate loop: memory accesses of many tokens then overlap. */
  private weigh(): void {
    const { model, secondModel, weights, secondWeights, hashes, kinds, ownWeights, secondOwnWeights, tokens } = this;
    const mask = secondModel.length - 1;
    let weight = 0;
    let secondWeight = 0;
    let previous = 0;
    let beforePrevious = 0;
    let [kind1, kind2, kind3] = [NO_KIND, NO_KIND, NO_KIND];
    for (let token = 0; token < tokens; token++) {
      const hash = hashes[token] as number;
      const kind = kinds[token] as number;
      const pair = pairBucket(previous, hash);
      const triple = tripleBucket(beforePrevious, previous, hash);
      const next = kindsBucket(1, kind1, kind);
      const second = kindsBucket(2, kind2, kind);
      const third = kindsBucket(3, kind3, kind);
      weight +=
        (ownWeights[token] as number) +
        (model[pair] as number) +
        (model[triple] as number) +
        (model[next] as number) +
        (model[second] as number) +
        (model[third] as number);
      secondWeight +=
        (secondOwnWeights[token] as number) +
        (secondModel[pair & mask] as number) +
        (secondModel[triple & mask] as number) +
        (secondModel[next & mask] as number) +
        (secondModel[second & mask] as number) +
        (secondModel[third & mask] as number);
      weights[token + 1] = weight;
      secondWeights[token + 1] = secondWeight;
      beforePrevious = previous;
      previous = hash;
      kind3 = kind2;
      kind2 = kind1;
      kind1 = kind;
    }
  }

  /** Returns the cache slot with the token's own weights. */
  private remember(units: Uint16Array, start: number, end: number, isWord: boolean): number {
    const { memory } = this;
    const length = Math.min(end - start, isWord ? MAX_WORD_UNITS : MOST_MARKS);
    const slot = slotOf(units, start, length);
    // Two words may share a slot: compare the letters.
    let known = ((memory[slot] as number) & LENGTH_MASK) === length;
    for (let at = 0; known && at < length; at++)
      known = memory[slot + LETTERS + at] === foldDigit(units[start + at] as number);
    if (!known) this.learn(slot, length, units, start, end, isWord);
    return slot;
  }

  private learnWord(fact: number, units: Uint16Array, start: number, end: number): void {
    const { facts } = this;
    this.learnToken(units, start, end, true);
    facts[fact] = this.hash;
    facts[fact + KIND_AND_COUNT] = (this.kind << COUNT_BITS) | this.count;
    facts[fact + FIRST_WEIGHT] = this.weight;
    facts[fact + OTHER_WEIGHT] = this.secondWeight;
  }

  private learn(slot: number, length: number, units: Uint16Array, start: number, end: number, isWord: boolean): void {
    const { memory } = this;
    this.learnToken(units, start, end, isWord);
    memory[slot] = (this.count << LENGTH_BITS) | length;
    memory[slot + KIND] = this.kind;
    this.memoryWeights[(slot + HASH) >> 1] = this.hash;
    this.memoryWeights[(slot + WEIGHT) >> 1] = this.weight;
    this.memoryWeights[(slot + SECOND_WEIGHT) >> 1] = this.secondWeight;
    for (let at = 0; at < length; at++) memory[slot + LETTERS + at] = foldDigit(units[start + at] as number);
  }

  /** Computes a token's hash, kind and own weights. */
  private learnToken(units: Uint16Array, start: number, end: number, isWord: boolean): void {
    const { model, secondModel, scratch } = this;
    const mask = secondModel.length - 1;
    this.hash = hashToken(units, start, end, isWord);
    this.kind = kindOf(this.hash, units[start] as number, isWord, this.classes);
    this.count = ownFeatures(this.hash, this.kind, units, start, end, isWord, scratch, 0);
    this.weight = 0;
    this.secondWeight = 0;
    for (let at = 0; at < this.count; at++) {
      const bucket = scratch[at] as number;
      this.weight += model[bucket] as number;
      this.secondWeight += secondModel[bucket & mask] as number;
    }
  }

  private weighed(weights: Float64Array): PlacedTokens {
    const { tokens, features, startOf, endOf } = this;
    return { tokens, weights, features, startOf, endOf };
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
    this.secondOwnWeights = extended(new Int32Array(length), this.secondOwnWeights);
    this.secondWeights = extended(new Float64Array(length), this.secondWeights);
  }
}

/** Hashes the length and some of the letters: hashing all of them would take as long as reading the token. */
function slotOf(units: Uint16Array, start: number, length: number): number {
  const last = start + length - 1;
  const ends = (foldDigit(units[start] as number) << 16) ^ (foldDigit(units[last] as number) << 8) ^ length;
  const second = length > 1 ? foldDigit(units[start + 1] as number) : 0;
  const inner =
    (foldDigit(units[start + (length >> 1)] as number) << 16) ^
    (second << 8) ^
    (length > 2 ? foldDigit(units[last - 1] as number) : 0);
  return (Math.imul(Math.imul(ends, 0x9e3779b1) ^ inner, 0x85ebca6b) >>> (32 - MEMORY_BITS)) * SLOT;
}

function extended<T extends Float64Array | Int32Array>(larger: T, array: T): T {
  larger.set(array);
  return larger;
}
