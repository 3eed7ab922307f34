import { expect, it } from '@jest/globals';
import { makeFirstAdminKey } from './make-key.ts';

const MINTED = `svc_sk_${'a'.repeat(38)}`;

/** What a first admin key writes, by what is stored already. */
async function writes({ isCreated = false, hasKeys = false }) {
  const written: string[] = [];
  await makeFirstAdminKey('request', {
    keys: {
      get: async (id: string) => (isCreated ? { id } : undefined),
      any: async () => hasKeys,
      create: async () => void written.push('key'),
    },
    hasher: {
      mint: async () => MINTED,
      hashOf: async () => 'hash',
      hashes: async () => ['hash'],
      isSealed: () => true,
    },
    keeper: {
      keep: async (_: string, text: string) => {
        written.push('secret');
        return text;
      },
    },
    clock: { now: () => 0, monotonic: () => 0 },
    audit: { append: async () => ({}) },
    onAudited: () => {},
  } as never);
  return written;
}

it('a first admin key stores its secret, then the key', async () => {
  expect(await writes({})).toEqual(['secret', 'key']);
});

it('a first admin key is not created where it exists, or any other key does', async () => {
  expect(await writes({ isCreated: true })).toEqual([]);
  expect(await writes({ hasKeys: true })).toEqual([]);
});
