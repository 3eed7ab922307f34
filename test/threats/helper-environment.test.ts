import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startLocalProcess } from '../contract/local-process.ts';
import { PLANTED, type ProviderSettings, type Service } from '../contract/service.ts';
import { eventually } from '../support/eventually.ts';
import { processesWith } from '../support/processes-with.ts';

const onLinux = process.platform === 'linux' ? describe : describe.skip;
const MARK = crypto.randomUUID();
const SEALING_KEY = 'planted-sealing-key-'.repeat(3);
/** Secrets that only the gateway's process needs, and variables that no setting knows. */
const SECRETS = {
  OPENAI_API_KEY: PLANTED.openaiKey,
  ANTHROPIC_API_KEY: PLANTED.anthropicKey,
  GEMINI_API_KEY: 'planted-gemini',
  SVC_PROVIDERS: 'mine',
  MINE_API_KEY: 'planted-mine',
  MINE_BASE_URL: 'http://127.0.0.1:9/v1',
  SVC_PEPPER: 'planted-pepper-'.repeat(3),
  SVC_CREDENTIALS_KEY: 'planted-credentials-key-'.repeat(3),
  SVC_OIDC_CLIENT_SECRET: 'planted-oidc',
  SVC_OTLP_HEADERS: '{"authorization":"planted-otlp"}',
  AWS_ACCESS_KEY_ID: 'planted-access-key',
  AWS_SECRET_ACCESS_KEY: 'planted-secret-key',
  AWS_SESSION_TOKEN: 'planted-token',
  DATABASE_PASSWORD: 'planted-elsewhere',
  SVC_TEST_MARK: MARK,
};
const STORES = [
  'AWS_ACCESS_KEY_ID',
  'AWS_ENDPOINT_URL_DYNAMODB',
  'AWS_ENDPOINT_URL_SQS',
  'AWS_REGION',
  'AWS_SECRET_ACCESS_KEY',
  'SVC_TABLES',
];
const QUEUES = ['SVC_DELIVERIES_QUEUE_URL', 'SVC_EVENTS_QUEUE_URL'];
/** Of Node: the parent's end of the channel, and how messages are encoded. */
const CHANNEL = ['NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE'];

/** Each helper's variables. */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  'svc-stores': [],
  'svc-streams': [...STORES, 'SVC_AGGREGATE_DAYS', 'SVC_EVENTS_QUEUE_URL', 'SVC_RECORD_DAYS'],
  'svc-webhooks': [
    ...STORES,
    ...QUEUES,
    'SVC_DELIVERY_DAYS',
    'SVC_LOG_LEVEL',
    'SVC_SEALING_KEY',
    'SVC_WEBHOOK_ALLOW_LOOPBACK',
  ],
};

onLinux('the helper processes of a local run or container', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startLocalProcess(SECRETS as unknown as ProviderSettings, {
      SVC_SEALING_KEY: SEALING_KEY,
      SVC_LOG_LEVEL: 'info',
      SVC_RECORD_DAYS: '20',
      SVC_AGGREGATE_DAYS: '200',
      SVC_DELIVERY_DAYS: '20',
      TZ: 'UTC',
      // The embedded stores, also where the run asks for DynamoDB Local.
      AWS_ENDPOINT_URL_DYNAMODB: '',
    });
  });
  afterAll(() => service.stop());

  /** What another process of the same user, or root, can read. */
  function environmentOf(title: string): Promise<{ pid: number; names: string[]; text: string }> {
    return eventually(async () => {
      const pid = (await processesWith('SVC_TEST_MARK', MARK)).get(title);
      const text = pid === undefined ? '' : await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
      if (pid === undefined || text === '') return undefined;
      return { pid, text, names: [...text.matchAll(/(?:^|\0)([^=\0]+)=/g)].map(([, name]) => name as string).sort() };
    });
  }

  async function expectAllowed(title: string): Promise<number> {
    const { pid, names, text } = await environmentOf(title);
    expect(names).toEqual([...(EXPECTED[title] as string[]), ...CHANNEL, 'NODE_COMPILE_CACHE', 'TZ'].sort());
    for (const secret of [...Object.values(SECRETS), service.adminKey]) expect(text).not.toContain(secret);
    if (title !== 'svc-webhooks') expect(text).not.toContain(SEALING_KEY);
    return pid;
  }

  test.each(Object.keys(EXPECTED))('get the settings that they read, and no other variable: %s', async (title) => {
    await expectAllowed(title);
  });

  test.each(['svc-streams', 'svc-webhooks'])('get the same after they were started again: %s', async (title) => {
    const first = await expectAllowed(title);
    process.kill(first, 'SIGKILL');
    await eventually(() => environmentOf(title).then(({ pid }) => pid !== first));
    expect(await expectAllowed(title)).not.toBe(first);
  });
});
