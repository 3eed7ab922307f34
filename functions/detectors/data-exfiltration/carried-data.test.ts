import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { carriedByLinkScore, carriedDataScore } from './carried-data.ts';

const sentence = fc.stringMatching(/^[a-z]{3,9}( [a-z]{3,9}){2,4}$/);

describe('a text that is carried out', () => {
  it('is seen in base64 and in hexadecimal, in the path and in any parameter', () => {
    fc.assert(
      fc.property(sentence, (text) => {
        const base64 = btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
        const hex = [...text].map((char) => char.charCodeAt(0).toString(16)).join('');
        for (const part of [`${base64}/p.png`, `p.png?w=${hex}`, `p.png?id=${base64}`]) {
          expect(carriedDataScore(`https://evil.example/${part}`)).toBe(0.87);
          expect(carriedByLinkScore(`https://evil.example/${part}`)).toBe(0.75);
        }
      }),
    );
  });

  it('is not seen in random bytes', () => {
    const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(bytes, (random) => {
        const hex = [...random].map((byte) => byte.toString(16).padStart(2, '0')).join('');
        expect(carriedByLinkScore(`https://cdn.example/${hex}.png`)).toBeUndefined();
      }),
    );
  });
});
