import { codeUnits } from '../pattern-engine/index.ts';

const NUMBER_BITS = 14;
/** Numbers are below this. */
export const WORD_NUMBERS = 1 << NUMBER_BITS;
/** More words get no number, so that lookups stay short. */
const MOST_WORDS = (3 * WORD_NUMBERS) / 4;
/** Words that collide more often get no number: an attacker could choose such words to cost time. */
const MOST_LOOKS = 16;
export const NO_NUMBER = -1;

/** Five bits each, six letters in each of two integers. */
const LETTER_BITS = 5;
const LETTERS_A_HALF = 6;

/**
 * Numbers words of at most twelve letters, so that facts about a word can be cached by number. `generation` changes when the numbers are
 * reused.
 */
export class WordNumbers {
  generation = 0;
  /** At `2 * number` the code of the word's last six letters, 0 for a free slot, followed by that of the letters before them. */
  private readonly letters = new Int32Array(2 * WORD_NUMBERS);
  private count = 0;

  /** The number of a word, given its letters' codes; NO_NUMBER for a new one if there are too many words or collisions. */
  of(first: number, last: number): number {
    let number = Math.imul(Math.imul(first, 0x85ebca6b) ^ last, 0x9e3779b1) >>> (32 - NUMBER_BITS);
    for (let look = 0; look < MOST_LOOKS; look++) {
      const held = this.letters[2 * number] as number;
      if (held === last && this.letters[2 * number + 1] === first) return number;
      if (held === 0) return this.add(number, first, last);
      number = (number + 1) & (WORD_NUMBERS - 1);
    }
    return NO_NUMBER;
  }

  /** Clears the table if it is full. */
  renew(): void {
    if (this.count < MOST_WORDS) return;
    this.letters.fill(0);
    this.count = 0;
    this.generation += 1;
  }

  private add(number: number, first: number, last: number): number {
    if (this.count === MOST_WORDS) return NO_NUMBER;
    this.count += 1;
    this.letters[2 * number] = last;
    this.letters[2 * number + 1] = first;
    return number;
  }
}

/** The shared numbering of all readers. */
export const wordNumbers = new WordNumbers();

/**
 * Words of few lower-case letters, with nothing next to them that could be part of a word: all readers agree on them. Word `w`, from `first` up to
 * `end`, is [starts[w] - offset, ends[w] - offset) of the requested part of a text, and `numbers[w]` is its number.
 */
export interface PlainWords {
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly numbers: Uint16Array;
  readonly first: number;
  readonly end: number;
  readonly offset: number;
}

const MOST_LETTERS = 2 * LETTERS_A_HALF;
const HALF_BITS = LETTERS_A_HALF * LETTER_BITS;
const HALF_MASK = (1 << HALF_BITS) - 1;

/** By code unit: 1 to 26 for a lower-case letter, APART for separators of words, PART for all else. */
const LAST_LETTER = 26;
const APART = 27;
const PART = 28;
/** Apostrophes belong to words, and some signs replace letters. */
const MAY_BE_OF_WORD = /[\w@$!|+']/;
const CODES = codes();

const SHORT_UNITS = 256;
const FIRST_WORDS = 1024;
/** Arrays for more words than this are not kept. */
const MOST_KEPT = 1 << 18;

/** Finds the plain words of texts; a result is valid until the next call. */
export class PlainWordReader {
  private starts = new Int32Array(FIRST_WORDS);
  private ends = new Int32Array(FIRST_WORDS);
  private numbers = new Uint16Array(FIRST_WORDS);
  private count = 0;
  /** The last text, and the generation of its numbers. */
  private shown: string | undefined;
  private generation = 0;

  /** The plain words of a text, or of a part of it. The last text is cached as a whole; of another one only the part is read. */
  of(text: string, from = 0, to = text.length): PlainWords {
    const isPart = from > 0 || to < text.length;
    if (!this.knows(text)) this.read(isPart ? text.slice(from, to) : text);
    else if (isPart) return this.part(from, to);
    const { starts, ends, numbers, count } = this;
    return { starts, ends, numbers, first: 0, end: count, offset: 0 };
  }

  /** Whether this is the cached text. */
  knows(text: string): boolean {
    return text === this.shown && this.generation === wordNumbers.generation;
  }

  private part(from: number, to: number): PlainWords {
    const { starts, ends, numbers, count } = this;
    return {
      starts,
      ends,
      numbers,
      first: firstAt(starts, count, from),
      end: firstAt(ends, count, to + 1),
      offset: from,
    };
  }

  /** One loop over the text: a function call costs as much as the nanosecond that a character takes. */
  private read(text: string): void {
    wordNumbers.renew();
    const units = codeUnits(text);
    const { length } = text;
    this.makeRoom(length);
    const { starts, ends, numbers } = this;
    let count = 0;
    let isApart = true;
    for (let at = 0; at < length; ) {
      let code = CODES[units[at] as number] as number;
      if (code > LAST_LETTER) {
        isApart = code === APART;
        at += 1;
        continue;
      }
      const start = at;
      let first = 0;
      let last = 0;
      do {
        first = (first << LETTER_BITS) | (last >>> (HALF_BITS - LETTER_BITS));
        last = ((last << LETTER_BITS) | code) & HALF_MASK;
        at += 1;
        code = at < length ? (CODES[units[at] as number] as number) : APART;
      } while (code <= LAST_LETTER);
      if (isApart && code === APART && at - start <= MOST_LETTERS) {
        const number = wordNumbers.of(first, last);
        if (number !== NO_NUMBER) {
          starts[count] = start;
          ends[count] = at;
          numbers[count] = number;
          count += 1;
        }
      }
      isApart = false;
    }
    this.count = count;
    this.shown = text;
    this.generation = wordNumbers.generation;
  }

  /** Allocates room for a word at every second character. */
  private makeRoom(length: number): void {
    const most = (length >> 1) + 1;
    const room = this.starts.length;
    if (most <= room && room <= MOST_KEPT) return;
    const words = Math.max(FIRST_WORDS, 2 ** Math.ceil(Math.log2(most)));
    this.starts = new Int32Array(words);
    this.ends = new Int32Array(words);
    this.numbers = new Uint16Array(words);
  }
}

/** Two readers, since text hidden in a text is read between its readers; and two for short texts, of which a text may hide many. */
const readers = Array.from({ length: 4 }, () => new PlainWordReader());

/** The plain words of a text, or of a part of it, from shared readers. */
export function plainWords(text: string, from = 0, to = text.length): PlainWords {
  const latest = text.length <= SHORT_UNITS ? 2 : 0;
  const [one, other] = [readers[latest], readers[latest + 1]] as [PlainWordReader, PlainWordReader];
  if (one.knows(text)) return one.of(text, from, to);
  readers[latest] = other;
  readers[latest + 1] = one;
  return other.of(text, from, to);
}

/** The first index whose place is at or after an offset. */
function firstAt(places: Int32Array, count: number, offset: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] as number) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function codes(): Uint8Array {
  const table = new Uint8Array(0x10000).fill(PART);
  for (let unit = 0; unit < 0x80; unit++) table[unit] = MAY_BE_OF_WORD.test(String.fromCharCode(unit)) ? PART : APART;
  for (let letter = 1; letter <= LAST_LETTER; letter++) table[0x60 + letter] = letter;
  return table;
}
