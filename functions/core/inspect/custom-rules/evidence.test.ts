import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { evidenceOf } from './evidence.ts';

describe('masked evidence', () => {
  it.each([
    ['1234567', '*** (fewer than 8 characters)'],
    ['12345678', '1***8 (8 to 15 characters)'],
    ['1234567890abcdef', '12***ef (16 to 31 characters)'],
    ['😀'.repeat(20), '😀😀***😀😀 (16 to 31 characters)'],
    [`\n\u202e${'x'.repeat(300)}`, '  ***xx (256 or more characters)'],
  ])('of %j is %s', (text, shown) => expect(evidenceOf(text)).toBe(shown));

  it('shows at most a quarter of the text, and never three characters of it in a row', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'abcdXYZ019'), maxLength: 80 }), (text) => {
        const [shown = ''] = evidenceOf(text).split(' ');
        expect(shown.length - 3).toBeLessThanOrEqual(text.length / 4);
        for (let at = 0; at + 3 <= text.length; at++) expect(shown).not.toContain(text.slice(at, at + 3));
      }),
    );
  });
});
