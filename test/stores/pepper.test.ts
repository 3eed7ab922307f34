import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDynamoClient, type DynamoClient } from '../../functions/adapters/aws/clients.ts';
import {
  DynamoDocumentStore,
  IMPORTED_SECRETS_DOCUMENT,
} from '../../functions/adapters/dynamo/dynamo-document-store.ts';
import { DynamoKeyStore } from '../../functions/adapters/dynamo/dynamo-key-store.ts';
import { createKeyHasher } from '../../functions/adapters/node/hmac-key-hasher.ts';
import {
  addImportedSecret,
  authenticate,
  ImportedSecrets,
  KeyCache,
  type KeyHasher,
  KeyUses,
  makeImportedKey,
  makeKey,
  type StoredKey,
} from '../../functions/control/keys/index.ts';
import { NO_TOKENS } from '../../functions/control/keys/no-tokens.fixture.ts';
import { rehashKeys } from '../../functions/control/keys/rehash-keys.ts';
import { type ApiKey, createKeySchema } from '../../functions/kernel/model/index.ts';
import { embeddedAccess } from '../../lib/local/create-resources.ts';
import { availableEngines } from './engines.ts';

const [OLD, NEW] = ['o'.repeat(64), 'n'.repeat(64)] as [string, string];
/** The pepper's secret as an operator changes it, step by step. */
const STEPS = { before: OLD, added: `${OLD} ${NEW}`, switched: `${NEW} ${OLD}`, after: NEW };

describe.each(availableEngines().map((engine) => [engine.name, engine] as const))('on %s', (_, engine) => {
  let client: DynamoClient;
  let stop = async () => {};
  const clock = { now: () => clock.time, monotonic: () => clock.time, time: Date.parse('2026-06-01T00:00:00Z') };
  beforeAll(async () => {
    const started = await engine.start();
    stop = started.stop;
    client = createDynamoClient(embeddedAccess(started.url));
  });
  afterAll(async () => {
    await stop();
  });

  const store = () => new DynamoKeyStore(client, 'keys');
  const imported = () => new DynamoDocumentStore(client, 'keys', IMPORTED_SECRETS_DOCUMENT);
  /** A function that has read the pepper's secret at this step only. */
  const functionAt = (pepper: string) => {
    const uses: Promise<void>[] = [];
    const noted = {
      noteUse: (...use: Parameters<DynamoKeyStore['noteUse']>) => {
        const writing = store().noteUse(...use);
        uses.push(writing);
        return writing;
      },
    };
    const hasher = createKeyHasher(async () => pepper);
    const authenticator = {
      keys: new KeyCache(store(), clock),
      hasher,
      uses: new KeyUses(noted, clock),
      clock,
      identities: NO_TOKENS,
      imported: new ImportedSecrets({
        document: { settings: async () => (await imported().current()).settings },
        hasher,
        clock,
      }),
      teams: { join: async (key: ApiKey) => key },
    };
    return async (secret: string) => {
      const headers = new Headers({ authorization: `Bearer ${secret}` });
      const found = await authenticate(headers, '192.0.2.1', authenticator).then(
        ({ id }) => id,
        () => undefined,
      );
      await Promise.all(uses);
      return found;
    };
  };
  const newKey = async (pepper: string) => {
    const fields = createKeySchema.parse({ name: 'a key' });
    const made = await makeKey(
      fields,
      createKeyHasher(async () => pepper),
      clock,
    );
    await store().create(made.key);
    return { id: made.key.id, secret: made.secret };
  };

  it('a pepper is changed step by step, and keys in use are never refused', async () => {
    const [used, unused] = [await newKey(STEPS.before), await newKey(STEPS.before)];
    // Functions read the secret at different times: those of two neighbouring steps serve side by side.
    for (const step of [STEPS.before, STEPS.added, STEPS.switched]) {
      expect(await functionAt(step)(used.secret)).toBe(used.id);
      clock.time += 60_000;
    }
    const young = await newKey(STEPS.switched);
    for (const step of [STEPS.added, STEPS.switched]) expect(await functionAt(step)(young.secret)).toBe(young.id);

    const hasher = createKeyHasher(async () => STEPS.switched);
    const { moved, current, behind } = await rehashKeys(store(), hasher, imported(), clock);
    expect({ moved, current, behind: behind.map(({ id }) => id) }).toEqual({
      moved: 1,
      current: 1,
      behind: [unused.id],
    });
    for (const step of [STEPS.switched, STEPS.after]) {
      for (const { id, secret } of [used, young]) expect(await functionAt(step)(secret)).toBe(id);
    }
    expect(await functionAt(STEPS.switched)(unused.secret)).toBe(unused.id);
    expect(await functionAt(STEPS.after)(unused.secret)).toBeUndefined();
    expect(await rehashKeys(store(), hasher, imported(), clock)).toMatchObject({ moved: 1, current: 2, behind: [] });
  });

  it('a key that is revoked stays revoked under either pepper, moved or not', async () => {
    const { id, secret } = await newKey(STEPS.before);
    clock.time += 60_000;
    await functionAt(STEPS.switched)(secret);
    const read = await store().get(id);
    expect(read?.seenHash).toBeDefined();
    if (read) await store().replace(read, { ...read.key, state: 'revoked' });
    await rehashKeys(
      store(),
      createKeyHasher(async () => STEPS.switched),
      imported(),
      clock,
    );
    for (const step of Object.values(STEPS)) expect(await functionAt(step)(secret)).toBeUndefined();
  });

  it('a late use does not restore an expired secret', async () => {
    const { id, secret } = await newKey(STEPS.before);
    const read = await store().get(id);
    const hasher = createKeyHasher(async () => STEPS.switched);
    const fresh = await hasher.mint();
    if (read) await store().replace(read, { ...read.key, secretHash: (await hasher.hashes(fresh))[0] });
    // A function that had read the key before notes that it saw the old secret.
    clock.time += 60_000;
    const [seenHash] = await hasher.hashes(secret);
    if (read) await store().noteUse(read.key, { usedAt: new Date(clock.time).toISOString(), seenHash });
    await rehashKeys(store(), hasher, imported(), clock);
    const ask = functionAt(STEPS.switched);
    expect([await ask(secret), await ask(fresh)]).toEqual([undefined, id]);
  });

  it('an imported key goes with the others to the new pepper', async () => {
    const secret = `sk-${randomBytes(16).toString('base64url')}`;
    const given = { sha256: createHash('sha256').update(secret).digest('hex'), last4: '' };
    const before = createKeyHasher(async () => STEPS.before);
    const key = await makeImportedKey(createKeySchema.parse({ name: 'imported' }), given, before, clock);
    await addImportedSecret(key.secretHash, imported(), clock);
    await store().create(key);
    for (const step of [STEPS.before, STEPS.added, STEPS.switched]) {
      expect(await functionAt(step)(secret)).toBe(key.id);
      clock.time += 60_000;
    }
    const hasher = createKeyHasher(async () => STEPS.switched);
    expect(await rehashKeys(store(), hasher, imported(), clock)).toMatchObject({ moved: 1 });
    for (const step of [STEPS.added, STEPS.switched, STEPS.after]) expect(await functionAt(step)(secret)).toBe(key.id);
  });

  it('10,000 imported keys go to the new pepper, also if the first run is stopped on its way', async () => {
    const [before, hasher] = [STEPS.before, STEPS.switched].map((step) => createKeyHasher(async () => step)) as [
      KeyHasher,
      KeyHasher,
    ];
    const held = new Map<string, StoredKey>();
    const given = createKeySchema.parse({ name: 'imported' });
    const sha256 = (at: number) => createHash('sha256').update(`sk-${at}`).digest('hex');
    const toKey = async (at: number): Promise<StoredKey> => {
      const key = await makeImportedKey(given, { sha256: sha256(at), last4: '' }, before, clock);
      const [seenHash] = await hasher.hashes(sha256(at));
      return { key, version: 1, seenHash };
    };
    for (const stored of await Promise.all(Array.from({ length: 10_000 }, (_, at) => toKey(at))))
      held.set(stored.key.id, stored);
    const [first, ...others] = [...held.values()].map(({ key }) => key.secretHash) as [string, ...string[]];
    await addImportedSecret(first, imported(), clock);
    // The others as if added one by one.
    const document = await imported().current();
    const digests = others.map((hash) => Buffer.from(hash.split('.')[1] ?? '', 'hex').toString('base64url', 0, 6));
    const all = `${document.settings.digests['']}${digests.join('')}`;
    await imported().replace(document, {
      ...document,
      version: document.version + 1,
      settings: { digests: { '': all } },
    });

    let writes = 0;
    let stopsAfter = 5_000;
    const keys = {
      list: async (limit: number, cursor = '0') => {
        const page = [...held.values()].slice(Number(cursor), Number(cursor) + limit);
        const next = Number(cursor) + limit;
        return { keys: page, ...(next < held.size && { nextCursor: String(next) }) };
      },
      replace: async (read: StoredKey, key: ApiKey) => {
        if (writes === stopsAfter) throw new Error('stopped');
        writes += 1;
        held.set(key.id, { key, version: read.version + 1 });
        return true;
      },
    };
    await expect(rehashKeys(keys, hasher, imported(), clock)).rejects.toThrow('stopped');
    stopsAfter = Number.POSITIVE_INFINITY;
    expect(await rehashKeys(keys, hasher, imported(), clock)).toEqual({ moved: 5_000, current: 5_000, behind: [] });
    const settings = (await imported().current()).settings;
    for (const step of [before, hasher]) {
      const secrets = new ImportedSecrets({ document: { settings: async () => settings }, hasher: step, clock });
      for (const at of [0, 4_999, 5_000, 9_999]) {
        const hashes = await secrets.hashes(`sk-${at}`);
        expect(await secrets.mayHold(hashes, '192.0.2.1')).toBe(true);
      }
    }
  });
});
