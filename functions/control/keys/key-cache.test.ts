import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { byDayOrNight } from '../../../test/support/night.ts';
import { StoreUnavailable } from '../../kernel/errors/index.ts';
import type { ApiKey } from '../../kernel/model/index.ts';
import { KeyCache, KeyUses } from './key-cache.ts';
import type { KeyUse } from './key-store.ts';

let time = 0;
let reads: string[] = [];
let stored: Map<string, ApiKey> = new Map();
let failure: Error | undefined;
const finder = {
  find: async ([hash = '']: readonly string[]) => {
    reads.push(hash);
    if (failure) throw failure;
    return stored.get(hash);
  },
};
const clock = { now: () => 0, monotonic: () => time };
const key = (id: string) => ({ id }) as ApiKey;
let cache: KeyCache;
/** Looks up a secret that the deployment created, as nearly all are. */
const find = (hash: string, isSealed = true) => cache.find([hash], async () => isSealed);

beforeEach(() => {
  time = 1_000_000;
  reads = [];
  stored = new Map([['a', key('key_a')]]);
  failure = undefined;
  cache = new KeyCache(finder, clock);
});

describe('a key', () => {
  it('is read once within 10 s, and again then', async () => {
    expect(await find('a')).toEqual(key('key_a'));
    stored.set('a', key('changed'));
    time += 9_999;
    expect(await find('a')).toEqual(key('key_a'));
    time += 1;
    expect(await find('a')).toEqual(key('changed'));
    expect(reads).toEqual(['a', 'a']);
  });

  it('that is unknown is remembered as unknown for 10 s', async () => {
    expect(await find('b')).toBeUndefined();
    stored.set('b', key('key_b'));
    expect(await find('b')).toBeUndefined();
    time += 10_000;
    expect(await find('b')).toEqual(key('key_b'));
  });

  it('looked up by many at once is read once, and each key by itself', async () => {
    expect(await Promise.all(Array.from({ length: 50 }, () => find('a')))).toEqual(new Array(50).fill(key('key_a')));
    expect(await Promise.all([find('b'), find('c')])).toEqual([undefined, undefined]);
    expect(reads).toEqual(['a', 'b', 'c']);
  });

  it('is as old as the start of the read that gave it', async () => {
    const slow = async (hashes: readonly string[]) => {
      const found = await finder.find(hashes);
      time += 9_000;
      return found;
    };
    cache = new KeyCache({ find: slow }, clock);
    await find('a');
    time += 1_000;
    await find('a');
    expect(reads).toHaveLength(2);
  });
});

describe('while the store is away', () => {
  it('a key that was known stays valid for 30 s, and no longer', async () => {
    await find('a');
    failure = new StoreUnavailable('away');
    time += 29_999;
    expect(await find('a')).toEqual(key('key_a'));
    time += 1;
    await expect(find('a')).rejects.toBe(failure);
  });

  it('an unknown key is not taken for unknown any longer than 10 s, nor is one never seen', async () => {
    await find('b');
    failure = new StoreUnavailable('away');
    time += 10_000;
    await expect(find('b')).rejects.toBe(failure);
    await expect(find('c')).rejects.toBe(failure);
  });

  it('any other failure is told', async () => {
    await find('a');
    failure = new Error('a bug');
    time += 10_000;
    await expect(find('a')).rejects.toBe(failure);
  });

  it('the next look-up reads again', async () => {
    failure = new StoreUnavailable('away');
    await expect(find('a')).rejects.toBe(failure);
    failure = undefined;
    expect(await find('a')).toEqual(key('key_a'));
  });
});

describe('junk', () => {
  it('fills no more than 10,000 entries, the oldest going first, and pushes out no key', async () => {
    await find('a');
    for (let i = 0; i <= 10_000; i += 1) await find(`junk ${i}`);
    reads = [];
    await find('a');
    await find('junk 1');
    await find('junk 10000');
    expect(reads).toEqual([]);
    await find('junk 0');
    expect(reads).toEqual(['junk 0']);
  });

  it('that anybody could have made up is looked up 200 times, and 20 times a second from then on', async () => {
    for (let i = 0; i < 5_000; i += 1) expect(await find(`junk ${i}`, false)).toBeUndefined();
    expect(reads).toHaveLength(200);
    time += 3_000;
    for (let i = 5_000; i < 10_000; i += 1) await find(`junk ${i}`, false);
    expect(reads).toHaveLength(260);
  });

  it('in a flood keeps nobody away who has a key that the deployment made, or one that was seen before', async () => {
    stored.set('brought along', key('key_b'));
    await find('brought along', false);
    for (let i = 0; i < 1_000; i += 1) await find(`junk ${i}`, false);
    expect(await find('a')).toEqual(key('key_a'));
    time += 60_000;
    for (let i = 1_000; i < 10_000; i += 1) await find(`junk ${i}`, false);
    expect(await find('brought along', false)).toEqual(key('key_b'));
  });
});

describe('where changes must count at once', () => {
  beforeEach(() => {
    cache = new KeyCache(finder, clock, { freshMs: 0, staleMs: 0 });
  });

  it('a key is read every time, by each for itself, and is not used while the store is away', async () => {
    await Promise.all([find('a'), find('a')]);
    stored.set('a', key('changed'));
    expect(await find('a')).toEqual(key('changed'));
    expect(reads).toEqual(['a', 'a', 'a']);
    failure = new StoreUnavailable('away');
    await expect(find('a')).rejects.toBe(failure);
  });

  it('junk is bounded all the same', async () => {
    for (let i = 0; i < 1_000; i += 1) await find(`junk ${i}`, false);
    for (let i = 0; i < 1_000; i += 1) await find('junk 0', false);
    expect(reads).toHaveLength(200);
  });
});

it('a revoked key is seen revoked by every request that begins 30 s after, however requests and outages fall', async () => {
  const step = fc.record({
    waitMs: fc.constantFrom(0, 1, 500, 3_000, 5_000, 7_000, 9_999, 10_000),
    away: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
    // The store responds in time, or fails after its deadline.
    readMs: fc.integer({ min: 0, max: 3_300 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 30 }), fc.nat(4), async (steps, revokedAtStep) => {
      time = 0;
      let revoked = false;
      let conditions = { away: false, readMs: 0 };
      const revocable = new KeyCache(
        {
          find: async () => {
            const { away, readMs } = conditions;
            const seen = { ...key('key_a'), state: revoked ? 'revoked' : 'active' } as ApiKey;
            time += readMs;
            if (away) throw new StoreUnavailable('away');
            return seen;
          },
        },
        clock,
      );
      let revokedAt = Number.POSITIVE_INFINITY;
      for (const [at, { waitMs, ...now }] of steps.entries()) {
        time += waitMs;
        conditions = now;
        if (at === revokedAtStep) {
          revoked = true;
          revokedAt = time;
        }
        const begunAt = time;
        const found = await revocable.find(['a'], async () => true).catch(() => undefined);
        if (begunAt >= revokedAt + 30_000) expect(found?.state).not.toBe('active');
      }
    }),
    { numRuns: byDayOrNight(250, 1_000) },
  );
});

describe('key uses', () => {
  const T0 = Date.parse('2026-06-01T00:00:00Z');

  /** A separate process, and what it has written. */
  function process(noteUse: (key: ApiKey, use: KeyUse) => Promise<void> = async () => {}) {
    const clock = { time: T0, now: () => clock.time, monotonic: () => clock.time };
    const written: (KeyUse & { id: string })[] = [];
    const uses = new KeyUses(
      {
        noteUse: async (key, use) => {
          written.push({ id: key.id, ...use });
          await noteUse(key, use);
        },
      },
      clock,
    );
    return { clock, written, uses };
  }

  const key = (fields: Partial<ApiKey> = {}) => ({ id: 'key_1', secretHash: 'new', ...fields }) as ApiKey;

  describe('the use of a key', () => {
    it('is written at once, and then once a minute however often it is used', () => {
      const { clock, written, uses } = process();
      for (let second = 0; second < 180; second += 1) {
        for (let i = 0; i < 100; i += 1) uses.note(key(), ['new']);
        clock.time += 1_000;
      }
      expect(written.map(({ usedAt }) => usedAt)).toEqual([
        '2026-06-01T00:00:00.000Z',
        '2026-06-01T00:01:00.000Z',
        '2026-06-01T00:02:00.000Z',
      ]);
    });

    it('is not written again where another process did so within the minute', () => {
      const { clock, written, uses } = process();
      uses.note(key({ lastUsedAt: '2026-05-31T23:59:00.001Z' }), ['new']);
      expect(written).toEqual([]);
      clock.time += 1;
      uses.note(key({ lastUsedAt: '2026-05-31T23:59:00.001Z' }), ['new']);
      expect(written).toHaveLength(1);
    });

    it('is written for each key', () => {
      const { written, uses } = process();
      for (const id of ['key_1', 'key_2', 'key_1']) uses.note(key({ id }), ['new']);
      expect(written.map(({ id }) => id)).toEqual(['key_1', 'key_2']);
    });

    it('is lost where the store is away, which nobody is told, and tried again a minute later', async () => {
      const { clock, written, uses } = process(async () => Promise.reject(new Error('away')));
      uses.note(key(), ['new']);
      await new Promise(setImmediate);
      clock.time += 59_999;
      uses.note(key(), ['new']);
      expect(written).toHaveLength(1);
      clock.time += 1;
      uses.note(key(), ['new']);
      expect(written).toHaveLength(2);
    });

    it('says under which hash the secret belongs by now, where the key still stands under an older pepper', () => {
      const { written, uses } = process();
      uses.note(key({ id: 'moved' }), ['new', 'old']);
      uses.note(key({ id: 'behind', secretHash: 'old' }), ['new', 'old']);
      // A secret within its grace period does not move the key to it.
      uses.note(key({ id: 'rotated', secretHash: 'another' }), ['new', 'old']);
      expect(written.map(({ seenHash }) => seenHash)).toEqual([undefined, 'new', undefined]);
    });
  });
});
