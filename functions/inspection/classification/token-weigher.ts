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

/** Number of models. Their weights of a bucket are beside each other, at `bucket << LANE_BITS`. */
const LANES = 3;
const LANE_BITS = 2;

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
  private readonly table: Int8Array;
  private readonly classes: WordClasses;
  private readonly scratch = new Int32Array(MAX_OWN_FEATURES);
  /** For each token: its hash, its kind, and its own weights by model. */
  private hashes = new Int32Array(FIRST_CAPACITY);
  private kinds = new Int32Array(FIRST_CAPACITY);
  private ownWeights = new Int32Array(FIRST_CAPACITY * LANES);
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
    this.table = interleaved(models);
    this.classes = classes;
  }

  read(text: string): void {
    this.readTokens(text);
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
        if (token + 1 >= this.features.length) this.grow();
        const kindAndCount = facts[fact + KIND_AND_COUNT] as number;
        this.hashes[token] = facts[fact] as number;
        this.kinds[token] = kindAndCount >> COUNT_BITS;
        for (let lane = 0; lane < LANES; lane++)
          this.ownWeights[token * LANES + lane] = facts[fact + WORD_WEIGHTS + lane] as number;
        count += (kindAndCount & COUNT_MASK) + 2 + KIND_FEATURES;
      } else {
        const character = KINDS[units[at] as number] as number;
        at += 1;
        if (character === SPACE) continue;
        at = tokenEnd(units, start, length, character);
        const slot = this.remember(units, start, at, character === LETTER);
        if (token + 1 >= this.features.length) this.grow();
        this.hashes[token] = memoryWeights[(slot + HASH) >> 1] as number;
        this.kinds[token] = memory[slot + KIND] as number;
        for (let lane = 0; lane < LANES; lane++)
          this.ownWeights[token * LANES + lane] = memoryWeights[((slot + WEIGHTS) >> 1) + lane] as number;
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
    const { table, hashes, kinds, ownWeights, tokens } = this;
    const [firsts, seconds, thirds] = this.sums as [Float64Array, Float64Array, Float64Array];
    let first = 0;
    let second = 0;
    let third = 0;
    let previous = 0;
    let beforePrevious = 0;
    let [kind1, kind2, kind3] = [NO_KIND, NO_KIND, NO_KIND];
    for (let token = 0; token < tokens; token++) {
      const hash = hashes[token] as number;
      const kind = kinds[token] as number;
      const pair = pairBucket(previous, hash) << LANE_BITS;
      const triple = tripleBucket(beforePrevious, previous, hash) << LANE_BITS;
      const next = kindsBucket(1, kind1, kind) << LANE_BITS;
      const nextButOne = kindsBucket(2, kind2, kind) << LANE_BITS;
      const farthest = kindsBucket(3, kind3, kind) << LANE_BITS;
      const own = token * LANES;
      first +=
        (ownWeights[own] as number) +
        (table[pair] as number) +
        (table[triple] as number) +
        (table[next] as number) +
        (table[nextButOne] as number) +
        (table[farthest] as number);
      second +=
        (ownWeights[own + 1] as number) +
        (table[pair + 1] as number) +
        (table[triple + 1] as number) +
        (table[next + 1] as number) +
        (table[nextButOne + 1] as number) +
        (table[farthest + 1] as number);
      third +=
        (ownWeights[own + 2] as number) +
        (table[pair + 2] as number) +
        (table[triple + 2] as number) +
        (table[next + 2] as number) +
        (table[nextButOne + 2] as number) +
        (table[farthest + 2] as number);
      firsts[token + 1] = first;
      seconds[token + 1] = second;
      thirds[token + 1] = third;
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
      const bucket = (scratch[at] as number) << LANE_BITS;
      for (let lane = 0; lane < LANES; lane++) own[lane] = (own[lane] as number) + (table[bucket + lane] as number);
    }
  }

  private grow(): void {
    const length = 2 * this.startOf.length;
    this.sums = this.sums.map((sums) => extended(new Float64Array(length), sums));
    this.features = extended(new Int32Array(length), this.features);
    this.startOf = extended(new Int32Array(length), this.startOf);
    this.endOf = extended(new Int32Array(length), this.endOf);
    this.hashes = extended(new Int32Array(length), this.hashes);
    this.kinds = extended(new Int32Array(length), this.kinds);
    this.ownWeights = extended(new Int32Array(length * LANES), this.ownWeights);
  }
}

/** The models' weights beside each other, by bucket. */
function interleaved(models: Models): Int8Array {
  const table = new Int8Array(BUCKETS << LANE_BITS);
  for (const [lane, model] of models.entries()) {
    const mask = model.length - 1;
    for (let bucket = 0; bucket < BUCKETS; bucket++)
      table[(bucket << LANE_BITS) + lane] = model[bucket & mask] as number;
  }
  return table;
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
