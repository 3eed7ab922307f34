import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LatencySketch, RELATIVE_ERROR } from './totals.ts';

const QUANTILES = [0, 0.01, 0.5, 0.9, 0.95, 0.99, 1];
/** From microseconds to the longest exchange. */
const durations = fc.array(fc.double({ min: 0.001, max: 900_000, noNaN: true }), { minLength: 1, maxLength: 500 });

function sketchOf(values: readonly number[]): LatencySketch {
  const sketch = new LatencySketch();
  for (const value of values) sketch.add(value);
  return sketch;
}

describe('a sketch of durations', () => {
  it('tells every percentile with the stated relative error', () =>
    fc.assert(
      fc.property(durations, (values) => {
        const sketch = sketchOf(values);
        const sorted = [...values].sort((a, b) => a - b);
        for (const q of QUANTILES) {
          const exact = sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] as number;
          const error = Math.abs((sketch.quantile(q) as number) - exact) / exact;
          // A hair for the logarithm's own rounding at a bucket's edge.
          expect(error).toBeLessThanOrEqual(RELATIVE_ERROR + 1e-9);
        }
      }),
    ));

  it('is the same however its values are split, ordered and written down on the way', () =>
    fc.assert(
      fc.property(fc.array(durations, { maxLength: 5 }), (parts) => {
        const merged = new LatencySketch();
        for (const part of [...parts].reverse())
          merged.merge(LatencySketch.from(JSON.parse(JSON.stringify(sketchOf(part)))));
        expect(merged.toJSON()).toEqual(sketchOf(parts.flat()).toJSON());
      }),
    ));

  it('tells nothing of nothing', () => expect(new LatencySketch().quantile(0.5)).toBeNull());

  it('bounds what is no duration of ours', () => {
    expect(sketchOf([0, -5]).quantile(0.5)).toBeCloseTo(0.001, 4);
    expect((sketchOf([1e15]).quantile(0.5) as number) / 86_400_000).toBeCloseTo(1, 1);
  });

  it('stays small: a sketch of all durations that there can be has fewer than 1,300 buckets', () => {
    const sketch = new LatencySketch();
    for (let value = 0.001; value < 86_400_000; value *= 1.001) sketch.add(value);
    expect(sketch.toJSON().length / 2).toBeLessThan(1_300);
  });
});
