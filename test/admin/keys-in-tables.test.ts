import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { isApiKeyForm } from '../../functions/control/keys/index.ts';
import { keySchema } from '../../functions/kernel/model/index.ts';
import { startFakeSecretsManager } from '../runtime/fake-secrets-manager.ts';
import { type AdminApp, startAdminApp } from '../support/admin-app.ts';
import { runBin } from '../support/run-bin.ts';

const PEPPER_SECRET = 'arn:aws:secretsmanager:eu-central-1:000000000000:secret:pepper';
/** As startAdminApp hashes keys. */
const PEPPER = 'p'.repeat(64);
const TABLES = ['--table', 'keys', '--pepper-secret', PEPPER_SECRET];

let admin: AdminApp;
let secrets: Awaited<ReturnType<typeof startFakeSecretsManager>>;
beforeAll(async () => {
  admin = await startAdminApp();
  secrets = await startFakeSecretsManager({ [PEPPER_SECRET]: PEPPER });
});
afterAll(async () => {
  await secrets.stop();
  await admin.stop();
});

const run = (...args: readonly string[]) =>
  runBin('admin', args, {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: admin.stores.dynamodbUrl,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
  });

it('an admin key is created in the tables, audited, and alone on standard output', async () => {
  const { out, error, code } = await run('keys', 'create-admin', ...TABLES, '--audit-table', 'audit', '--name', 'lost');
  expect([code, isApiKeyForm(out.trim())]).toEqual([0, true]);
  const [, id] = /^Created (key_\w+), 'lost'\. Its secret is shown only once\.\n$/.exec(error) ?? [];
  expect((await admin.call('GET', `/keys/${id}`, { key: out.trim() })).json).toMatchObject({ permissions: ['admin'] });
  const [newest] = (await admin.call('GET', '/audit?limit=1')).json.data;
  expect(newest).toMatchObject({ action: 'key.created', target: { id }, actor: { type: 'operator' } });
});

/** A key as the first release could store it: its required fields, and those that each later release added, one by one. */
const FIRST = {
  ...{ id: 'key_old', name: 'Old', state: 'active', last4: '0000', secretHash: 'old.hash' },
  ...{ createdAt: '2026-01-01T00:00:00.000Z', permissions: ['chat_completions'] },
};
const LATER = {
  ...{
    environment: 'Production',
    excludePermissions: ['admin'],
    ipWhitelist: ['192.0.2.0/24'],
    allowedModels: ['gpt-*'],
  },
  ...{ tags: { team: 'shop' }, policy: { preset: 'strict' }, expiresAt: null, budget: null, maxConcurrent: 5 },
  ...{ tokenLimit: null, rateLimit: { requests: 5, period: 'minute' }, onStoreFailure: 'open' },
};

it.each(Object.entries(LATER).map((_, at, all) => Object.fromEntries(all.slice(0, at))))(
  'a key that was stored with fewer fields is read, listed and changed by its schema: %j',
  async (fields) => {
    const put = (Item: object) =>
      admin.dynamo.send(new PutCommand({ TableName: 'keys', Item: Item as Record<string, unknown> }));
    const name = { listPk: 'keys', listSk: `${FIRST.createdAt}#key_old`, secretHash: FIRST.secretHash };
    await put({ pk: 'key#key_old', ...name });
    await put({ pk: 'secret#old.hash', key: JSON.stringify({ ...FIRST, ...fields }), version: 1 });
    const { json } = await admin.call('GET', '/keys/key_old');
    expect(keySchema.parse(json)).toMatchObject({ ...fields, name: 'Old', permissions: ['chat_completions'] });
    const { json: list } = await admin.call('GET', '/keys?search=key_old');
    expect(list.data).toEqual([json]);
    const changed = await admin.call('PATCH', '/keys/key_old', { body: { name: 'Older' } });
    expect([changed.status, keySchema.parse(changed.json).name]).toEqual([200, 'Older']);
    await admin.call('DELETE', '/keys/key_old');
  },
);

it('keys used since the pepper changed are moved to the new one, and others are listed', async () => {
  secrets.put(PEPPER_SECRET, `${'n'.repeat(64)} ${PEPPER}`);
  const { out, code } = await run('keys', 'rehash', ...TABLES);
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(
      /^0 moved to the current pepper, 0 already under it, 2 not seen since:\n(key_\w+ {2}.+ {2}last used .+\n){2}$/,
    ),
  ]);
});

it.each([
  [['keys', 'create-admin', ...TABLES], '--audit-table is required.'],
  [['keys', 'rehash', '--table', 'keys'], '--pepper-secret is required.'],
  [
    ['keys', 'rehash', ...TABLES, '--url', 'http://127.0.0.1/v1'],
    '--table accesses the table directly: leave out --url.',
  ],
])('%j is wrong usage', async (args, told) => {
  const { out, error, code } = await run(...args);
  expect([code, out, error]).toEqual([2, '', expect.stringContaining(told)]);
});
