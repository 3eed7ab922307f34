import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cutByRanges, textAt } from './text-ranges.ts';

const offset = fc.oneof(fc.integer({ min: -3, max: 60 }), fc.double({ min: -1, max: 60, noNaN: true }));
const ranges = fc.array(fc.record({ start: offset, end: offset }), { maxLength: 8 });
/** With lone surrogates and pairs: offsets may cut through either. */
const text = fc.string({ unit: fc.constantFrom('a', ' ', '<', 'é', '😀', '\ud83d', '\n'), maxLength: 40 });

describe('a text split at ranges', () => {
  it('has the same text when its parts are joined', () => {
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

  it('has no empty part, and no part if the text is empty', () => {
    fc.assert(
      fc.property(text, ranges, (whole, marks) => cutByRanges(whole, marks).every((piece) => piece.text !== '')),
    );
    expect(cutByRanges('', [{ start: 0, end: 3 }])).toEqual([]);
  });
});

const name = fc.stringMatching(/^[a-z_][a-z_0-9]{0,6}$/).filter((text) => text !== '__proto__');
const steps = fc.array(fc.oneof(name, fc.nat(3)), { minLength: 1, maxLength: 5 });

function nest(path: readonly (string | number)[], text: string): unknown {
  return path.reduceRight<unknown>((inner, step) => {
    if (typeof step === 'string') return { [step]: inner };
    return [...Array.from({ length: step }, () => null), inner];
  }, text);
}

describe('textAt', () => {
  it('returns the text at its path, at any depth', () => {
    fc.assert(
      fc.property(steps, fc.string(), (path, text) => {
        const written = path.map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`));
        expect(textAt(nest(path, text), written.join(''))).toBe(text);
      }),
    );
  });

  it.each(['messages[2].content', 'messages', 'messages[0]', 'constructor.name', '[', 'a..b', 'tools[0].*'])(
    'finds nothing at %s',
    (path) => expect(textAt({ messages: [{ content: 'a' }] }, path)).toBeUndefined(),
  );
});
