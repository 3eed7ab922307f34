import { codeUnits } from '../pattern-engine/index.ts';
import { plainWords, WORD_NUMBERS, wordNumbers } from '../views/index.ts';
import {
  BUCKETS,
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

/** Number of models. Their weights of a bucket are parts of one integer, the first lowest: up to four such integers may be added. */
const LANES = 3;
const LANE_BITS = 11;
/** Shifts that leave the first or second part with its sign, if those below are 0. */
const ALONE = 32 - LANE_BITS;

/** Features of a token with those before it: a pair, a triple, and kinds. */
const COMBINED = 2 + KIND_FEATURES;

/** Cached facts of a plain word, by its number: hash, kind (above the feature count), and the weights. */
const FACTS = 2 + LANES;
const KIND_AND_COUNT = 1;
const WORD_WEIGHTS = 2;
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
const SLOT = 36;
const LENGTH_BITS = 5;
const LENGTH_MASK = (1 << LENGTH_BITS) - 1;
const KIND = 1;
const HASH = 2;
const WEIGHTS = 4;
const LETTERS = SLOT - MAX_WORD_UNITS;
const FIRST_CAPACITY = 1024;

/** The weights of the models that a text is weighed by; each by bucket, or fewer for a smaller power of two of buckets. */
export type Models = readonly [Int8Array, Int8Array, Int8Array];

/**
 * Weighs the tokens of texts by several models in one pass, since all use the same features and computing these takes most of the time.
 * Weights of single words are cached: few words make up most of any text.
 */
export class TokenWeigher {
  /** The tokens of the last text, weighed by each model. */
  weighed: readonly PlacedTokens[] = [];

  private tokens = 0;
  /** For each model: running totals over the tokens. */
  private sums = Array.from({ length: LANES }, () => new Float64Array(FIRST_CAPACITY));
  private features = new Int32Array(FIRST_CAPACITY);
  private startOf = new Int32Array(FIRST_CAPACITY);
  private endOf = new Int32Array(FIRST_CAPACITY);
  private readonly table: Int32Array;
  private readonly classes: WordClasses;
  private readonly scratch = new Int32Array(MAX_OWN_FEATURES);
  /** For each token: its hash, its kind, and its own weights by model. */
  private hashes = new Int32Array(FIRST_CAPACITY);
  private kinds = new Int32Array(FIRST_CAPACITY);
  private ownWeights = new Int32Array(FIRST_CAPACITY * LANES);
  /** For each token: the buckets of the features that combine it with those before it. */
  private buckets = new Int32Array(FIRST_CAPACITY * COMBINED);
  private readonly memory = new Uint16Array(MEMORY * SLOT);
  private readonly memoryWeights = new Int32Array(this.memory.buffer);
  /** KIND_AND_COUNT is 0 for a word that is not cached yet. */
  private readonly facts = new Int32Array(WORD_NUMBERS * FACTS);
  private generation = wordNumbers.generation;
  /** The facts of the token that was computed last. */
  private hash = 0;
  private kind = 0;
  private count = 0;
  private readonly own = new Int32Array(LANES);

  constructor(models: Models, classes: WordClasses) {
    this.table = packed(models);
    this.classes = classes;
  }

  read(text: string): void {
    this.readTokens(text);
    this.findBuckets();
    this.weigh();
    const { tokens, features, startOf, endOf } = this;
    // All objects have one shape, so that the JIT compiles the window search for that shape alone.
    this.weighed = this.sums.map((weights) => ({ tokens, weights, features, startOf, endOf }));
  }

  /** One loop over the text: a function call costs as much as the few nanoseconds that a character takes. */
  private readTokens(text: string): void {
    const words = plainWords(text);
    this.evictOld();
    const units = codeUnits(text);
    const { length } = text;
    this.makeRoom(length + 1);
    const { memory, memoryWeights, facts, hashes, kinds, ownWeights, startOf, endOf, features } = this;
    const { starts, ends, numbers, end } = words;
    let word = 0;
    let nextWord = end > 0 ? (starts[0] as number) : length;
    let token = 0;
    let count = 0;
    for (let at = 0; at < length; ) {
      const start = at;
      const own = token * LANES;
      if (at === nextWord) {
        at = ends[word] as number;
        const fact = (numbers[word] as number) * FACTS;
        word += 1;
        nextWord = word < end ? (starts[word] as number) : length;
        if (facts[fact + KIND_AND_COUNT] === 0) this.learnWord(fact, units, start, at);
        const kindAndCount = facts[fact + KIND_AND_COUNT] as number;
        hashes[token] = facts[fact] as number;
        kinds[token] = kindAndCount >> COUNT_BITS;
        ownWeights[own] = facts[fact + WORD_WEIGHTS] as number;
        ownWeights[own + 1] = facts[fact + WORD_WEIGHTS + 1] as number;
        ownWeights[own + 2] = facts[fact + WORD_WEIGHTS + 2] as number;
        count += (kindAndCount & COUNT_MASK) + COMBINED;
      } else {
        const character = KINDS[units[at] as number] as number;
        at += 1;
        if (character === SPACE) continue;
        at = tokenEnd(units, start, length, character);
        const slot = this.remember(units, start, at, character === LETTER);
        const weights = (slot + WEIGHTS) >> 1;
        hashes[token] = memoryWeights[(slot + HASH) >> 1] as number;
        kinds[token] = memory[slot + KIND] as number;
        ownWeights[own] = memoryWeights[weights] as number;
        ownWeights[own + 1] = memoryWeights[weights + 1] as number;
        ownWeights[own + 2] = memoryWeights[weights + 2] as number;
        count += ((memory[slot] as number) >> LENGTH_BITS) + COMBINED;
      }
      startOf[token] = start;
      endOf[token] = at;
      token += 1;
      features[token] = count;
    }
    this.tokens = token;
  }

  /** Clears the cache when word numbers are reused. */
  private evictOld(): void {
    if (this.generation === wordNumbers.generation) return;
    this.facts.fill(0);
    this.generation = wordNumbers.generation;
  }

  private findBuckets(): void {
    const { hashes, kinds, buckets, tokens } = this;
    let previous = 0;
    let beforePrevious = 0;
    let [kind1, kind2, kind3] = [NO_KIND, NO_KIND, NO_KIND];
    for (let token = 0, at = 0; token < tokens; token++, at += COMBINED) {
      const hash = hashes[token] as number;
      const kind = kinds[token] as number;
      buckets[at] = pairBucket(previous, hash);
      buckets[at + 1] = tripleBucket(beforePrevious, previous, hash);
      buckets[at + 2] = kindsBucket(1, kind1, kind);
      buckets[at + 3] = kindsBucket(2, kind2, kind);
      buckets[at + 4] = kindsBucket(3, kind3, kind);
      beforePrevious = previous;
      previous = hash;
      kind3 = kind2;
      kind2 = kind1;
      kind1 = kind;
    }
  }

  /** A separate loop of few steps: memory accesses of many tokens then overlap. */
  private weigh(): void {
    const { table, buckets, ownWeights, tokens } = this;
    const [firsts, seconds, thirds] = this.sums as [Float64Array, Float64Array, Float64Array];
    let first = 0;
    let second = 0;
    let third = 0;
    for (let token = 0, own = 0, at = 0; token < tokens; token++, own += LANES, at += COMBINED) {
      const four =
        (table[buckets[at] as number] as number) +
        (table[buckets[at + 1] as number] as number) +
        (table[buckets[at + 2] as number] as number) +
        (table[buckets[at + 3] as number] as number);
      const fifth = table[buckets[at + 4] as number] as number;
      first += (ownWeights[own] as number) + firstOf(four) + firstOf(fifth);
      second += (ownWeights[own + 1] as number) + secondOf(four) + secondOf(fifth);
      third += (ownWeights[own + 2] as number) + thirdOf(four) + thirdOf(fifth);
      firsts[token + 1] = first;
      seconds[token + 1] = second;
      thirds[token + 1] = third;
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
    facts.set(this.own, fact + WORD_WEIGHTS);
  }

  private learn(slot: number, length: number, units: Uint16Array, start: number, end: number, isWord: boolean): void {
    const { memory } = this;
    this.learnToken(units, start, end, isWord);
    memory[slot] = (this.count << LENGTH_BITS) | length;
    memory[slot + KIND] = this.kind;
    this.memoryWeights[(slot + HASH) >> 1] = this.hash;
    this.memoryWeights.set(this.own, (slot + WEIGHTS) >> 1);
    for (let at = 0; at < length; at++) memory[slot + LETTERS + at] = foldDigit(units[start + at] as number);
  }

  /** Computes a token's hash, kind and own weights. */
  private learnToken(units: Uint16Array, start: number, end: number, isWord: boolean): void {
    const { table, scratch, own } = this;
    this.hash = hashToken(units, start, end, isWord);
    this.kind = kindOf(this.hash, units[start] as number, isWord, this.classes);
    this.count = ownFeatures(this.hash, this.kind, units, start, end, isWord, scratch, 0);
    own.fill(0);
    for (let at = 0; at < this.count; at++) {
      const weights = table[scratch[at] as number] as number;
      own[0] = (own[0] as number) + firstOf(weights);
      own[1] = (own[1] as number) + secondOf(weights);
      own[2] = (own[2] as number) + thirdOf(weights);
    }
  }

  /** For a token at every character. */
  private makeRoom(tokens: number): void {
    if (tokens <= this.startOf.length) return;
    const length = Math.max(tokens, 2 * this.startOf.length);
    this.sums = this.sums.map(() => new Float64Array(length));
    this.features = new Int32Array(length);
    this.startOf = new Int32Array(length);
    this.endOf = new Int32Array(length);
    this.hashes = new Int32Array(length);
    this.kinds = new Int32Array(length);
    this.ownWeights = new Int32Array(length * LANES);
    this.buckets = new Int32Array(length * COMBINED);
  }
}

/** The models' weights by bucket. */
function packed([first, second, third]: Models): Int32Array {
  const table = new Int32Array(BUCKETS);
  const last = [first.length - 1, second.length - 1, third.length - 1] as const;
  // A loop without calls: it is most of what creating the classifier takes, at each start.
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    table[bucket] =
      (first[bucket & last[0]] as number) +
      ((second[bucket & last[1]] as number) << LANE_BITS) +
      ((third[bucket & last[2]] as number) << (2 * LANE_BITS));
  }
  return table;
}

function firstOf(weights: number): number {
  return (weights << ALONE) >> ALONE;
}

function secondOf(weights: number): number {
  return ((weights - firstOf(weights)) << (ALONE - LANE_BITS)) >> ALONE;
}

/** What is below the third part is less than half of it. */
function thirdOf(weights: number): number {
  return (weights + (1 << (2 * LANE_BITS - 1))) >> (2 * LANE_BITS);
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
