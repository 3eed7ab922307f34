import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { isApiKeyForm } from '../../functions/core/keys/api-key-format.ts';
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
}, 30_000);

it('keys used since the pepper changed are moved to the new one, and others are listed', async () => {
  secrets.put(PEPPER_SECRET, `${'n'.repeat(64)} ${PEPPER}`);
  const { out, code } = await run('keys', 'rehash', ...TABLES);
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(
      /^0 moved to the current pepper, 0 already under it, 2 not seen since:\n(key_\w+ {2}.+ {2}last used .+\n){2}$/,
    ),
  ]);
}, 30_000);

it.each([
  [['keys', 'create-admin', ...TABLES], '--audit-table is required.'],
  [['keys', 'rehash', '--table', 'keys'], '--pepper-secret is required.'],
  [
    ['keys', 'rehash', ...TABLES, '--url', 'http://127.0.0.1/v1'],
    '--table accesses the table directly: leave out --url.',
  ],
])(
  '%j is wrong usage',
  async (args, told) => {
    const { out, error, code } = await run(...args);
    expect([code, out, error]).toEqual([2, '', expect.stringContaining(told)]);
  },
  30_000,
);
