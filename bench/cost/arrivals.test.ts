import { expect, test } from '@jest/globals';
import { busyMs, makeTrace } from './arrivals.ts';

test('environments that take one request at a time are busy for the sum of all answers', () => {
  const trace = makeTrace(100, 5_000);
  const sum = trace.reduce((total, { takesMs }) => total + takesMs, 0);
  expect(busyMs(trace, 1)).toBeCloseTo(sum, 3);
});

test('answers that overlap are paid for once where an environment takes several', () => {
  const trace = [
    { atMs: 0, takesMs: 1_000 },
    { atMs: 400, takesMs: 1_000 },
    { atMs: 2_000, takesMs: 500 },
  ];
  expect(busyMs(trace, 2)).toBe(1_400 + 500);
  expect(busyMs(trace, 1)).toBe(2_500);
});

test('a trace is the same each time and has the rate asked for', () => {
  expect(makeTrace(60, 2_000)).toEqual(makeTrace(60, 2_000));
  // Two of ten minutes have three times as many.
  expect(makeTrace(600, 2_000).length / (600 * 14)).toBeCloseTo(1, 1);
});
