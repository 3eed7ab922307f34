import { describe, expect, it } from '@jest/globals';
import { makeKey } from './make-key.ts';
import { type KeyOrder, sortedKeys } from './sort-keys.ts';

const NOW_MS = Date.parse('2026-11-30T00:00:00.000Z');
const hasher = {
  hashes: async () => ['p.h'] as [string],
  pepperId: async () => 'p',
  pseudonym: async () => '',
  mint: async () => 'secret',
  isSealed: async () => true,
};

async function storeOf(changes: readonly object[]) {
  const clock = { now: () => NOW_MS } as never;
  const keys = await Promise.all(
    changes.map(async (change, at) => {
      const { key } = await makeKey({ name: `n${at}` } as never, hasher, clock);
      return { key: { ...key, id: `key_${at}`, ...change }, version: 1 };
    }),
  );
  let reads = 0;
  return {
    reads: () => reads,
    list: async (limit: number, cursor = '0') => {
      reads += 1;
      const to = Number(cursor) + limit;
      return { keys: keys.slice(Number(cursor), to), ...(to < keys.length && { nextCursor: String(to) }) };
    },
  };
}

const FIGURES = new Map([
  ['key_0', { requests: 5, costUsd: null }],
  ['key_2', { requests: 12, costUsd: 0.5 }],
  ['key_3', { requests: 9, costUsd: 3 }],
]);

async function idsOf(store: Awaited<ReturnType<typeof storeOf>>, by: KeyOrder, limit = 2, filter = {}) {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await sortedKeys(filter, by, { limit, cursor }, store, FIGURES, NOW_MS);
    pages.push(page.keys.map(({ key }) => key.id.slice('key_'.length)));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return pages;
}

describe('sorted keys', () => {
  const changes = [
    { name: 'beta', createdAt: '2026-11-01T00:00:00.000Z', lastUsedAt: null },
    { name: 'Alpha', createdAt: '2026-11-03T00:00:00.000Z', lastUsedAt: '2026-11-29T00:00:00.000Z' },
    { name: 'gamma', createdAt: '2026-11-02T00:00:00.000Z', lastUsedAt: '2026-11-28T00:00:00.000Z' },
    { name: 'delta', createdAt: '2026-11-04T00:00:00.000Z', lastUsedAt: null, teamId: 'team_a' },
  ];

  it.each([
    [
      'name',
      'asc',
      [
        ['1', '0'],
        ['3', '2'],
      ],
    ],
    [
      'name',
      'desc',
      [
        ['2', '3'],
        ['0', '1'],
      ],
    ],
    [
      'created',
      'desc',
      [
        ['3', '1'],
        ['2', '0'],
      ],
    ],
    [
      'lastUsed',
      'desc',
      [
        ['1', '2'],
        ['0', '3'],
      ],
    ],
    [
      'lastUsed',
      'asc',
      [
        ['2', '1'],
        ['0', '3'],
      ],
    ],
    [
      'requests',
      'desc',
      [
        ['2', '3'],
        ['0', '1'],
      ],
    ],
    [
      'spend',
      'desc',
      [
        ['3', '2'],
        ['1', '0'],
      ],
    ],
  ] as const)('by %s, %s, are all found once, those without a value last', async (sort, order, expected) => {
    expect(await idsOf(await storeOf(changes), { sort, order })).toEqual(expected);
  });

  it('match the filter, also after a key that no longer does', async () => {
    const store = await storeOf(changes);
    const by = { sort: 'name', order: 'asc' } as const;
    expect(await idsOf(store, by, 2, { search: 'a', teamId: 'team_a' })).toEqual([['3']]);
    const page = await sortedKeys({ teamId: 'team_a' }, by, { limit: 1, cursor: 'key_1' }, store, FIGURES, NOW_MS);
    expect(page.keys.map(({ key }) => key.id)).toEqual(['key_3']);
  });

  it('need a cursor of theirs, and are at most 10,000', async () => {
    const by = { sort: 'name', order: 'asc' } as const;
    const sorted = (count: number, cursor?: string) =>
      storeOf(Array.from({ length: count }, () => ({}))).then((store) =>
        sortedKeys({}, by, { limit: 1, cursor }, store, FIGURES, NOW_MS),
      );
    await expect(sorted(3, 'key_9')).rejects.toMatchObject({ code: 'invalid_value', param: 'cursor' });
    await expect(sorted(10_001)).rejects.toMatchObject({ code: 'invalid_value', param: 'sort' });
  });
});
