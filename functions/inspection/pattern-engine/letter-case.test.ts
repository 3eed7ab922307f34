import { expect, it } from '@jest/globals';
import { withBothCases } from './char-set.ts';

const holds = (set: readonly number[], unit: number) =>
  set.some((from, at) => at % 2 === 0 && from <= unit && unit <= (set[at + 1] as number));

it('a letter has the cases of RegExp, alone and in a range', () => {
  for (let unit = 0x21; unit < 0x2c00; unit++) {
    const character = String.fromCharCode(unit);
    const { length } = character.toLowerCase() + character.toUpperCase();
    if (character.toLowerCase() === character.toUpperCase() && length === 2) continue;
    const set = withBothCases([unit, unit]);
    const wide = withBothCases([unit, unit + 100]);
    const reference = new RegExp(`[${character.replace(/[\\\]^-]/, '\\$&')}]`, 'i');
    for (const other of [...character.toLowerCase(), ...character.toUpperCase(), character]) {
      const code = other.charCodeAt(0);
      expect([character, other, holds(set, code)]).toEqual([character, other, reference.test(other)]);
      if (reference.test(other)) expect(holds(wide, code)).toBe(true);
    }
  }
});

it('a set without other cases is returned unchanged', () => {
  const set = [0x20, 0x40, 0xa0, 0xa0, 0x3000, 0x3000];
  expect(withBothCases(set)).toBe(set);
});
