import { expect, test } from '@jest/globals';
import { busyMs, multiplied, recordedTrace, spanMs, thinned } from './arrivals.ts';

const recorded = recordedTrace({ firstTokenMs: 500, tokenMs: 20 });

test('environments that take one request at a time are busy for the sum of all answers', () => {
  const trace = multiplied(recorded, 3);
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

test('the recorded trace is in the order of time, with answers as long as their tokens take', () => {
  expect(recorded).toHaveLength(429);
  expect(recorded[0]).toEqual({ atMs: 0, takesMs: 500 + 44 * 20 });
  expect(recorded.map(({ atMs }) => atMs)).toEqual(recorded.map(({ atMs }) => atMs).sort((a, b) => a - b));
});

test('a trace over itself has as many times the rate, and the same answers', () => {
  const many = multiplied(recorded, 10);
  expect(many).toHaveLength(10 * recorded.length);
  expect(spanMs(many) / spanMs(recorded)).toBeCloseTo(1, 2);
  const sum = (trace: typeof recorded) => trace.reduce((total, { takesMs }) => total + takesMs, 0);
  expect(sum(many)).toBeCloseTo(10 * sum(recorded), 3);
});

test('a thinned trace has each nth arrival', () => {
  expect(thinned(recorded, 100)).toEqual([0, 100, 200, 300, 400].map((at) => recorded[at]));
});
