import { describe, expect, it } from '@jest/globals';
import { ResponseSealer } from '../../kernel/crypto/index.ts';
import { neverPausing } from '../../kernel/tasks/index.ts';
import { mintApiKey } from '../keys/index.ts';
import type { ItemStore, NewItems } from './item-store.ts';
import { type CacheScope, ResponseCache } from './response-cache.ts';

const TERMS = { ttlMs: 60_000, endUserId: 'ann' };

function scopeOf(id: string, secret = mintApiKey()): CacheScope {
  return { id, sealerFor: (name, salt) => new ResponseSealer(secret, name, salt) };
}

function world() {
  const entries = new Map<string, NewItems>();
  const clock = { time: 1_000_000, now: () => clock.time, monotonic: () => 0 };
  const store: ItemStore = {
    write: async (entry) => void entries.set(entry.name, entry),
    remove: async () => {},
    async *read(names, nowMs) {
      for (const name of names) {
        const entry = entries.get(name);
        if (entry !== undefined && entry.expiresAtMs > nowMs) yield entry;
      }
    },
  };
  const cacheOf = (version: string) => new ResponseCache(store, clock, neverPausing(), version);
  return { entries, clock, cache: cacheOf('1.0.0'), cacheOf };
}

describe('a cached response', () => {
  it('is found by the same request until it is too old for its writer or its reader, with the name of the end user', async () => {
    const { cache, clock, entries } = world();
    const request = await cache.nameOf(scopeOf('key_1'), 'a request');
    await cache.keep(request, 'first\nsecond', TERMS);
    expect([...entries.values()]).toMatchObject([{ name: request.name, endUserId: 'ann', expiresAtMs: 1_060_000 }]);
    clock.time += 1_000;
    expect([await cache.find(request, 1_001), await cache.find(request, 1_000)]).toEqual(['first\nsecond', undefined]);
    clock.time += 59_000;
    expect(await cache.find(request, 100_000)).toBeUndefined();
  });

  it('is unknown to another scope with the same secret, to another secret of the scope, and to another request', async () => {
    const { cache, entries } = world();
    const secret = mintApiKey();
    await cache.keep(await cache.nameOf(scopeOf('key_1', secret), 'a request'), 'text', TERMS);
    for (const [scope, request] of [
      [scopeOf('key_2', secret), 'a request'],
      [scopeOf('key_1'), 'a request'],
      [scopeOf('key_1', secret), 'a request '],
    ] as const) {
      expect(await cache.find(await cache.nameOf(scope, request), 1_000)).toBeUndefined();
    }
    // Neither the request nor the response can be read in the store, and no entry can be moved to another name.
    const [entry] = [...entries.values()] as [NewItems];
    expect(Buffer.from(entry.bytes).toString('latin1')).not.toContain('text');
    const other = await cache.nameOf(scopeOf('key_1', secret), 'another request');
    entries.set(other.name, { ...entry, name: other.name });
    expect(await cache.find(other, 1_000)).toBeUndefined();
  });

  it('is unknown to another version of the gateway', async () => {
    const { cache, cacheOf } = world();
    const scope = scopeOf('key_1');
    await cache.keep(await cache.nameOf(scope, 'a request'), 'text', TERMS);
    const next = cacheOf('1.1.0');
    expect(await next.find(await next.nameOf(scope, 'a request'), 1_000)).toBeUndefined();
  });

  it('is replaced by a later one, and not stored above 4 MiB', async () => {
    const { cache, entries } = world();
    const request = await cache.nameOf(scopeOf('key_1'), 'a request');
    await cache.keep(request, 'first', TERMS);
    await cache.keep(request, 'second', TERMS);
    await cache.keep(request, 'x'.repeat(4 * 1024 * 1024), TERMS);
    expect([entries.size, await cache.find(request, 1_000)]).toEqual([1, 'second']);
  });
});
