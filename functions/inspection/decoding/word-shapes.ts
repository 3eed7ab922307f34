import { CUE_WORDS, ORDER_WORDS, VOCABULARY } from './vocabulary.ts';
import written from './word-shapes.generated.json' with { type: 'json' };
import { inflectedVocabulary } from './word-trie.ts';

const FACTOR = 0x01000193;
const SLOTS = 1 << 15;
/** An entry: its bits, the word's length, and its first letter, counted from 1. */
const ENTRY_BITS = 14;
const ENTRY_MASK = (1 << ENTRY_BITS) - 1;
const A = 0x61;
/** Shorter words are ambiguous under shifts of the alphabet. */
const MIN_DISGUISED = 3;
const MAX_WORD = 32;

/** Bits of an entry: the writing of its word, and whether it is a cue word of attacks. */
const PLAIN = 0;
export const MIRRORED = 1;
export const REVERSED = 2;
const CUE = 4;
const ORDER = 8;

/** Powers of FACTOR, for joining two shapes. */
const POWERS = Int32Array.from({ length: MAX_WORD + 1 }, () => 1);
for (let power = 1; power <= MAX_WORD; power++) POWERS[power] = Math.imul(POWERS[power - 1] as number, FACTOR);

/** The shape with one more letter. A shape encodes the steps between letters, so that it is equal for all shifts of the alphabet. */
export function extendShape(shape: number, previous: number, letter: number): number {
  return (Math.imul(shape, FACTOR) + stepBetween(previous, letter)) | 0;
}

/** The shape of two words written as one. */
export function joinShapes(
  first: number,
  firstLast: number,
  second: number,
  secondFirst: number,
  secondLength: number,
): number {
  const bridge = Math.imul(stepBetween(firstLast, secondFirst), POWERS[secondLength - 1] as number);
  return (Math.imul(first, POWERS[secondLength] as number) + bridge + second) | 0;
}

/** The step between two letters, 1..26, equal for all shifts of the alphabet. */
function stepBetween(previous: number, letter: number): number {
  const step = letter - previous;
  return step + ((step >> 31) & 26) + 1;
}

/** The words of the vocabulary by shape: one lookup finds a word in any shift of the alphabet (ROT13), mirrored (Atbash), or reversed. */
export class WordShapes {
  /** 0 for an empty slot, else an entry below the bits of the shape that the slot does not cover. */
  private readonly table = new Uint32Array(SLOTS);

  private constructor() {}

  static ofVocabulary(): WordShapes {
    const shapes = new WordShapes();
    const [orders, cues] = [new Set(ORDER_WORDS), new Set(CUE_WORDS)];
    for (const word of inflectedVocabulary())
      shapes.add(word, orders.has(word) ? ORDER | CUE : cues.has(word) ? CUE : 0);
    for (const word of new Set([...VOCABULARY, ...ORDER_WORDS, ...CUE_WORDS])) {
      if (word.length < MIN_DISGUISED) continue;
      for (const writing of [REVERSED, MIRRORED, MIRRORED | REVERSED]) shapes.add(word, writing);
    }
    return shapes;
  }

  /** Reads what `pack` returned. */
  static unpack(packed: string): WordShapes {
    const shapes = new WordShapes();
    Buffer.from(shapes.table.buffer).write(packed, 'base64');
    return shapes;
  }

  /** The table in base64, with empty slots: a start does not decode it entry by entry. */
  pack(): string {
    return Buffer.from(this.table.buffer).toString('base64');
  }

  /** The entry of a word by its shape, the plain one if several words are shifts of each other; 0 for none. */
  find(shape: number, length: number, firstLetter: number): number {
    const mixed = mix(shape);
    const print = mixed >>> ENTRY_BITS;
    let found = 0;
    for (let slot = mixed & (SLOTS - 1); ; slot = (slot + 1) & (SLOTS - 1)) {
      const held = this.table[slot] as number;
      if (held === 0) return found;
      if (held >>> ENTRY_BITS !== print) continue;
      const entry = held & ENTRY_MASK;
      if (lengthOf(entry) !== (length & 31)) continue;
      if (isPlain(entry, firstLetter)) return entry;
      if (found === 0) found = entry;
    }
  }

  isCue(word: string): boolean {
    const first = word.charCodeAt(0);
    const entry = this.find(shapeOf(word), word.length, first);
    return isPlain(entry, first) && isCue(entry);
  }

  /** Adds a word in the writing of `bits`, unless its slot is taken: plain words are added first. */
  private add(word: string, bits: number): void {
    const { length } = word;
    const isReversed = (bits & REVERSED) !== 0;
    const first = letterAt(word, isReversed ? length - 1 : 0, bits);
    let shape = 0;
    let previous = first;
    for (let at = 1; at < length; at++) {
      const letter = letterAt(word, isReversed ? length - 1 - at : at, bits);
      shape = extendShape(shape, previous, letter);
      previous = letter;
    }
    const found = this.find(shape, length, first);
    if (found !== 0 && ((bits & (MIRRORED | REVERSED)) !== 0 || isPlain(found, first))) return;
    const mixed = mix(shape);
    let slot = mixed & (SLOTS - 1);
    while (this.table[slot] !== 0) slot = (slot + 1) & (SLOTS - 1);
    const entry = (bits << 10) | ((length & 31) << 5) | (first - A + 1);
    this.table[slot] = ((mixed >>> ENTRY_BITS) << ENTRY_BITS) | entry;
  }
}

/** Whether an entry is that of a plain word, given its first letter. */
export function isPlain(entry: number, firstLetter: number): boolean {
  return entry !== 0 && writingOf(entry) === PLAIN && shiftOf(entry, firstLetter) === 0;
}

/** The shift of a word's alphabet, 0..25, given its first letter. */
export function shiftOf(entry: number, firstLetter: number): number {
  return (firstLetter - A - ((entry & 31) - 1) + 26) % 26;
}

/** The writing of an entry's word: PLAIN, MIRRORED, REVERSED or both. */
export function writingOf(entry: number): number {
  return (entry >> 10) & (MIRRORED | REVERSED);
}

export function isCue(entry: number): boolean {
  return ((entry >> 10) & CUE) !== 0;
}

export function isOrder(entry: number): boolean {
  return ((entry >> 10) & ORDER) !== 0;
}

function lengthOf(entry: number): number {
  return (entry >> 5) & 31;
}

function shapeOf(word: string): number {
  let shape = 0;
  for (let at = 1; at < word.length; at++) shape = extendShape(shape, word.charCodeAt(at - 1), word.charCodeAt(at));
  return shape;
}

/** Distributes a shape over all bits. */
function mix(shape: number): number {
  const mixed = Math.imul(shape ^ (shape >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}

/** A letter of a word, in the mirrored alphabet (a for z) if `bits` say so. */
function letterAt(word: string, at: number, bits: number): number {
  const letter = word.charCodeAt(at);
  return (bits & MIRRORED) === 0 ? letter : 2 * A + 25 - letter;
}

/** The shapes of the vocabulary in their committed form, and their words. */
export function writtenShapes(): { readonly words: string; readonly shapes: string } {
  return { words: wordsShaped(), shapes: WordShapes.ofVocabulary().pack() };
}

function wordsShaped(): string {
  return [VOCABULARY, ORDER_WORDS, CUE_WORDS].map((words) => words.join(' ')).join('\n');
}

let shared: WordShapes | undefined;

/** Returns the shared table, read on first use; built again if the vocabulary has changed since the committed form. */
export function wordShapes(): WordShapes {
  shared ??= written.words === wordsShaped() ? WordShapes.unpack(written.shapes) : WordShapes.ofVocabulary();
  return shared;
}
