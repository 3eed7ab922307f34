import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isDay, mod1110, passesIbanCheck, passesLuhn, passesVerhoeff } from './number-checks.ts';

const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`));

/** The digits with the one that follows them chosen so that the check passes. */
function completed(body: string, passes: (text: string) => boolean): string[] {
  return [...'0123456789'].map((digit) => body + digit).filter(passes);
}

describe.each([
  ['Luhn', passesLuhn],
  ['Verhoeff', passesVerhoeff],
] as const)('%s', (_, passes) => {
  it('gives each number exactly one check digit', () => {
    fc.assert(fc.property(digits(15), (body) => expect(completed(body, passes)).toHaveLength(1)));
  });

  it('notices every single digit that is changed', () => {
    fc.assert(
      fc.property(digits(11), fc.nat(11), fc.integer({ min: 1, max: 9 }), (body, at, by) => {
        const [whole = ''] = completed(body, passes);
        const changed = whole.slice(0, at) + ((Number(whole[at]) + by) % 10) + whole.slice(at + 1);
        expect(passes(changed)).toBe(false);
      }),
    );
  });
});

it('Verhoeff notices neighbours that changed places, and knows its published example', () => {
  expect(passesVerhoeff('2363')).toBe(true);
  expect(passesVerhoeff('2633')).toBe(false);
});

it('knows published check digits', () => {
  expect(mod1110('8609574271')).toBe(9);
  expect(passesIbanCheck('GB82WEST12345698765432')).toBe(true);
  expect(passesIbanCheck('GB82WEST12345698765431')).toBe(false);
});

it('knows which days there are', () => {
  expect([isDay(2, 29), isDay(4, 30), isDay(12, 31)]).toEqual([true, true, true]);
  expect([isDay(2, 30), isDay(4, 31), isDay(13, 1), isDay(0, 1), isDay(1, 0)]).toEqual([
    false,
    false,
    false,
    false,
    false,
  ]);
});
