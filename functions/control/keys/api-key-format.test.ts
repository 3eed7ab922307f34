import { crc32 } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BASE62, base62Checksum, endsWithChecksum } from '../../kernel/crypto/index.ts';
import { isApiKeyForm, mintApiKey } from './api-key-format.ts';

const base62 = (length: number) =>
  fc.string({ unit: fc.constantFrom(...BASE62), minLength: length, maxLength: length });

describe('a minted key', () => {
  it('has the prefix, 32 random characters and their checksum, and is never made twice', () => {
    const keys = Array.from({ length: 200 }, mintApiKey);
    for (const key of keys) {
      expect(key).toMatch(/^svc_sk_[0-9A-Za-z]{38}$/);
      expect(isApiKeyForm(key)).toBe(true);
    }
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('draws on the whole alphabet', () => {
    const drawn = new Set(Array.from({ length: 200 }, () => mintApiKey().slice(7, 39)).join(''));
    expect([...drawn].sort().join('')).toBe([...BASE62].sort().join(''));
  });
});

describe('the form of a key', () => {
  const key = mintApiKey();

  it('is lost by every change of one character', () => {
    for (let at = 0; at < key.length; at += 1) {
      for (const other of `${BASE62}_- é`) {
        if (other === key[at]) continue;
        expect(isApiKeyForm(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
      }
    }
  });

  it('is lost by a character more or less, anywhere', () => {
    for (let at = 0; at <= key.length; at += 1) {
      expect(isApiKeyForm(`${key.slice(0, at)}0${key.slice(at)}`)).toBe(false);
      if (at < key.length) expect(isApiKeyForm(key.slice(0, at) + key.slice(at + 1))).toBe(false);
    }
  });

  it('is lost where two different neighbours change places', () => {
    for (let at = 7; at + 1 < key.length; at += 1) {
      if (key[at] === key[at + 1]) continue;
      expect(isApiKeyForm(`${key.slice(0, at)}${key[at + 1]}${key[at]}${key.slice(at + 2)}`)).toBe(false);
    }
  });

  it.each([
    ['space around it', ` ${key}`],
    ['a newline at its end', `${key}\n`],
    ['another case of its prefix', key.replace('svc', 'SVC')],
    ['nothing at all', ''],
  ])('is lost by %s', (_, text) => expect(isApiKeyForm(text)).toBe(false));
});

describe('the checksum', () => {
  it('is CRC-32 (IEEE) in base62, the most significant digit first, padded with 0', () => {
    fc.assert(
      fc.property(base62(32), (random) => {
        const checksum = base62Checksum(random);
        expect(checksum).toHaveLength(6);
        expect([...checksum].reduce((sum, digit) => sum * 62 + BASE62.indexOf(digit), 0)).toBe(crc32(random));
      }),
    );
  });

  it.each([
    ['', '000000'],
    ['123456789', '3jZRME'],
  ])('of %j is %s', (text, expected) => {
    // 0xCBF43926, the check value of CRC-32, is 3421780262.
    expect(base62Checksum(text)).toBe(expected);
    expect(endsWithChecksum(text + expected)).toBe(true);
  });
});
