import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { splitText } from './split-text.ts';

describe('a text in parts', () => {
  test('is one part where it fits', () => {
    expect(splitText('short', 1_000)).toEqual([{ text: 'short', offset: 0 }]);
    expect(splitText('x'.repeat(1_000), 1_000)).toHaveLength(1);
  });

  test('ends at spaces where there are some near', () => {
    const parts = splitText('word '.repeat(500), 1_000);
    expect(parts.length).toBeGreaterThan(2);
    for (const { text } of parts.slice(0, -1)) expect(text.endsWith('word')).toBe(true);
  });

  test('covers it whole, overlaps, is never longer than allowed and cuts no character in two', () => {
    const piece = fc.constantFrom('a', 'word ', '😀', 'äöü', ' ', 'x'.repeat(150));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 300 }), fc.integer({ min: 500, max: 2_000 }), (pieces, maxChars) => {
        const text = pieces.join('');
        const parts = splitText(text, maxChars);
        for (const [at, { text: part, offset }] of parts.entries()) {
          expect(text.startsWith(part, offset)).toBe(true);
          expect(part.length).toBeLessThanOrEqual(maxChars);
          expect(part.isWellFormed()).toBe(true);
          const before = parts[at - 1];
          if (before) expect(before.offset + before.text.length - offset).toBeGreaterThanOrEqual(200);
        }
        const last = parts.at(-1);
        expect((last?.offset ?? 0) + (last?.text.length ?? 0)).toBe(text.length);
      }),
    );
  });
});
