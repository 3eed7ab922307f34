import { describe, expect, it } from '@jest/globals';
import { NO_NUMBER, WORD_NUMBERS, WordNumbers } from './word-numbers.ts';

const MANY = 4 * WORD_NUMBERS;

/** What `factor` times it, in 32 bits, is 1: by it words can be made that fall together. */
function inverseOf(factor: number): number {
  let inverse = factor;
  for (let round = 0; round < 5; round++) inverse = Math.imul(inverse, 2 - Math.imul(factor, inverse));
  return inverse;
}

describe('numbers of words', () => {
  it('are found again, and are all different', () => {
    const numbers = new WordNumbers();
    const given = Array.from({ length: 1000 }, (_, at) => numbers.of(at % 3, at + 1));
    expect(new Set(given).size).toBe(given.length);
    expect(given.map((_, at) => numbers.of(at % 3, at + 1))).toEqual(given);
  });

  it('are given to few of those words that somebody made to fall together', () => {
    const numbers = new WordNumbers();
    const inverse = inverseOf(0x9e3779b1);
    const words = Array.from({ length: 1000 }, (_, at) => Math.imul(at + 1, inverse));
    const given = words.map((word) => numbers.of(0, word)).filter((number) => number !== NO_NUMBER);
    expect(given).toEqual(Array.from({ length: 16 }, (_, at) => at));
  });

  it('are given anew once there are too many words', () => {
    const numbers = new WordNumbers();
    for (let word = 1; word <= MANY; word++) numbers.of(0, word);
    expect(numbers.generation).toBe(0);
    numbers.renew();
    expect(numbers.generation).toBe(1);
    expect(numbers.of(0, MANY)).not.toBe(NO_NUMBER);
  });
});
