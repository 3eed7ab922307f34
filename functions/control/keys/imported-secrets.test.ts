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
  const stored = () => Object.entries(current.settings.digests).map(([until, packed]) => [until, packed.length / 8]);
  return { store, holds, stored, document: () => current.settings };
}

function keyOf(secretHash: string, fields: Partial<ApiKey> = {}): ApiKey {
  const fixed = { id: 'key_1', state: 'active', last4: '', createdAt: '2026-06-01T00:00:00Z' } as const;
  return { ...createKeySchema.parse({ name: 'a key' }), ...fixed, secretHash, ...fields };
}

it('only imported secrets are held, and the stored digests are neither hashes nor parts of the SHA-256', async () => {
  const { store, holds, document } = setUp();
  expect(await holds('sk-1')).toBe(false);
  store.conflict(1);
  await addImportedSecret(hashOf(sha256('sk-1')), store, clock);
  expect([await holds('sk-1'), await holds('sk-2'), await holds(sha256('sk-1'))]).toEqual([true, false, false]);
  const digest = Buffer.from(document().digests[''] ?? '', 'base64url').toString('hex');
  expect([digest.length, sha256('sk-1').includes(digest)]).toEqual([12, false]);
});

it('a rotated secret is held until the hour after its grace period, and a revoked one no longer', async () => {
  const { store, holds, stored } = setUp();
  const imported = keyOf(hashOf(sha256('sk-1')));
  await addImportedSecret(imported.secretHash, store, clock);
  const validUntil = new Date(clock.time + 1_000).toISOString();
  const retired = { hash: imported.secretHash, last4: '', validUntil };
  const rotated = keyOf('pepper.new', { retiredSecrets: [retired] });
  await endImportedSecrets(imported, rotated, store, clock);
  expect([stored(), await holds('sk-1')]).toEqual([[['2026-06-01T01:00:00.000Z', 1]], true]);
  clock.time += 3_600_000;
  expect(await holds('sk-1')).toBe(false);
  await addImportedSecret(hashOf(sha256('sk-3')), store, clock);
  expect(stored()).toEqual([['', 1]]);
  const revoked = keyOf(hashOf(sha256('sk-3')), { state: 'revoked' });
  await endImportedSecrets({ ...revoked, state: 'active' }, revoked, store, clock);
  expect([stored(), await holds('sk-3')]).toEqual([[], false]);
});

it('guesses are counted by network, so that none is tested beyond 100 at once and 10 a second', async () => {
  const { store, holds } = setUp();
  await addImportedSecret(hashOf(sha256('sk-1234')), store, clock);
  for (let at = 0; at < 100; at += 1) expect(await holds(`sk-${randomBytes(4).toString('hex')}`)).toBe(false);
  expect([await holds('sk-1234'), await holds('sk-1234', '198.51.100.7')]).toEqual([false, true]);
  clock.time += 100;
  expect(await holds('sk-1234')).toBe(true);
});

/** Digests in the form of the document. */
const packed = (count: number, mark: string) =>
  Array.from({ length: count }, (_, at) => `${mark}${at}`.padEnd(8, '-')).join('');

it.each([
  ['20,000 of keys', { '': packed(20_000, 'k') }, 'At most 20000 keys'],
  ['46,000 in all', { '': packed(1, 'k'), '2026-06-02T00:00:00.000Z': packed(45_999, 'm') }, 'Try again in a day'],
])('no more than %s are stored, and they fit in an item', async (_, digests, message) => {
  clock.time = Date.parse('2026-06-01T00:00:00Z');
  const { store, document } = setUp();
  await store.replace(await store.current(), { version: 1, settings: { digests }, createdAt: null, createdBy: null });
  await expect(addImportedSecret(hashOf('x'), store, clock)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining(message),
  });
  expect(JSON.stringify(document()).length).toBeLessThan(380_000);
});
