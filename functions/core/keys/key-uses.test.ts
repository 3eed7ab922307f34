import { describe, expect, it } from '@jest/globals';
import type { ApiKey } from '../model/api-key.ts';
import type { KeyUse } from './key-store.ts';
import { KeyUses } from './key-uses.ts';

const T0 = Date.parse('2026-06-01T00:00:00Z');

/** A process of its own, and what it has written. */
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
    // A secret in its grace is no reason to move the key to it.
    uses.note(key({ id: 'rotated', secretHash: 'another' }), ['new', 'old']);
    expect(written.map(({ seenHash }) => seenHash)).toEqual([undefined, 'new', undefined]);
  });
});
