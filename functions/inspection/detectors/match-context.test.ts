import { describe, expect, it } from '@jest/globals';
import { withoutEnding } from './match-context.ts';

describe('withoutEnding', () => {
  it.each([
    ['a.b.,', 'a.b'],
    ['a', 'a'],
    ['.,.', ''],
    ['', ''],
  ])('cuts the signs off the end of %j only', (text, expected) => {
    expect(withoutEnding(text, '.,')).toBe(expected);
  });
});
