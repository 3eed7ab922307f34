import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pairwise } from './pairwise.ts';

const factors = { a: [1, 2, 3], b: ['x', 'y'], c: [true, false], d: [undefined, 'z', 0] };

test('every two values of two factors meet, in far fewer combinations than there are', () => {
  const chosen = pairwise(factors, () => true);
  expect(chosen.length).toBeLessThan(15);
  for (const [one, values] of Object.entries(factors)) {
    for (const [other, others] of Object.entries(factors)) {
      if (one === other) continue;
      for (const value of values) {
        for (const met of others) expect(chosen.some((each) => each[one] === value && each[other] === met)).toBe(true);
      }
    }
  }
});

test('what may not be together never is', () => {
  fc.assert(
    fc.property(fc.constantFrom(...factors.a), fc.constantFrom(...factors.b), (a, b) => {
      const chosen = pairwise(factors, (each) => !(each.a === a && each.b === b));
      expect(chosen.some((each) => each.a === a && each.b === b)).toBe(false);
      for (const d of factors.d) expect(chosen.some((each) => each.a === a && each.d === d)).toBe(true);
    }),
  );
});
