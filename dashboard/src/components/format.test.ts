import { describe, expect, it } from '@jest/globals';
import { formatAgo, formatCount, formatMs, formatShare, formatUsd, NOTHING } from './format.ts';

const NOW_MS = Date.parse('2026-11-21T12:00:00Z');
const at = (seconds: number) => new Date(NOW_MS + seconds * 1000).toISOString();

describe('figures', () => {
  it.each([
    [0, '0'],
    [9_999, '9,999'],
    [12_345, '12.3K'],
    [4_200_000, '4.2M'],
  ])('count %d as %s', (value, text) => expect(formatCount(value)).toBe(text));

  it.each([
    [null, NOTHING],
    [0, '$0.0000'],
    [0.000123, '$0.0001'],
    [12.345, '$12.3450'],
  ])('of money, %d as %s: what is unknown is not 0', (value, text) => expect(formatUsd(value)).toBe(text));

  it.each([
    [null, NOTHING],
    [0, '0 ms'],
    [6.44, '6.4 ms'],
    [999.6, '1.00 s'],
    [1_234.5, '1.23 s'],
    [12_340, '12.3 s'],
  ])('of time, %d as %s', (value, text) => expect(formatMs(value)).toBe(text));

  it('are 0 % of nothing', () => {
    expect(formatShare(0, 0)).toBe('0%');
    expect(formatShare(1, 3)).toBe('33.3%');
  });
});

describe('how long ago', () => {
  it.each([
    [null, 'never'],
    [at(-20), 'just now'],
    [at(20), 'in less than a minute'],
    [at(-90), '1 min. ago'],
    [at(-7_200), '2 hr. ago'],
    [at(3 * 86_400), 'in 3 days'],
  ])('%s is %s', (iso, text) => expect(formatAgo(iso, NOW_MS)).toBe(text));
});
