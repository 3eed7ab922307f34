import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cutByRanges } from './highlight.ts';

const offset = fc.oneof(fc.integer({ min: -3, max: 60 }), fc.double({ min: -1, max: 60, noNaN: true }));
const ranges = fc.array(fc.record({ start: offset, end: offset }), { maxLength: 8 });
/** With lone surrogates and pairs: offsets may cut through either. */
const text = fc.string({ unit: fc.constantFrom('a', ' ', '<', 'é', '😀', '\ud83d', '\n'), maxLength: 40 });

describe('a text cut by ranges', () => {
  it('is the same text when it is put together again', () => {
    fc.assert(
      fc.property(
        text,
        ranges,
        (whole, marks) =>
          cutByRanges(whole, marks)
            .map((p) => p.text)
            .join('') === whole,
      ),
    );
  });

  it('has each character under exactly the ranges that cover it', () => {
    fc.assert(
      fc.property(
        text,
        fc.array(fc.record({ start: fc.nat(45), end: fc.nat(45) }), { maxLength: 6 }),
        (whole, marks) => {
          for (const piece of cutByRanges(whole, marks)) {
            for (let at = piece.start; at < piece.start + piece.text.length; at += 1) {
              expect(piece.ranges).toEqual(marks.filter(({ start, end }) => start <= at && at < end));
            }
          }
        },
      ),
    );
  });

  it('has no empty piece, and none at all where there is no text', () => {
    fc.assert(
      fc.property(text, ranges, (whole, marks) => cutByRanges(whole, marks).every((piece) => piece.text !== '')),
    );
    expect(cutByRanges('', [{ start: 0, end: 3 }])).toEqual([]);
  });
});
