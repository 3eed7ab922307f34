import { CUE_WORDS, ORDER_WORDS, VOCABULARY } from './vocabulary.ts';
import written from './word-shapes.generated.json' with { type: 'json' };
import { inflectedVocabulary } from './word-trie.ts';

const FACTOR = 0x01000193;
const SLOTS = 1 << 15;
/** An entry: its bits, the word's length, and its first letter from 1 on. */
const ENTRY_BITS = 14;
const ENTRY_MASK = (1 << ENTRY_BITS) - 1;
const A = 0x61;
/** Shorter words fall together too easily once the alphabet may be shifted. */
const MIN_DISGUISED = 3;
const MAX_WORD = 32;

/** Bits of an entry: how its word is written, and whether it is one that attacks are made of. */
const PLAIN = 0;
export const MIRRORED = 1;
export const REVERSED = 2;
const CUE = 4;
const ORDER = 8;

/** FACTOR to each power, for joining two shapes. */
const POWERS = Int32Array.from({ length: MAX_WORD + 1 }, () => 1);
for (let power = 1; power <= MAX_WORD; power++) POWERS[power] = Math.imul(POWERS[power - 1] as number, FACTOR);

/** The shape of what has one letter more: a shape encodes the steps between letters, so that shifting the alphabet keeps it. */
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

/** From letter to letter, 1..26, however the alphabet is shifted. */
function stepBetween(previous: number, letter: number): number {
  const step = letter - previous;
  return step + ((step >> 31) & 26) + 1;
}

/**
 * The words of the vocabulary by their shape, so that one look-up knows a word in any shift of the alphabet (ROT13), in its
 * mirror (Atbash), and backwards.
 */
export class WordShapes {
  /** 0 for an empty slot, else an entry under the bits of the shape that the slot does not cover. */
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

  /** From what `pack` gave. */
  static unpack(packed: string): WordShapes {
    const shapes = new WordShapes();
    Buffer.from(shapes.table.buffer).write(packed, 'base64');
    return shapes;
  }

  /** The table as it lies there, empty slots and all, in base64: no start reads it entry by entry. */
  pack(): string {
    return Buffer.from(this.table.buffer).toString('base64');
  }

  /** The entry of a word by its shape: of words that are shifts of each other the plain one; 0 for none. */
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

  /** Whether a plain word is a cue word of attacks. */
  isCue(word: string): boolean {
    const first = word.charCodeAt(0);
    const entry = this.find(shapeOf(word), word.length, first);
    return isPlain(entry, first) && isCue(entry);
  }

  /** Adds a word in the writing of `bits`, unless its slot is taken: plain words come first. */
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

/** How far the alphabet of a word found is shifted, 0..25, given its first letter. */
export function shiftOf(entry: number, firstLetter: number): number {
  return (firstLetter - A - ((entry & 31) - 1) + 26) % 26;
}

/** How the word of an entry is written: PLAIN, MIRRORED, REVERSED or both. */
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

/** Spreads a shape over all bits. */
function mix(shape: number): number {
  const mixed = Math.imul(shape ^ (shape >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}

/** A letter of a word, in the mirrored alphabet (a for z) if the bits are set so. */
function letterAt(word: string, at: number, bits: number): number {
  const letter = word.charCodeAt(at);
  return (bits & MIRRORED) === 0 ? letter : 2 * A + 25 - letter;
}

/** The shapes of the vocabulary as they are committed, and the words that they are of. */
export function writtenShapes(): { readonly words: string; readonly shapes: string } {
  return { words: wordsShaped(), shapes: WordShapes.ofVocabulary().pack() };
}

function wordsShaped(): string {
  return [VOCABULARY, ORDER_WORDS, CUE_WORDS].map((words) => words.join(' ')).join('\n');
}

let shared: WordShapes | undefined;

/** The one table of the vocabulary's shapes, read when it is first needed; made anew for words that were not written yet. */
export function wordShapes(): WordShapes {
  shared ??= written.words === wordsShaped() ? WordShapes.unpack(written.shapes) : WordShapes.ofVocabulary();
  return shared;
}
