import { MAX_WORD_UNITS } from './tokens.ts';

/** Hash table slots: a power of two, two thirds of them used. */
const SLOTS = 1 << 16;
/** A slot is three bytes: the hash bits that its index does not cover, and the word class. */
const CLASS_BITS = 11;
const TAG_BITS = 13;
const BYTES_A_SLOT = 3;

/** Word classes are 1 to this number; kinds of tokens without a class follow. */
const MOST_CLASSES = (1 << CLASS_BITS) - 1;

/**
 * Word classes: words with similar usage share a class, so that the model generalises from one to the others. Words are looked up by
 * token hash; about one unclassified word in a thousand collides with a classified one.
 */
export class WordClasses {
  /** Read in packed form: decoding all slots would slow down the start. */
  private readonly bytes: Uint8Array;

  private constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** @throws RangeError for text that `pack` did not produce */
  static unpack(packed: string): WordClasses {
    const bytes = Buffer.from(packed, 'base64');
    if (bytes.length !== SLOTS * BYTES_A_SLOT) throw new RangeError(`word classes of ${bytes.length} bytes`);
    return new WordClasses(bytes);
  }

  /** Builds the table from token hashes; the first of two equal hashes wins. @throws RangeError if they do not fit */
  static of(classes: Iterable<readonly [hash: number, wordClass: number]>): WordClasses {
    const slots = new WordClasses(new Uint8Array(SLOTS * BYTES_A_SLOT));
    let taken = 0;
    for (const [hash, wordClass] of classes) {
      if (wordClass < 1 || wordClass > MOST_CLASSES || ++taken > 0.8 * SLOTS)
        throw new RangeError('too many word classes');
      const tag = tagOf(hash);
      let slot = slotOf(hash);
      while (slots.at(slot) !== 0 && slots.at(slot) >>> CLASS_BITS !== tag) slot = (slot + 1) & (SLOTS - 1);
      if (slots.at(slot) === 0) slots.put(slot, (tag << CLASS_BITS) | wordClass);
    }
    return slots;
  }

  pack(): string {
    return Buffer.from(this.bytes).toString('base64');
  }

  /** The class of the word with this token hash; 0 if it has none. */
  classOf(hash: number): number {
    const tag = tagOf(hash);
    for (let slot = slotOf(hash); ; slot = (slot + 1) & (SLOTS - 1)) {
      const value = this.at(slot);
      if (value === 0) return 0;
      if (value >>> CLASS_BITS === tag) return value & MOST_CLASSES;
    }
  }

  private at(slot: number): number {
    const at = slot * BYTES_A_SLOT;
    const { bytes } = this;
    return (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16);
  }

  private put(slot: number, value: number): void {
    for (let byte = 0; byte < BYTES_A_SLOT; byte++)
      this.bytes[slot * BYTES_A_SLOT + byte] = (value >>> (8 * byte)) & 0xff;
  }
}

function slotOf(hash: number): number {
  return (hash ^ (hash >>> 15)) & (SLOTS - 1);
}

function tagOf(hash: number): number {
  return hash >>> (32 - TAG_BITS);
}

/** Number of buckets that features are hashed into. */
export const BUCKETS = 1 << 18;

const SHORTEST_GRAM = 3;
const LONGEST_GRAM = 5;
/** The most features of a single token: the token, its kind, and its letter groups. */
export const MAX_OWN_FEATURES = 2 + (MAX_WORD_UNITS + 2) * (LONGEST_GRAM - SHORTEST_GRAM + 1);

const SEED = {
  word: 0x51ed270b,
  pair: 0x2c1b3c6d,
  triple: 0x297a2d39,
  gram: 0x85ebca6b,
  kind: 0x1b873593,
  kinds: [0x27d4eb2f, 0x165667b1, 0x9e3779b9],
} as const;

/** Kinds of tokens without a word class. A punctuation mark's kind is `MARK` plus the mark's last byte. */
const NUMBER = MOST_CLASSES + 1;
const WORD = MOST_CLASSES + 2;
const FOREIGN_WORD = MOST_CLASSES + 3;
const MARK = MOST_CLASSES + 4;
/** The kind before the first token of a text. */
export const NO_KIND = 0;
/** Number of features that combine a token's kind with the kinds before it. */
export const KIND_FEATURES = 3;

/** Repeats of a mark count up to this number. */
export const MOST_MARKS = 3;

export function hashToken(units: Uint16Array, start: number, end: number, isWord: boolean): number {
  let hash: number = SEED.word;
  if (!isWord) return mix(mix(hash, units[start] as number), Math.min(end - start, MOST_MARKS));
  const stop = Math.min(end, start + MAX_WORD_UNITS);
  for (let at = start; at < stop; at++) hash = mix(hash, foldDigit(units[at] as number));
  return hash;
}

/** A token's kind: its word class, or what it is otherwise. `unit` is its first code unit. */
export function kindOf(hash: number, unit: number, isWord: boolean, classes: WordClasses): number {
  if (!isWord) return MARK + (unit & 0xff);
  const wordClass = classes.classOf(hash);
  if (wordClass !== 0) return wordClass;
  if (unit >= 0x30 && unit <= 0x39) return NUMBER;
  return unit < 0x80 ? WORD : FOREIGN_WORD;
}

/**
 * Writes the buckets of a single token's features into `into` from index `at`: the token, its kind, and for a word its groups of
 * three to five letters, including its edges. Returns the next free index.
 */
export function ownFeatures(
  hash: number,
  kind: number,
  units: Uint16Array,
  start: number,
  end: number,
  isWord: boolean,
  into: Int32Array,
  at: number,
): number {
  into[at++] = toBucket(hash);
  into[at++] = toBucket(mix(SEED.kind, kind));
  const stop = Math.min(end, start + MAX_WORD_UNITS);
  if (!isWord || stop - start < SHORTEST_GRAM - 1) return at;
  for (let from = start - 1; from + SHORTEST_GRAM <= stop + 1; from++) {
    let gram: number = SEED.gram;
    const to = Math.min(from + LONGEST_GRAM, stop + 1);
    for (let index = from; index < to; index++) {
      gram = mix(gram, index < start || index >= stop ? 0 : foldDigit(units[index] as number));
      if (index - from >= SHORTEST_GRAM - 1) into[at++] = toBucket(gram);
    }
  }
  return at;
}

/** The bucket of two adjacent tokens. */
export function pairBucket(previous: number, hash: number): number {
  return toBucket(mix(mix(SEED.pair, previous), hash));
}

/** The bucket of three adjacent tokens. */
export function tripleBucket(beforePrevious: number, previous: number, hash: number): number {
  return toBucket(mix(mix(mix(SEED.triple, beforePrevious), previous), hash));
}

/** The bucket of a token's kind and the kind of the token `distance` (1 to 3) before it. */
export function kindsBucket(distance: 1 | 2 | 3, before: number, kind: number): number {
  return toBucket(mix(mix(SEED.kinds[distance - 1] as number, before), kind));
}

function mix(hash: number, value: number): number {
  const mixed = Math.imul(hash ^ value, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}

function toBucket(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) & (BUCKETS - 1);
}

/** Maps all digits to 0. */
export function foldDigit(unit: number): number {
  return unit >= 0x30 && unit <= 0x39 ? 0x30 : unit;
}
