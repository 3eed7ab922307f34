import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { NO_NUMBER, PlainWordReader, plainWords, WORD_NUMBERS, WordNumbers, wordNumbers } from './plain-words.ts';

/** The plain words as a pattern. */
const PLAIN = /(?<![\w@$!|+'\u0080-\uffff])[a-z]{1,12}(?![\w@$!|+'\u0080-\uffff])/g;

function shown(text: string, from = 0, to = text.length): string[] {
  const { starts, ends, first, end, offset } = plainWords(text, from, to);
  const part = text.slice(from, to);
  return Array.from({ length: Math.max(0, end - first) }, (_, at) =>
    part.slice((starts[first + at] as number) - offset, (ends[first + at] as number) - offset),
  );
}

function numbersOf(text: string): number[] {
  const { numbers, end } = plainWords(text);
  return [...numbers.subarray(0, end)];
}

describe('plain words', () => {
  it.each([
    ['between spaces and punctuation', 'a word, and "another": (one).', ['a', 'word', 'and', 'another', 'one']],
    ['not next to characters that may replace a letter', "don't w0rd @word word! word+word mid_word", []],
    ['not next to letters that are not lower-case Latin', 'Word größe слово abc中', []],
    ['not longer than twelve letters', 'abcdefghijkl abcdefghijklm', ['abcdefghijkl']],
    ['up to the end of the text', 'end', ['end']],
    ['none in an empty text', '', []],
  ])('are found %s', (_, text, words) => {
    expect(shown(text)).toEqual(words);
  });

  it('are the matches of a pattern, for any text', () => {
    const piece = fc.constantFrom(
      'the',
      'a',
      'abcdefghijklmnop',
      'Z',
      '9',
      "'",
      '!',
      '_',
      '-',
      ' ',
      '. ',
      '\n',
      'é',
      '中',
      '<b>',
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('');
        expect(shown(text)).toEqual(text.match(PLAIN) ?? []);
      }),
    );
  });

  it('of a part are those of the whole text within it', () => {
    const text = 'one two three four';
    plainWords(text);
    expect(shown(text, 4, 13)).toEqual(['two', 'three']);
    expect(shown(text, 5, 12)).toEqual([]);
  });

  it('of a part of a new text are read from the part', () => {
    plainWords('another text');
    expect(shown('one two three four', 4, 13)).toEqual(['two', 'three']);
  });

  it('have the same number at any place, and others have other numbers', () => {
    const [first, second, third] = numbersOf('same other same');
    expect(third).toBe(first);
    expect(second).not.toBe(first);
    expect(numbersOf('other')).toEqual([second]);
  });

  it('are renumbered once there are too many, with a new generation', () => {
    const letters = (number: number) =>
      number.toString(26).replace(/./g, (digit) => String.fromCharCode(0x61 + Number.parseInt(digit, 26)));
    const many = Array.from({ length: WORD_NUMBERS }, (_, number) => `q${letters(number)}`).join(' ');
    const reader = new PlainWordReader();
    const before = wordNumbers.generation;
    const { end } = reader.of(many);
    expect(end).toBeLessThan(WORD_NUMBERS);
    expect(reader.of('new words').end).toBe(2);
    expect(wordNumbers.generation).toBe(before + 1);
  });
});

const MANY = 4 * WORD_NUMBERS;

/** The inverse of `factor` modulo 2^32, to construct words that collide. */
function inverseOf(factor: number): number {
  let inverse = factor;
  for (let round = 0; round < 5; round++) inverse = Math.imul(inverse, 2 - Math.imul(factor, inverse));
  return inverse;
}

describe('numbers of words', () => {
  it('are stable and distinct', () => {
    const numbers = new WordNumbers();
    const given = Array.from({ length: 1000 }, (_, at) => numbers.of(at % 3, at + 1));
    expect(new Set(given).size).toBe(given.length);
    expect(given.map((_, at) => numbers.of(at % 3, at + 1))).toEqual(given);
  });

  it('are assigned to few of the words that are made to collide', () => {
    const numbers = new WordNumbers();
    const inverse = inverseOf(0x9e3779b1);
    const words = Array.from({ length: 1000 }, (_, at) => Math.imul(at + 1, inverse));
    const given = words.map((word) => numbers.of(0, word)).filter((number) => number !== NO_NUMBER);
    expect(given).toEqual(Array.from({ length: 16 }, (_, at) => at));
  });

  it('are reassigned once there are too many words', () => {
    const numbers = new WordNumbers();
    for (let word = 1; word <= MANY; word++) numbers.of(0, word);
    expect(numbers.generation).toBe(0);
    numbers.renew();
    expect(numbers.generation).toBe(1);
    expect(numbers.of(0, MANY)).not.toBe(NO_NUMBER);
  });
});
