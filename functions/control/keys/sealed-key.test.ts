import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, expect, it, jest } from '@jest/globals';
import { isSealedBy, mintApiKey } from './api-key-format.ts';

const comparing = jest.spyOn(crypto, 'timingSafeEqual');
// Named imports of it are replaced too.
syncBuiltinESMExports();
afterAll(() => {
  comparing.mockRestore();
  syncBuiltinESMExports();
});

const SEAL = (_: string, length: number) => 'S'.repeat(length);

it('compares all of a seal, wherever it is wrong', () => {
  const key = mintApiKey(SEAL);
  const begin = key.indexOf('SSSSSSSS');
  expect(isSealedBy(key, SEAL)).toBe(true);
  for (let at = begin; at < begin + 8; at += 1) {
    const other = key.charAt(at) === 'x' ? 'y' : 'x';
    expect(isSealedBy(`${key.slice(0, at)}${other}${key.slice(at + 1)}`, SEAL)).toBe(false);
  }
  const compared = comparing.mock.calls.map(([a, b]) => [a.byteLength, b.byteLength]);
  expect(compared).toEqual(Array(9).fill([8, 8]));
});

it('takes no key that ends within its seal', () => {
  const key = mintApiKey(SEAL);
  expect(isSealedBy(key.slice(0, key.indexOf('SSSSSSSS') + 7), SEAL)).toBe(false);
});
