const NUMBER_BITS = 14;
/** Numbers are below this. */
export const WORD_NUMBERS = 1 << NUMBER_BITS;
/** More words are not numbered, so that they are found by few looks. */
const MOST_WORDS = (3 * WORD_NUMBERS) / 4;
/** Nor are those that fall together with others: somebody may choose such words to take our time. */
const MOST_LOOKS = 16;
export const NO_NUMBER = -1;

/** Five bits each, six letters in each of two numbers. */
export const LETTER_BITS = 5;
export const LETTERS_A_HALF = 6;

/**
 * Numbers words of at most twelve letters, so that what was learned of a word is kept by its number. Once they are forgotten, the
 * numbers stand for others: `generation` tells.
 */
export class WordNumbers {
  generation = 0;
  /** At twice the number, the word's last six letters, 0 where there is no word; behind them those before them. */
  private readonly letters = new Int32Array(2 * WORD_NUMBERS);
  private count = 0;

  /** The number of a word, given its letters' codes; NO_NUMBER for a new one where there are too many, or too many like it. */
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

  /** Makes room where there is none. */
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

/** The one numbering, shared by all that read words. */
export const wordNumbers = new WordNumbers();
