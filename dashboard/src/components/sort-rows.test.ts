import { expect, it } from '@jest/globals';
import { sortRows } from './sort-rows.ts';

const rows = [
  { id: 1, spend: 9, name: 'b' },
  { id: 2, spend: null, name: 'a' },
  { id: 3, spend: 10, name: 'B' },
  { id: 4, spend: 9, name: 'c' },
];
const ids = (sorted: typeof rows) => sorted.map(({ id }) => id);

it('sorts numbers as numbers and texts as texts, keeps the order of equal rows, and has unknown values last', () => {
  expect(ids(sortRows(rows, ({ spend }) => spend, true))).toEqual([3, 1, 4, 2]);
  expect(ids(sortRows(rows, ({ spend }) => spend, false))).toEqual([1, 4, 3, 2]);
  expect(ids(sortRows(rows, ({ name }) => name, false))).toEqual([2, 1, 3, 4]);
  expect(ids(rows)).toEqual([1, 2, 3, 4]);
});
