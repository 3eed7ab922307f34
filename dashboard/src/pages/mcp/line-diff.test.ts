import { expect, it } from '@jest/globals';
import { diffLines } from './line-diff.ts';

const SIGNS = { same: ' ', removed: '-', added: '+' } as const;
const diff = (before: string, after: string) =>
  diffLines([...before].join('\n'), [...after].join('\n'))
    .map(({ kind, text }) => SIGNS[kind] + text)
    .join('');

it.each([
  ['abc', 'abc', ' a b c'],
  ['abc', 'adc', ' a-b+d c'],
  ['abcd', 'bcd', '-a b c d'],
  ['abc', 'abcx', ' a b c+x'],
  ['axbyc', 'abzc', ' a-x b-y+z c'],
  ['aab', 'ab', ' a-a b'],
])('of %s and %s is %s', (before, after, expected) => {
  expect(diff(before, after)).toBe(expected);
});

it('of two long texts is made quickly: their middles are shown as a whole', () => {
  const lines = (prefix: string) => Array.from({ length: 20_000 }, (_, at) => `${prefix}${at}`).join('\n');
  const all = diffLines(`first\n${lines('a')}\nlast`, `first\n${lines('b')}\nlast`);
  expect([all.length, all[0]?.kind, all.at(-1)?.kind]).toEqual([40_002, 'same', 'same']);
});
