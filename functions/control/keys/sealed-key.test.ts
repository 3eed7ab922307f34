import * as crypto from 'node:crypto';
import { expect, it, jest } from '@jest/globals';

const compared: [number, number][] = [];
jest.unstable_mockModule('node:crypto', () => ({
  ...crypto,
  timingSafeEqual: (a: Uint8Array, b: Uint8Array) => {
    compared.push([a.length, b.length]);
    return crypto.timingSafeEqual(a, b);
  },
}));
const { isSealedBy, mintApiKey } = await import('./api-key-format.ts');

const SEAL = (_: string, length: number) => 'S'.repeat(length);

it('compares all of a seal, wherever it is wrong', () => {
  const key = mintApiKey(SEAL);
  const begin = key.indexOf('SSSSSSSS');
  expect(isSealedBy(key, SEAL)).toBe(true);
  for (let at = begin; at < begin + 8; at += 1) {
    expect(isSealedBy(`${key.slice(0, at)}x${key.slice(at + 1)}`, SEAL)).toBe(false);
  }
  expect(compared).toEqual(Array(9).fill([8, 8]));
});

it('takes no key that ends within its seal', () => {
  const key = mintApiKey(SEAL);
  expect(isSealedBy(key.slice(0, key.indexOf('SSSSSSSS') + 7), SEAL)).toBe(false);
});
