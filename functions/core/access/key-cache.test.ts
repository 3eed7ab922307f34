import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ApiKey } from '../model/api-key.ts';
import { StoreUnavailable } from '../ports/key-store.ts';
import { KeyCache } from './key-cache.ts';

let time = 0;
let reads: string[] = [];
let stored: Map<string, ApiKey> = new Map();
let failure: Error | undefined;
const read = async (hash: string) => {
  reads.push(hash);
  if (failure) throw failure;
  return stored.get(hash);
};
const clock = { now: () => 0, monotonic: () => time };
const key = (id: string) => ({ id }) as ApiKey;
let cache: KeyCache;

beforeEach(() => {
  time = 1_000_000;
  reads = [];
  stored = new Map([['a', key('key_a')]]);
  failure = undefined;
  cache = new KeyCache(read, clock);
});

describe('a key', () => {
  it('is read once within 10 s, and again then', async () => {
    expect(await cache.find('a')).toEqual(key('key_a'));
    stored.set('a', key('changed'));
    time += 9_999;
    expect(await cache.find('a')).toEqual(key('key_a'));
    time += 1;
    expect(await cache.find('a')).toEqual(key('changed'));
    expect(reads).toEqual(['a', 'a']);
  });

  it('that is unknown is remembered as unknown for 10 s', async () => {
    expect(await cache.find('b')).toBeUndefined();
    stored.set('b', key('key_b'));
    expect(await cache.find('b')).toBeUndefined();
    time += 10_000;
    expect(await cache.find('b')).toEqual(key('key_b'));
  });

  it('looked up by many at once is read once, and each key by itself', async () => {
    expect(await Promise.all(Array.from({ length: 50 }, () => cache.find('a')))).toEqual(
      new Array(50).fill(key('key_a')),
    );
    expect(await Promise.all([cache.find('b'), cache.find('c')])).toEqual([undefined, undefined]);
    expect(reads).toEqual(['a', 'b', 'c']);
  });

  it('is as old as the start of the read that gave it', async () => {
    const slow = new KeyCache(async (hash) => {
      const found = await read(hash);
      time += 9_000;
      return found;
    }, clock);
    await slow.find('a');
    time += 1_000;
    await slow.find('a');
    expect(reads).toHaveLength(2);
  });
});

describe('while the store is away', () => {
  it('a key that was known stays valid for 30 s, and no longer', async () => {
    await cache.find('a');
    failure = new StoreUnavailable('away');
    time += 29_999;
    expect(await cache.find('a')).toEqual(key('key_a'));
    time += 1;
    await expect(cache.find('a')).rejects.toBe(failure);
  });

  it('an unknown key is not taken for unknown any longer than 10 s, nor is one never seen', async () => {
    await cache.find('b');
    failure = new StoreUnavailable('away');
    time += 10_000;
    await expect(cache.find('b')).rejects.toBe(failure);
    await expect(cache.find('c')).rejects.toBe(failure);
  });

  it('any other failure is told', async () => {
    await cache.find('a');
    failure = new Error('a bug');
    time += 10_000;
    await expect(cache.find('a')).rejects.toBe(failure);
  });

  it('the next look-up reads again', async () => {
    failure = new StoreUnavailable('away');
    await expect(cache.find('a')).rejects.toBe(failure);
    failure = undefined;
    expect(await cache.find('a')).toEqual(key('key_a'));
  });
});

it('keeps at most 10,000 entries, and lets the oldest go first', async () => {
  for (let i = 0; i <= 10_000; i += 1) await cache.find(`junk ${i}`);
  reads = [];
  await cache.find('junk 1');
  await cache.find('junk 10000');
  expect(reads).toEqual([]);
  await cache.find('junk 0');
  expect(reads).toEqual(['junk 0']);
});
