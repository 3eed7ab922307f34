import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { labelEvery, niceTicks, stack } from './scale.ts';

const max = fc.double({ min: 1e-6, max: 1e12, noNaN: true });

describe('the lines of a scale', () => {
  it('begin at 0, reach the largest value, and are not many', () => {
    fc.assert(
      fc.property(max, fc.integer({ min: 2, max: 8 }), fc.boolean(), (value, count, isWhole) => {
        const ticks = niceTicks(value, count, isWhole);
        expect(ticks[0]).toBe(0);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(value * (1 - 1e-9));
        expect(ticks.length).toBeLessThanOrEqual(count + 2);
        if (isWhole) expect(ticks.every((tick) => Number.isInteger(tick) || tick > 1e11)).toBe(true);
      }),
    );
  });

  it.each([
    [7, [0, 2, 4, 6, 8]],
    [100, [0, 50, 100]],
    [0.3, [0, 0.1, 0.2, 0.3]],
    [0, [0, 1]],
  ])('of %d read well', (value, ticks) => expect(niceTicks(value, 4, false)).toEqual(ticks));
});

describe('a column', () => {
  it('is as high as its known values together, without gaps', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.nat(1000))), (values) => {
        const ids = values.map((_, at) => `s${at}`);
        const segments = stack(Object.fromEntries(values.map((value, at) => [`s${at}`, value])), ids);
        expect(segments.at(-1)?.to ?? 0).toBe(values.reduce<number>((sum, value) => sum + (value ?? 0), 0));
        segments.forEach(({ from }, at) => expect(from).toBe(segments[at - 1]?.to ?? 0));
      }),
    );
  });
});

it('labels have the room that they need', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 2000 }), (columns, widthPx) => {
      const every = labelEvery(columns, widthPx, 60);
      expect((widthPx / columns) * every).toBeGreaterThanOrEqual(60 * (1 - 1e-9));
    }),
  );
});
