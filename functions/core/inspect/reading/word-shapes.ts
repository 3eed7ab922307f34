import { CUE_WORDS, VOCABULARY } from './vocabulary.ts';
import { inflectedVocabulary } from './word-trie.ts';

const FACTOR = 0x01000193;
const SLOTS = 1 << 16;
const A = 0x61;
/** Shorter words fall together too easily once the alphabet may be shifted. */
const MIN_DISGUISED = 3;
const MAX_WORD = 32;

/** Bits of a shape: how its word is written, and whether it is one of the cues. */
const PLAIN = 0;
export const MIRRORED = 1;
export const REVERSED = 2;
const CUE = 4;

/** FACTOR to each power, for joining two shapes. */
const POWERS = Int32Array.from({ length: MAX_WORD + 1 }, () => 1);
for (let power = 1; power <= MAX_WORD; power++) POWERS[power] = Math.imul(POWERS[power - 1] as number, FACTOR);

/** The shape of what has one letter more: a shape tells the steps between letters, so that shifting the alphabet keeps it. */
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
  return ((letter - previous + 26) % 26) + 1;
}

/**
 * The words of the vocabulary by their shape, so that one look-up knows a word in any shift of the alphabet (ROT13), in its
 * mirror (Atbash), and backwards.
 */
export class WordShapes {
  private readonly shapes = new Int32Array(SLOTS);
  /** 0 for an empty slot, else the first letter (1..26), the word's length and its bits. */
  private readonly entries = new Uint16Array(SLOTS);

  constructor() {
    const cues = new Set(CUE_WORDS);
    for (const word of inflectedVocabulary()) this.add(word, cues.has(word) ? CUE : PLAIN);
    for (const word of VOCABULARY) {
      if (word.length < MIN_DISGUISED) continue;
      const backwards = [...word].reverse().join('');
      this.add(backwards, REVERSED);
      this.add(mirror(word), MIRRORED);
      this.add(mirror(backwards), MIRRORED | REVERSED);
    }
  }

  /** The entry of a word by its shape: of words that are shifts of each other the one as it stands; 0 for none. */
  find(shape: number, length: number, firstLetter: number): number {
    let found = 0;
    for (let slot = slotOf(shape); ; slot = (slot + 1) & (SLOTS - 1)) {
      const entry = this.entries[slot] as number;
      if (entry === 0) return found;
      if (this.shapes[slot] !== shape || lengthOf(entry) !== (length & 31)) continue;
      if (isPlain(entry, firstLetter)) return entry;
      if (found === 0) found = entry;
    }
  }

  private add(word: string, bits: number): void {
    let shape = 0;
    for (let at = 1; at < word.length; at++) shape = extendShape(shape, word.charCodeAt(at - 1), word.charCodeAt(at));
    const found = this.find(shape, word.length, word.charCodeAt(0));
    // What came first, the plain words, stays.
    if (found !== 0 && ((bits & (MIRRORED | REVERSED)) !== 0 || isPlain(found, word.charCodeAt(0)))) return;
    let slot = slotOf(shape);
    while (this.entries[slot] !== 0) slot = (slot + 1) & (SLOTS - 1);
    this.shapes[slot] = shape;
    this.entries[slot] = (bits << 10) | ((word.length & 31) << 5) | (word.charCodeAt(0) - A + 1);
  }
}

/** Whether an entry is that of a word which stands there as it is, given its first letter. */
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

function lengthOf(entry: number): number {
  return (entry >> 5) & 31;
}

function slotOf(shape: number): number {
  return (shape ^ (shape >>> 15)) & (SLOTS - 1);
}

/** The alphabet read backwards: a for z. */
function mirror(word: string): string {
  return [...word].map((letter) => String.fromCharCode(2 * A + 25 - letter.charCodeAt(0))).join('');
}

let shared: WordShapes | undefined;

/** The one table of the vocabulary's shapes, made when it is first needed. */
export function wordShapes(): WordShapes {
  shared ??= new WordShapes();
  return shared;
}
