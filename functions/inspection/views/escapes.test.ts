import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mayHoldWebEscapes } from './escapes.ts';
import { TextView } from './text-view.ts';

describe('escapes of URLs and HTML', () => {
  it.each(['a%20b', 'caf%C3%A9', '%2525%32%30', 'a&nbsp;b', '&#65;', '&amp;#x41;', 'a\u{e0041}b', 'see /find?q=a+b'])(
    'are found: %j',
    (text) => expect(mayHoldWebEscapes(text, () => '')).toBe(true),
  );

  it.each(['5 % of them', '100%!', 'R&D', 'a && b', 'if (a&mask)', 'C++', '1+1', 'a=b+c', '&lt;p', '&unknown;'])(
    'are not %j',
    (text) => expect(mayHoldWebEscapes(`${text} is text`, () => '')).toBe(false),
  );

  it.each(['%', '%2', 'caf%C3', '&', '&nb', '&#6', '&amp;amp;', '\udb40'])('may begin with %j', (end) =>
    expect(mayHoldWebEscapes(`text ${end}`, () => '')).toBe(true),
  );

  it('are found with the address that an earlier piece began', () => {
    expect(mayHoldWebEscapes('to+me', () => 'https://a.example/?q=send')).toBe(true);
    expect(mayHoldWebEscapes('to+me', () => 'send')).toBe(false);
  });

  it('are in every text that they change', () => {
    const piece = fc.constantFrom(
      '%',
      '2',
      '0',
      'a',
      '&',
      'amp',
      ';',
      '#',
      '6',
      '+',
      '=',
      '?q',
      ' ',
      '\udb40',
      '\udc41',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        const shown = (isSecond: boolean) => {
          const view = new TextView('exact', isSecond);
          return view.push(text) + view.end();
        };
        if (shown(true) !== shown(false)) expect(mayHoldWebEscapes(text, () => '')).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
