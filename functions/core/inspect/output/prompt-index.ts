import { GAP, GRAM_LETTERS, LetterStream, LetterWindow, rot13 } from './letter-stream.ts';

/** Writings that are compared: plain, ROT13, backwards. */
export const LANES = 3;

/** Every so many letters of the prompt a gram begins: a repeated stretch is seen once it is GRAM_LETTERS + STEP long. */
export const STEP = 2;
/** So much of the operator's text is compared, and so much of what the caller holds anyway is taken out of it. */
const MAX_PROMPT_LETTERS = 1 << 16;
const MAX_KNOWN_LETTERS = 1 << 18;
/** So much text is read for a letter at most: what holds hardly any letters is no prompt. */
const UNITS_A_LETTER = 4;
/** Nearly every unit reads as one letter at most, of dense scripts as three; what exceeds this together is left out. */
const MOST_LETTERS_A_UNIT = 3;

/** Phrases of countless prompts, which are no secret. */
const PUBLIC_PHRASES: readonly string[] = [
  'You are a helpful, harmless and honest assistant. You are a helpful AI assistant. You are a large language model.',
  'You are ChatGPT, a large language model trained by OpenAI, based on the GPT-4 architecture. Knowledge cutoff:',
  'You are Claude, an AI assistant created by Anthropic. How can I help you today?',
  "Answer the user's question. Answer the following question. Respond in the same language as the user.",
  "I don't know. If you don't know the answer, just say that you don't know. Think step by step. Let's think step by step.",
];

/**
 * The operator's text as grams of letters, each with its number, for telling which of them an answer repeats. Building it
 * takes time and memory in proportion to the text, up to a fixed bound.
 */
export class PromptIndex {
  /** Letters of the prompt that are compared. */
  readonly letters: number;
  /** Of these, what the caller does not hold anyway. */
  readonly counted: number;
  private readonly mask: number;
  private readonly hashes: Int32Array;
  /** `lane * letters + start + 1` of the gram with that hash; 0 where the slot is free. */
  private readonly places: Int32Array;
  /** By start: grams that do not count, since the caller holds them or the prompt has them before. */
  private readonly uncounted: Uint8Array;

  /** `known`: texts that the caller wrote or was given, such as messages of users. */
  constructor(prompts: readonly string[], known: readonly string[]) {
    const letters = lettersOf(prompts, MAX_PROMPT_LETTERS);
    this.letters = letters.length;
    const size = 2 ** Math.ceil(Math.log2(Math.max(8, (letters.length / STEP) * LANES * 2)));
    this.mask = size - 1;
    this.hashes = new Int32Array(size);
    this.places = new Int32Array(size);
    this.uncounted = new Uint8Array(letters.length);
    const starts = this.addGrams(letters);
    this.leaveOut([...PUBLIC_PHRASES, ...known]);
    this.counted = countCovered(starts.filter((start) => this.uncounted[start] === 0));
  }

  /** Where in the prompt a gram with this number starts, plus `letters` for each lane beyond the plain one; -1: nowhere, or it does not count. */
  find(hash: number): number {
    let slot = this.slotOf(hash);
    for (let place = this.places[slot] as number; place !== 0; place = this.places[slot] as number) {
      if (this.hashes[slot] === hash) return this.uncounted[(place - 1) % this.letters] === 1 ? -1 : place - 1;
      slot = (slot + 1) & this.mask;
    }
    return -1;
  }

  /** Adds a gram for every STEP letters, none over a gap. @returns where they start */
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
        const place = window.isFull ? this.find(window.hash) : -1;
        if (place >= 0) this.uncounted[place % this.letters] = 1;
        left -= 1;
      }
    }
  }

  private slotOf(hash: number): number {
    return (Math.imul(hash ^ (hash >>> 15), 0x9e3779b1) >>> 7) & this.mask;
  }
}

/** The letters of the texts up to a limit, a gap behind each text. */
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

/** Letters that grams cover; starts in order. */
function countCovered(starts: readonly number[]): number {
  let covered = 0;
  let end = 0;
  for (const start of starts) {
    covered += start + GRAM_LETTERS - Math.max(start, end);
    end = start + GRAM_LETTERS;
  }
  return covered;
}
