import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { boundaryRanges, type Pieces } from './boundary-ranges.ts';

const PROSE = 'The harbour was closed on Monday, since the wind had turned. ';
const BASE64 = 'QmFzZTY0IGhhcyBubyB3b3Jkcywgb25seSBsZXR0ZXJz';

function piecesOf(texts: readonly string[]): Pieces {
  let start = 0;
  return texts.map((text) => {
    const piece = { text, from: 0, length: text.length, start, separator: '' };
    start += text.length;
    return piece;
  });
}

function rangesOf(texts: readonly string[]) {
  return boundaryRanges(texts.join(''), piecesOf(texts));
}

const long = (text: string, length: number) => text.repeat(Math.ceil(length / text.length)).slice(0, length);
const texts = fc.array(
  fc.tuple(fc.constantFrom(PROSE, BASE64, '{"a": 1}, '), fc.nat(2500)).map(([text, length]) => long(text, length)),
  { minLength: 2, maxLength: 6 },
);

describe('the ranges of a joined text around its boundaries', () => {
  it('contain the text near each boundary, in order and apart', () => {
    fc.assert(
      fc.property(texts, (given) => {
        const ranges = rangesOf(given);
        const length = given.join('').length;
        for (const { start } of piecesOf(given).slice(1)) {
          const [from, to] = [Math.max(0, start - 320), Math.min(length, start + 320)];
          expect(ranges.some((range) => range.start <= from && range.end >= to)).toBe(true);
        }
        for (const [at, { start, end }] of ranges.entries()) {
          expect(start).toBeGreaterThan(ranges[at - 1]?.end ?? -1);
          expect(end).toBeLessThanOrEqual(length);
        }
      }),
    );
  });

  it('end soon in prose', () => {
    expect(rangesOf([long(PROSE, 2000), long(PROSE, 2000)])).toEqual([{ start: 1635, end: 2354 }]);
  });

  it('contain all of encoded text', () => {
    expect(rangesOf([long(BASE64, 2000), long(BASE64, 2000)])).toEqual([{ start: 0, end: 4000 }]);
  });

  it('end behind encoded text that prose surrounds', () => {
    const [before, after] = [long(PROSE, 1500) + long(BASE64, 500), long(BASE64, 600) + long(PROSE, 1400)];
    const [{ start, end } = { start: 0, end: 0 }] = rangesOf([before, after]);
    expect([start < 1500 && start > 1300, end > 2600 && end < 2800]).toEqual([true, true]);
  });
});
