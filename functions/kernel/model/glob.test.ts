import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { matchesGlob } from './glob.ts';

describe('a glob', () => {
  const small = (letters: string) => fc.string({ unit: fc.constantFrom(...letters), maxLength: 8 });

  it('fits what the regular expression with .* for each star fits', () => {
    fc.assert(
      fc.property(small('ab*.\n'), small('ab.\n'), (glob, text) => {
        const pattern = glob
          .split('*')
          .map((part) => part.replace(/[.]/g, '\\.'))
          .join('.*');
        expect(matchesGlob(glob, text)).toBe(new RegExp(`^${pattern}$`, 's').test(text));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['gpt-*', 'gpt-4o', true],
    ['*', '', true],
    ['gpt-4', 'gpt-4o', false],
    ['GPT-*', 'gpt-4', false],
    ['a*a', 'a', false],
    ['a*b*b', 'ab', false],
    ['a*b*b', 'abb', true],
    ['?', 'a', false],
  ])('%s and %j: %s', (glob, text, fits) => expect(matchesGlob(glob, text)).toBe(fits));

  it('looks for each piece once, from where the one before it ended: that is linear', () => {
    const search = jest.spyOn(String.prototype, 'indexOf');
    try {
      expect(matchesGlob(`${'*a'.repeat(100)}b`, 'a'.repeat(100_000))).toBe(false);
      expect(matchesGlob(`${'*a'.repeat(100)}*b*`, 'a'.repeat(100_000))).toBe(false);
      const from = search.mock.calls.map(([, at = 0]) => at);
      expect(from).toEqual(Array.from({ length: 101 }, (_, at) => at));
    } finally {
      search.mockRestore();
    }
  });
});
