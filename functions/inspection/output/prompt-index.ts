import { GAP, GRAM_LETTERS, LetterStream, LetterWindow, rot13 } from './letter-stream.ts';
import publicPhrases from './public-phrases.json' with { type: 'json' };

/** Compared forms: plain, ROT13, backwards. */
export const LANES = 3;

/** Grams start at every second letter of the prompt: a repeated stretch of GRAM_LETTERS + STEP letters is always detected. */
export const STEP = 2;
/** Limits of the system prompt's letters that are compared, and of known letters that are excluded. */
const MAX_PROMPT_LETTERS = 1 << 16;
const MAX_KNOWN_LETTERS = 1 << 18;
/** Limit of text read per letter: text with hardly any letters is no prompt. */
const UNITS_A_LETTER = 4;
/** Most units are one letter at most, and three in dense scripts; what exceeds this in total is skipped. */
const MOST_LETTERS_A_UNIT = 3;

/**
 * Hashes of all letter grams of the system prompt, to find those that a response repeats. Time and memory grow with the text up to a fixed
 * limit.
 */
export class PromptIndex {
  /** Letters of the prompt that are compared. */
  readonly letters: number;
  /** Of these, the letters that the caller does not already have, as far as known texts are read. */
  counted: number;
  private readonly mask: number;
  private readonly hashes: Int32Array;
  /** `lane * letters + start + 1` of the gram with that hash; 0 for a free slot. */
  private readonly places: Int32Array;
  /** By start: grams that do not count, because the caller has them or they occur earlier in the prompt. */
  private readonly uncounted: Uint8Array;
  private readonly starts: readonly number[];
  /** Read when a response first repeats a gram, which few do: a conversation may be long. */
  private known: readonly string[] | undefined;

  /** `known`: texts that the caller wrote or received, such as user messages. */
  constructor(prompts: readonly string[], known: readonly string[]) {
    const letters = lettersOf(prompts, MAX_PROMPT_LETTERS);
    this.letters = letters.length;
    const size = 2 ** Math.ceil(Math.log2(Math.max(8, (letters.length / STEP) * LANES * 2)));
    this.mask = size - 1;
    this.hashes = new Int32Array(size);
    this.places = new Int32Array(size);
    this.uncounted = new Uint8Array(letters.length);
    this.starts = this.addGrams(letters);
    this.known = known;
    // Phrases of many prompts are no secret.
    this.leaveOut(publicPhrases);
    this.counted = this.countLetters();
  }

  /** Start in the prompt of the gram with this hash, plus `letters` for each lane after the plain one; -1 if there is none or it does not count. */
  find(hash: number): number {
    const place = this.placeOf(hash);
    if (place < 0 || this.known === undefined) return place;
    const { known } = this;
    this.known = undefined;
    this.leaveOut(known);
    this.counted = this.countLetters();
    return this.placeOf(hash);
  }

  private countLetters(): number {
    return countCovered(this.starts.filter((start) => this.uncounted[start] === 0));
  }

  private placeOf(hash: number): number {
    let slot = this.slotOf(hash);
    for (let place = this.places[slot] as number; place !== 0; place = this.places[slot] as number) {
      if (this.hashes[slot] === hash) return this.uncounted[(place - 1) % this.letters] === 1 ? -1 : place - 1;
      slot = (slot + 1) & this.mask;
    }
    return -1;
  }

  /** Adds a gram for every STEP letters, none across a gap. @returns their starts */
  private addGrams(letters: Uint16Array): number[] {
    const starts: number[] = [];
    const plain = new LetterWindow();
    const turned = new LetterWindow();
    letters.forEach((letter, at) => {
      if (letter === GAP) {
        plain.clear();
        turned.clear();
        return;
      }
      plain.push(letter, at);
      turned.push(rot13(letter), at);
      const start = at - GRAM_LETTERS + 1;
      if (!plain.isFull || start % STEP !== 0) return;
      starts.push(start);
      if (!this.add(plain.hash, start)) this.uncounted[start] = 1;
      this.add(turned.hash, this.letters + start);
      this.add(plain.backwards, 2 * this.letters + start);
    });
    return starts;
  }

  private add(hash: number, place: number): boolean {
    let slot = this.slotOf(hash);
    while (this.places[slot] !== 0) {
      if (this.hashes[slot] === hash) return false;
      slot = (slot + 1) & this.mask;
    }
    this.hashes[slot] = hash;
    this.places[slot] = place + 1;
    return true;
  }

  private leaveOut(texts: readonly string[]): void {
    let left = MAX_KNOWN_LETTERS;
    for (const text of texts) {
      const window = new LetterWindow();
      for (const letter of lettersOf([text], left)) {
        if (letter === GAP) window.clear();
        else window.push(letter, 0);
        const place = window.isFull ? this.placeOf(window.hash) : -1;
        if (place >= 0) this.uncounted[place % this.letters] = 1;
        left -= 1;
      }
    }
  }

  private slotOf(hash: number): number {
    return (Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) >>> 7) & this.mask;
  }
}

/** The letters of the texts up to a limit, with a gap after each text. */
function lettersOf(texts: readonly string[], limit: number): Uint16Array {
  const most = texts.reduce((sum, text) => sum + MOST_LETTERS_A_UNIT * text.length + 1, 0);
  const letters = new Uint16Array(Math.min(limit, most));
  let filled = 0;
  for (const text of texts) {
    if (filled >= limit) break;
    const stream = new LetterStream();
    stream.read(text.slice(0, UNITS_A_LETTER * (limit - filled)), true, (count) => {
      const fitting = Math.min(count, letters.length - filled);
      letters.set(stream.letters.subarray(0, fitting), filled);
      filled += fitting;
    });
    if (filled < letters.length) letters[filled++] = GAP;
  }
  return letters.subarray(0, filled);
}

/** The number of letters that grams cover; `starts` is in order. */
function countCovered(starts: readonly number[]): number {
  let covered = 0;
  let end = 0;
  for (const start of starts) {
    covered += start + GRAM_LETTERS - Math.max(start, end);
    end = start + GRAM_LETTERS;
  }
  return covered;
}
