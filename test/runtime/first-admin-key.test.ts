import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createDynamoClient, type DynamoClient } from '../../functions/adapters/aws/clients.ts';
import { DynamoAuditLog } from '../../functions/adapters/dynamo/dynamo-audit-log.ts';
import { DynamoKeyStore } from '../../functions/adapters/dynamo/dynamo-key-store.ts';
import { tableVariables } from '../../functions/adapters/dynamo/tables.ts';
import { createKeyHasher } from '../../functions/adapters/node/hmac-key-hasher.ts';
import { isApiKeyForm, makeKey } from '../../functions/control/keys/index.ts';
import type { FirstAdminKeyEnv } from '../../functions/first-admin-key/env.ts';
import { createKeySchema, SYNTHETIC_CHECK_KEY_ID } from '../../functions/kernel/model/index.ts';
import { embeddedAccess } from '../../lib/local/create-resources.ts';
import { type EmbeddedStores, startEmbeddedStores } from '../../lib/local/embedded-stores.ts';
import { type FakeSecretsManager, startFakeSecretsManager } from './fake-secrets-manager.ts';
import { InvocationQueue } from './invocation-queue.ts';
import { type Endpoints, startEndpoints } from './recorded-endpoints.ts';
import { Sandbox } from './sandbox.ts';

const BUNDLE = path.resolve(import.meta.dirname, '../../dist/first-admin-key');
const PEPPER_ARN = 'arn:aws:secretsmanager:eu-central-1:000000000000:secret:pepper';
const KEY_ARN = 'arn:aws:secretsmanager:eu-central-1:000000000000:secret:first-admin-key';
const CHECK_KEY_ARN = 'arn:aws:secretsmanager:eu-central-1:000000000000:secret:synthetic-check-key';
const PEPPER = 'p'.repeat(64);
const NONE = 'none was made: the deployment had keys';
const STACK = 'arn:aws:cloudformation:eu-central-1:000000000000:stack/svc-development-gateway/5a1b';
const RESOURCE = 'FirstAdminKeyResource';

/** The bucket that receives the responses to CloudFormation. */
interface Answers {
  readonly url: string;
  readonly taken: Record<string, unknown>[];
  readonly contentTypes: (string | undefined)[];
  /** Statuses for the next calls; 200 after them. */
  readonly statuses: number[];
  stop(): void;
}

async function startAnswers(): Promise<Answers> {
  const taken: Record<string, unknown>[] = [];
  const contentTypes: (string | undefined)[] = [];
  const statuses: number[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const status = request.method === 'PUT' ? (statuses.shift() ?? 200) : 405;
    if (status === 200) {
      taken.push(JSON.parse(body));
      contentTypes.push(request.headers['content-type']);
    }
    response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  // Like CloudFormation's URLs: the address allows to respond, so it is a secret too.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/answer?X-Amz-Signature=${'5'.repeat(64)}`;
  return { url, taken, contentTypes, statuses, stop };
}

let stores: EmbeddedStores;
let secrets: FakeSecretsManager;
let answers: Answers;
let dynamo: DynamoClient;
let sandboxes: Sandbox[] = [];
let endpoints: Endpoints | undefined;
let lines: string[] = [];
let invocations: InvocationQueue;

beforeAll(async () => {
  answers = await startAnswers();
});
afterAll(() => answers.stop());
beforeEach(async () => {
  stores = await startEmbeddedStores();
  secrets = await startFakeSecretsManager({
    [PEPPER_ARN]: PEPPER,
    [KEY_ARN]: NONE,
    [CHECK_KEY_ARN]: 'not created yet',
  });
  dynamo = createDynamoClient(embeddedAccess(stores.dynamodbUrl));
  invocations = new InvocationQueue();
  lines = [];
  answers.taken.splice(0);
  answers.contentTypes.splice(0);
});
afterEach(async () => {
  await Promise.all(sandboxes.map((one) => one.stop()));
  sandboxes = [];
  endpoints?.stop();
  endpoints = undefined;
  secrets.stop();
  await stores.stop();
});

/** As many execution environments of the deployed function as may run at once. */
async function deploy(environments = 1, changed: Partial<FirstAdminKeyEnv> = {}): Promise<void> {
  const env: FirstAdminKeyEnv = {
    ...tableVariables('first-admin-key', (table) => table),
    SVC_PEPPER_SECRET_ARN: PEPPER_ARN,
    SVC_FIRST_ADMIN_KEY_SECRET_ARN: KEY_ARN,
    SVC_SYNTHETIC_CHECK_KEY_SECRET_ARN: CHECK_KEY_ARN,
    ...changed,
  };
  const addresses = { dynamodb: stores.dynamodbUrl, secrets: secrets.url };
  endpoints ??= await startEndpoints('FirstAdminKeyRole', addresses);
  // Calls of what is not there are no calls of a deployment.
  const isWhole = Object.keys(changed).length === 0;
  const found = isWhole
    ? endpoints.env
    : { AWS_ENDPOINT_URL_DYNAMODB: addresses.dynamodb, AWS_ENDPOINT_URL_SECRETS_MANAGER: addresses.secrets };
  sandboxes = await Promise.all(
    Array.from({ length: environments }, () =>
      Sandbox.start({
        bundleDir: BUNDLE,
        handler: 'index.handler',
        env: {
          ...(env as Record<string, string>),
          ...found,
        },
        timeoutMs: 120_000,
        log: (line) => lines.push(line),
        take: (signal) => invocations.take(signal),
      }),
    ),
  );
}

/** As CloudFormation asks. @returns whether the invocation ended well: Lambda makes it again where it did not */
function ask(
  RequestType: 'Create' | 'Update' | 'Delete',
  RequestId: string,
  properties: { readonly Key?: string } = {},
): Promise<boolean> {
  const event = {
    RequestType,
    RequestId,
    StackId: STACK,
    LogicalResourceId: RESOURCE,
    ResponseURL: answers.url,
    ResourceType: 'AWS::CloudFormation::CustomResource',
    ServiceToken: 'arn:aws:lambda:eu-central-1:000000000000:function:first-admin-key',
    ResourceProperties: {
      ServiceToken: 'arn:aws:lambda:eu-central-1:000000000000:function:first-admin-key',
      ...properties,
    },
    ...(RequestType !== 'Create' && { PhysicalResourceId: 'first-admin-key' }),
    ...(RequestType === 'Update' && { OldResourceProperties: {} }),
  };
  return new Promise((resolve) => {
    invocations.add({
      id: crypto.randomUUID(),
      event,
      outcome: {
        streamStarted: () => {},
        chunk: async () => {},
        streamEnded: () => resolve(false),
        returned: () => resolve(true),
        failed: () => resolve(false),
      },
    });
  });
}

const succeeded = (RequestId: string) => ({
  Status: 'SUCCESS',
  PhysicalResourceId: 'first-admin-key',
  StackId: STACK,
  RequestId,
  LogicalResourceId: RESOURCE,
});
const keysThere = async () => (await new DynamoKeyStore(dynamo, 'keys').list(100, undefined)).keys;
const auditThere = async () => (await new DynamoAuditLog(dynamo, 'audit', 30).list(100, undefined)).entries;
const keyOf = async (secret: string) => {
  const hasher = createKeyHasher(async () => PEPPER);
  return new DynamoKeyStore(dynamo, 'keys').find(await hasher.hashes(secret));
};

describe('the first admin key', () => {
  test('is created once by any number of Create events, and is kept at an Update and a Delete', async () => {
    await deploy();
    expect(await ask('Create', 'first')).toBe(true);
    expect(answers.taken).toEqual([succeeded('first')]);
    expect(answers.contentTypes).toEqual(['']);
    const secret = secrets.textOf(KEY_ARN) as string;
    expect(isApiKeyForm(secret)).toBe(true);
    const key = await keyOf(secret);
    expect(key).toMatchObject({ name: 'First admin key', permissions: ['admin'], state: 'active' });
    expect(await auditThere()).toMatchObject([
      { record: { action: 'key.created', actor: { type: 'operator' }, target: { type: 'key', id: key?.id } } },
    ]);
    for (const [type, id] of [
      ['Create', 'first'],
      ['Update', 'second'],
      // As after a roll-back, and of a stack that is made again.
      ['Delete', 'third'],
      ['Create', 'fourth'],
    ] as const) {
      expect(await ask(type, id)).toBe(true);
      expect(answers.taken.at(-1)).toEqual(succeeded(id));
    }
    expect(await keysThere()).toHaveLength(1);
    expect(await auditThere()).toHaveLength(1);
    expect(secrets.textOf(KEY_ARN)).toBe(secret);
    const told = lines.join('\n');
    expect(told).toContain('"action":"key.created"');
    // The key is only in the secret, and CloudFormation's response URL is in no log.
    for (const hidden of [secret, secret.slice(7), PEPPER, '5'.repeat(64)]) {
      expect(`${told}${JSON.stringify(answers.taken)}`).not.toContain(hidden);
    }
  });

  test('is one key, the one in the secret, if several Creates run at once', async () => {
    await deploy(3);
    expect(await Promise.all([1, 2, 3].map(() => ask('Create', 'at once')))).toEqual([true, true, true]);
    expect(answers.taken).toEqual([1, 2, 3].map(() => succeeded('at once')));
    const [stored, ...others] = await keysThere();
    expect(others).toEqual([]);
    expect((await keyOf(secrets.textOf(KEY_ARN) as string))?.id).toBe(stored?.key.id);
  });

  test('is not created if there is a key', async () => {
    const fields = createKeySchema.parse({ name: 'from before', permissions: ['admin'] });
    const { key } = await makeKey(
      fields,
      createKeyHasher(async () => PEPPER),
      { now: () => 0, monotonic: () => 0 },
    );
    await new DynamoKeyStore(dynamo, 'keys').create(key);
    await deploy();
    await ask('Create', 'late');
    expect(answers.taken).toEqual([succeeded('late')]);
    expect(secrets.textOf(KEY_ARN)).toBe(NONE);
    expect(await keysThere()).toHaveLength(1);
    expect(await auditThere()).toEqual([]);
  });

  test('that was interrupted after the secret is created by the repetition, with the same text', async () => {
    await deploy(1, { SVC_AUDIT_TABLE: 'none' });
    await ask('Create', 'cut');
    expect(answers.taken).toEqual([{ ...succeeded('cut'), Status: 'FAILED', Reason: expect.any(String) }]);
    const kept = secrets.textOf(KEY_ARN) as string;
    expect([isApiKeyForm(kept), await keysThere()]).toEqual([true, []]);
    expect(JSON.stringify([lines, answers.taken])).not.toContain(kept.slice(7));
    // It is rolled back.
    await ask('Delete', 'back');
    expect(answers.taken.at(-1)).toEqual(succeeded('back'));
    await Promise.all(sandboxes.map((one) => one.stop()));
    await deploy();
    await ask('Create', 'cut');
    expect(secrets.textOf(KEY_ARN)).toBe(kept);
    expect(await keyOf(kept)).toMatchObject({ state: 'active' });
  });

  test('fails with a reason if it cannot be created', async () => {
    secrets.put(KEY_ARN, undefined);
    await deploy(1, { SVC_FIRST_ADMIN_KEY_SECRET_ARN: `${KEY_ARN}-gone` });
    await ask('Create', 'no secret');
    const Reason = 'The first admin key could not be created: secret: ResourceNotFoundException';
    expect(answers.taken).toEqual([{ ...succeeded('no secret'), Status: 'FAILED', Reason }]);
    expect(await keysThere()).toEqual([]);
    expect(lines.join('\n')).toContain('first admin key not made');
  });

  test('is reported to CloudFormation after failures, and the invocation fails to be retried if the report is refused', async () => {
    await deploy();
    answers.statuses.push(503, 500);
    expect(await ask('Create', 'slow')).toBe(true);
    expect(answers.taken).toEqual([succeeded('slow')]);
    answers.statuses.push(403);
    expect(await ask('Create', 'slow')).toBe(false);
    expect(await ask('Create', 'slow')).toBe(true);
    expect(await keysThere()).toHaveLength(1);
    expect(lines.join('\n')).not.toContain('5'.repeat(64));
  });
});

describe("the synthetic check's key", () => {
  const KEY = { Key: 'synthetic-check-key' };

  test('is created once beside the first admin key, may use no model that exists, and stays as it is', async () => {
    await deploy();
    await ask('Create', 'first');
    expect(await ask('Create', 'check', KEY)).toBe(true);
    expect(answers.taken.at(-1)).toEqual({ ...succeeded('check'), PhysicalResourceId: KEY.Key });
    const secret = secrets.textOf(CHECK_KEY_ARN) as string;
    expect(await keyOf(secret)).toMatchObject({
      id: SYNTHETIC_CHECK_KEY_ID,
      environment: 'Development',
      permissions: ['chat_completions'],
      allowedModels: ['openai/svc-synthetic-check'],
      rateLimit: { requests: 10, period: 'minute' },
      tags: { purpose: 'synthetic-check' },
    });
    // A stack that is deployed anew finds it.
    for (const [type, id] of [
      ['Delete', 'gone'],
      ['Create', 'again'],
    ] as const) {
      await ask(type, id, KEY);
    }
    expect(secrets.textOf(CHECK_KEY_ARN)).toBe(secret);
    expect(await keysThere()).toHaveLength(2);
    expect(secrets.textOf(KEY_ARN)).not.toBe(NONE);
    for (const hidden of [secret, secret.slice(7)]) {
      expect(`${lines.join('')}${JSON.stringify(answers.taken)}`).not.toContain(hidden);
    }
  });

  test('that was interrupted after the secret is created by the repetition, with the same text', async () => {
    await deploy(1, { SVC_AUDIT_TABLE: 'none' });
    await ask('Create', 'cut', KEY);
    expect(answers.taken).toMatchObject([{ Status: 'FAILED' }]);
    const kept = secrets.textOf(CHECK_KEY_ARN) as string;
    expect([isApiKeyForm(kept), await keysThere()]).toEqual([true, []]);
    await Promise.all(sandboxes.map((one) => one.stop()));
    await deploy();
    await ask('Create', 'cut', KEY);
    expect(secrets.textOf(CHECK_KEY_ARN)).toBe(kept);
    expect((await keyOf(kept))?.id).toBe(SYNTHETIC_CHECK_KEY_ID);
  });

  test('fails with a reason if its secret is not there', async () => {
    await deploy(1, { SVC_SYNTHETIC_CHECK_KEY_SECRET_ARN: `${CHECK_KEY_ARN}-gone` });
    await ask('Create', 'no secret', KEY);
    const Reason = 'The key of the synthetic check could not be created: secret: ResourceNotFoundException';
    expect(answers.taken).toMatchObject([{ Status: 'FAILED', Reason }]);
    expect(await keysThere()).toEqual([]);
  });
});
