import { createHash, createHmac, randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { type ApiKey, createKeySchema } from '../../kernel/model/index.ts';
import type { DocumentVersion } from '../documents/index.ts';
import {
  addImportedSecret,
  endImportedSecrets,
  ImportedSecrets,
  type ImportedSecretsDocument,
} from './imported-secrets.ts';

const clock = { now: () => clock.time, monotonic: () => clock.time, time: Date.parse('2026-06-01T00:00:00Z') };
const hasher = { hashes: async (text: string) => [hashOf(text)] as const satisfies readonly [string] };
const hashOf = (text: string) => `pepper.${createHmac('sha256', 'p').update(text).digest('hex')}`;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

function setUp() {
  let current: DocumentVersion<ImportedSecretsDocument> = {
    ...{ version: 0, settings: { digests: {} }, createdAt: null, createdBy: null },
  };
  let conflicts = 0;
  const store = {
    current: async () => current,
    replace: async (read: typeof current, next: typeof current) => {
      if (conflicts-- > 0 || read.version !== current.version) return false;
      current = next;
      return true;
    },
    conflict: (times: number) => {
      conflicts = times;
    },
  };
  const secrets = new ImportedSecrets({ document: { settings: async () => current.settings }, hasher, clock });
  const holds = async (secret: string, address = '192.0.2.1') =>
    secrets.mayHold((await secrets.hashes(secret)) as readonly [string], address);
  return { store, holds, stored: () => current.settings.digests };
}

function keyOf(secretHash: string, fields: Partial<ApiKey> = {}): ApiKey {
  const fixed = { id: 'key_1', state: 'active', last4: '', createdAt: '2026-06-01T00:00:00Z' } as const;
  return { ...createKeySchema.parse({ name: 'a key' }), ...fixed, secretHash, ...fields };
}

it('only imported secrets are held, and the stored digests are neither hashes nor parts of the SHA-256', async () => {
  const { store, holds, stored } = setUp();
  expect(await holds('sk-1')).toBe(false);
  store.conflict(1);
  await addImportedSecret(hashOf(sha256('sk-1')), store, clock);
  expect([await holds('sk-1'), await holds('sk-2'), await holds(sha256('sk-1'))]).toEqual([true, false, false]);
  const [digest = ''] = Object.keys(stored());
  expect([digest.length, sha256('sk-1').includes(digest)]).toEqual([12, false]);
});

it('a rotated secret is held until its grace period ends, and a revoked one no longer', async () => {
  const { store, holds, stored } = setUp();
  const imported = keyOf(hashOf(sha256('sk-1')));
  await addImportedSecret(imported.secretHash, store, clock);
  const validUntil = new Date(clock.time + 1_000).toISOString();
  const retired = { hash: imported.secretHash, last4: '', validUntil };
  const rotated = keyOf('pepper.new', { retiredSecrets: [retired] });
  await endImportedSecrets(imported, rotated, store, clock);
  expect(await holds('sk-1')).toBe(true);
  clock.time += 1_000;
  expect(await holds('sk-1')).toBe(false);
  await addImportedSecret(hashOf(sha256('sk-3')), store, clock);
  expect(Object.keys(stored())).toHaveLength(1);
  const revoked = keyOf(hashOf(sha256('sk-3')), { state: 'revoked' });
  await endImportedSecrets({ ...revoked, state: 'active' }, revoked, store, clock);
  expect([stored(), await holds('sk-3')]).toEqual([{}, false]);
});

it('guesses are counted by network, so that none is tested beyond 100 at once and 10 a second', async () => {
  const { store, holds } = setUp();
  await addImportedSecret(hashOf(sha256('sk-1234')), store, clock);
  for (let at = 0; at < 100; at += 1) expect(await holds(`sk-${randomBytes(4).toString('hex')}`)).toBe(false);
  expect([await holds('sk-1234'), await holds('sk-1234', '198.51.100.7')]).toEqual([false, true]);
  clock.time += 100;
  expect(await holds('sk-1234')).toBe(true);
});

it('no more than 20,000 are stored', async () => {
  const { store } = setUp();
  const digests = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [String(at), null]));
  await store.replace(await store.current(), { version: 1, settings: { digests }, createdAt: null, createdBy: null });
  await expect(addImportedSecret(hashOf('x'), store, clock)).rejects.toMatchObject({ code: 'conflict' });
});
