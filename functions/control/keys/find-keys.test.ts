import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ApiKey, createKeySchema } from '../../kernel/model/index.ts';
import { findKeys, type KeyFilter, reportExpiringKeys } from './find-keys.ts';
import type { KeyStore } from './key-store.ts';

const NOW = Date.parse('2026-06-01T00:00:00Z');

function keyOf(at: number, fields: Partial<ApiKey> = {}): ApiKey {
  return {
    ...createKeySchema.parse({ name: `Key ${at}` }),
    id: `key_${at}`,
    state: 'active',
    last4: `la${at % 100}`,
    createdAt: new Date(NOW - at).toISOString(),
    secretHash: `hash ${at}`,
    ...fields,
  };
}

/** Keys in a list whose cursors are places in it, and how many were read. */
function storeOf(keys: readonly ApiKey[]) {
  const read = { keys: 0 };
  const store: Pick<KeyStore, 'list' | 'cursorAfter'> = {
    list: async (limit, cursor) => {
      const from = Number(cursor ?? 0);
      const page = keys.slice(from, from + limit).map((key) => ({ key, version: 1 }));
      read.keys += page.length;
      const more = from + limit < keys.length;
      return more ? { keys: page, nextCursor: String(from + limit) } : { keys: page };
    },
    cursorAfter: ({ id }) => String(keys.findIndex((key) => key.id === id) + 1),
  };
  return { store, read };
}

/** Every page of a search, and how many keys each looked at. */
async function searchAll(keys: readonly ApiKey[], filter: KeyFilter, limit: number) {
  const { store, read } = storeOf(keys);
  const found: string[] = [];
  const looked: number[] = [];
  let cursor: string | undefined;
  do {
    const before = read.keys;
    const page = await findKeys(filter, limit, cursor, store, NOW);
    expect(page.keys.length).toBeLessThanOrEqual(limit);
    found.push(...page.keys.map(({ key }) => key.id));
    looked.push(read.keys - before);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return { found, looked };
}

describe('keys that are looked for', () => {
  it('are all found, each once, in order, whatever the page', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.boolean(), { maxLength: 350 }),
        fc.integer({ min: 1, max: 100 }),
        async (fit, limit) => {
          const keys = fit.map((fits, at) => keyOf(at, { environment: fits ? 'Staging' : 'Production' }));
          const wanted = keys.filter((_, at) => fit[at]).map(({ id }) => id);
          expect((await searchAll(keys, { environment: 'Staging' }, limit)).found).toEqual(wanted);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('are looked for in a thousand keys a page', async () => {
    const keys = Array.from({ length: 2_500 }, (_, at) => keyOf(at));
    keys[2_400] = keyOf(2_400, { name: 'The needle' });
    const { found, looked } = await searchAll(keys, { search: 'NEEDLE' }, 50);
    expect(found).toEqual(['key_2400']);
    expect(looked).toEqual([1_000, 1_000, 500]);
  });

  it.each<[string, KeyFilter, string[]]>([
    ['a part of the name, in any case', { search: 'key 1' }, ['key_1']],
    ['the id', { search: 'key_2' }, ['key_2']],
    ['how the secret ends', { search: 'la3' }, ['key_3']],
    ['a state that follows from the time', { state: 'expired' }, ['key_2']],
    ['a state that is stored', { state: 'disabled' }, ['key_3']],
    ['all that is given together', { state: 'active', search: 'Key 2' }, []],
    ['nothing', {}, ['key_0', 'key_1', 'key_2', 'key_3']],
  ])('are told by %s', async (_, filter, ids) => {
    const keys = [
      keyOf(0),
      keyOf(1),
      keyOf(2, { expiresAt: new Date(NOW).toISOString() }),
      keyOf(3, { state: 'disabled' }),
    ];
    expect((await searchAll(keys, filter, 10)).found).toEqual(ids);
  });
});

it('keys that expire within 7 days are reported, if they are active and were not reported before', async () => {
  const inDays = (days: number) => new Date(NOW + days * 86_400_000).toISOString();
  const keys = [
    keyOf(1, { expiresAt: inDays(7) }),
    keyOf(2, { expiresAt: new Date(NOW + 7 * 86_400_000 + 1).toISOString() }),
    keyOf(3, { expiresAt: inDays(1), state: 'revoked' }),
    keyOf(4, { expiresAt: inDays(-1) }),
    keyOf(5),
  ];
  const reported: string[] = [];
  const { store } = storeOf(keys);
  const emitExpiryEvent = async ({ id }: ApiKey) => reported.push(id) > 0;
  const count = await reportExpiringKeys({ keys: { ...store, emitExpiryEvent }, clock: { now: () => NOW } });
  expect([count, reported]).toEqual([1, ['key_1']]);
});
