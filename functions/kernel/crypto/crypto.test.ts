import { expect, test } from '@jest/globals';
import { randomHex } from './crypto.ts';

test.each([2, 16, 32, 64])('gives %i hexadecimal digits, others each time', (digits) => {
  const drawn = Array.from({ length: 1_000 }, () => randomHex(digits));
  for (const text of drawn) expect(text).toMatch(new RegExp(`^[0-9a-f]{${digits}}$`));
  // Of two digits there are only 256.
  expect(new Set(drawn).size).toBeGreaterThan(digits === 2 ? 200 : 999);
});
