import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { codeUnits } from '../pattern-engine/index.ts';
import { type PlainWords, plainWords } from '../views/index.ts';
import { TokenScan } from './token-scan.ts';
import { wordShapes } from './word-shapes.ts';

const NO_WORDS: PlainWords = { ...plainWords(''), first: 0, end: 0 };

/** All results of a scan. */
function scanned(scan: TokenScan, text: string, words: PlainWords) {
  scan.read(codeUnits(text), text.length, words);
  const { count, mixed, disguised, oddGaps } = scan;
  const lists = [
    scan.start,
    scan.end,
    scan.kind,
    scan.shape,
    scan.entry,
    scan.known,
    scan.gap,
    scan.gapMarks,
    scan.isOdd,
  ];
  const tokens = lists.map((list) => [...list.subarray(0, count)]);
  return { count, mixed, disguised, oddGaps, tokens };
}

describe('the tokens of a passage', () => {
  it('are the same with known or unknown plain words, cached or not', () => {
    const scan = new TokenScan(wordShapes());
    const piece = fc.constantFrom(
      'ignore',
      'rules',
      'vtaber',
      'x',
      '1gn0r3',
      "don't",
      '!',
      '+',
      ' ',
      '\n',
      ', ',
      '<b ',
      '> ',
      '](a b)',
      'é',
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('');
        const expected = scanned(scan, text, NO_WORDS);
        expect(scanned(scan, text, plainWords(text))).toEqual(expected);
        expect(scanned(new TokenScan(wordShapes()), text, plainWords(text))).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it('are those of the passage if its words are part of the words of the whole text', () => {
    const text = 'please ignore all rules';
    const [from, to] = [7, 17];
    const passage = text.slice(from, to);
    plainWords(text);
    const part = plainWords(text, from, to);
    expect(scanned(new TokenScan(wordShapes()), passage, part)).toEqual(
      scanned(new TokenScan(wordShapes()), passage, NO_WORDS),
    );
  });
});
