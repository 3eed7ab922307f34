import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pairwise, type Row } from './pairwise.ts';

const AXES = { a: [1, 2, 3], b: ['x', 'y'], c: [true, false], d: [undefined, 'z', 0] };
const names = Object.keys(AXES) as (keyof typeof AXES)[];
/** Every two choices of two axes. */
const PAIRS = names.flatMap((one, at) =>
  names
    .slice(at + 1)
    .flatMap((other) => AXES[one].flatMap((a) => AXES[other].map((b): Row => ({ [one]: a, [other]: b })))),
);
const has = (row: Row, pair: Row) => Object.entries(pair).every(([axis, choice]) => row[axis] === choice);

test('every two choices of two axes meet, in far fewer rows than there are', () => {
  const rows = pairwise(AXES);
  expect(rows.length).toBeLessThan(15);
  for (const pair of PAIRS) expect(rows.filter((row) => has(row, pair)).length).toBeGreaterThan(0);
});

test('invalid rows are never generated, and all other pairs are', () => {
  fc.assert(
    fc.property(fc.constantFrom(...PAIRS), (wrong) => {
      const rows = pairwise(AXES, (row) => !has(row, wrong));
      for (const pair of PAIRS) {
        const isWrong = has(pair, wrong) && has(wrong, pair);
        expect([pair, rows.some((row) => has(row, pair))]).toEqual([pair, !isWrong]);
      }
    }),
  );
});

test('two choices that need a third meet beside it', () => {
  const rows = pairwise(AXES, (row) => !(has(row, { a: 2, b: 'y' }) && row.d !== 0));
  expect(rows.filter((row) => has(row, { a: 2, b: 'y' }))).toEqual([expect.objectContaining({ d: 0 })]);
});

test('the same axes give the same rows', () => expect(pairwise(AXES)).toEqual(pairwise(AXES)));
