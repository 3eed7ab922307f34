import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type AwsCallFailure, AwsJsonClient, type AwsOperation } from './aws-json-client.ts';
import { createDynamoClient } from './dynamo-client.ts';
import { createSecretsManagerClient } from './secrets-manager-client.ts';

/** What the service does with a call: answers it, cuts the connection, or is silent. */
type Reply = { readonly status: number; readonly text: string } | 'cut' | 'silent';
interface Asked {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const NOW = Date.parse('2026-11-22T06:00:00Z');
const SECRET = 'a text that nobody may read';
const identity = {
  region: async () => 'eu-central-1',
  credentials: async () => ({ accessKeyId: 'AKID', secretAccessKey: 'key', sessionToken: 'session' }),
};
const OPERATION = 'dynamodb:GetItem';
const INPUT = { TableName: 'keys', Key: { pk: { S: SECRET } } };

let server: Server;
let endpoint = '';
let replies: Reply[] = [];
let asked: Asked[] = [];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    asked.push({ headers: request.headers, body: await text(request) });
    const reply = replies[Math.min(asked.length, replies.length) - 1] as Reply;
    if (reply === 'cut') response.destroy();
    else if (reply !== 'silent') response.writeHead(reply.status).end(reply.text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked = [];
});

const dynamo = (timeoutMs = 10_000) =>
  createDynamoClient({ endpoint, identity, timeoutMs, clock: { now: () => NOW, monotonic: () => 0 } });
const ok = (body: object): Reply => ({ status: 200, text: JSON.stringify(body) });
const refusal = (type: string, status = 400, more: object = {}): Reply => ({
  status,
  text: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: `about ${SECRET}`, ...more }),
});
const failureOf = (calling: Promise<unknown>) =>
  calling.then(
    () => undefined,
    (error: AwsCallFailure) => error,
  );

describe('a call', () => {
  it("is the protocol's: the operation in a header, what is asked as it is, signed with the session's token", async () => {
    replies = [ok({ Item: { pk: { S: 'a' } } })];
    expect(await dynamo().call(OPERATION, INPUT)).toEqual({ Item: { pk: { S: 'a' } } });
    const [{ headers, body }] = asked as [Asked];
    expect(JSON.parse(body)).toEqual(INPUT);
    expect(headers).toMatchObject({
      'x-amz-target': 'DynamoDB_20120810.GetItem',
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-date': '20261122T060000Z',
      'x-amz-security-token': 'session',
    });
    expect(headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKID\/20261122\/eu-central-1\/dynamodb\/aws4_request, SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target, Signature=[0-9a-f]{64}$/,
    );
  });

  it("names a service's own version and target", async () => {
    replies = [ok({ SecretString: 'x' })];
    await createSecretsManagerClient({ endpoint, identity }).call('secretsmanager:GetSecretValue', { SecretId: 'a' });
    expect(asked[0]?.headers).toMatchObject({
      'x-amz-target': 'secretsmanager.GetSecretValue',
      'content-type': 'application/x-amz-json-1.1',
    });
  });

  it('may be answered with nothing', async () => {
    replies = [{ status: 200, text: '' }];
    interface Operations {
      'sqs:SetQueueAttributes': AwsOperation<object, object>;
    }
    const service = { name: 'sqs', variable: 'SQS', target: 'AmazonSQS', version: '1.0', timeoutMs: 10_000 } as const;
    const client = new AwsJsonClient<Operations>(service, { endpoint, identity });
    expect(await client.call('sqs:SetQueueAttributes', {})).toEqual({});
  });

  it('cannot be made without region and credentials, and says so', async () => {
    const missing = async () => {
      throw new Error('missing');
    };
    for (const part of ['region', 'credentials']) {
      const client = createDynamoClient({ endpoint, identity: { ...identity, [part]: missing } });
      await expect(client.call(OPERATION, INPUT)).rejects.toThrow('missing');
    }
    expect(asked).toHaveLength(0);
  });
});

/** What goes wrong, by what name it is told, whether it is tried again, and whether it may have been done. */
const FAULTS: readonly [string, Reply, { name: string; mayPass: boolean; mayBeDone: boolean }][] = [
  ...[
    'ProvisionedThroughputExceededException',
    'RequestLimitExceeded',
    'RequestThrottled',
    'ThrottlingException',
    'TransactionConflictException',
  ].map((name) => [name, refusal(name), { name, mayPass: true, mayBeDone: false }] as [string, Reply, never]),
  [
    'a throttled call that is told by 503',
    refusal('ThrottlingException', 503),
    { name: 'ThrottlingException', mayPass: true, mayBeDone: false },
  ],
  ['429', { status: 429, text: '' }, { name: 'status 429', mayPass: true, mayBeDone: false }],
  ['500', refusal('InternalServerError', 500), { name: 'InternalServerError', mayPass: true, mayBeDone: true }],
  ['a page', { status: 503, text: '<html>' }, { name: 'status 503', mayPass: true, mayBeDone: true }],
  ['half an answer', { status: 200, text: '{"Item":' }, { name: 'status 200', mayPass: true, mayBeDone: true }],
  ['a cut connection', 'cut', { name: 'reset', mayPass: true, mayBeDone: true }],
  ['silence', 'silent', { name: 'timeout', mayPass: true, mayBeDone: true }],
  [
    'a failed condition',
    refusal('ConditionalCheckFailedException'),
    { name: 'ConditionalCheckFailedException', mayPass: false, mayBeDone: false },
  ],
  [
    'a call that is wrong',
    refusal('ValidationException'),
    { name: 'ValidationException', mayPass: false, mayBeDone: false },
  ],
  [
    'a right that is missing',
    { status: 400, text: '{"__type":"AccessDeniedException","Message":"no"}' },
    { name: 'AccessDeniedException', mayPass: false, mayBeDone: false },
  ],
];

describe.each(FAULTS)('%s', (_, fault, { mayPass, mayBeDone, name }) => {
  const client = () => dynamo(fault === 'silent' ? 200 : undefined);

  it(mayPass ? 'passes' : 'is told at once', async () => {
    replies = [fault, fault, ok({})];
    const failure = await failureOf(client().call(OPERATION, INPUT));
    expect([failure?.name, asked.length]).toEqual(mayPass ? [undefined, 3] : [name, 1]);
  });

  it('is told after three attempts, or as many as are asked for, with nothing of what was sent', async () => {
    replies = [fault];
    for (const attempts of [undefined, 4]) {
      asked = [];
      const failure = await failureOf(client().call(OPERATION, INPUT, attempts === undefined ? {} : { attempts }));
      expect([failure?.name, failure?.message, failure?.mayBeDone]).toEqual([name, name, mayBeDone]);
      expect(JSON.stringify({ ...failure })).not.toContain(SECRET);
      expect(asked).toHaveLength(mayPass ? (attempts ?? 3) : 1);
    }
  });

  it(`${mayBeDone || !mayPass ? 'ends' : 'does not end'} a call that must not be made twice`, async () => {
    replies = [fault, ok({})];
    await failureOf(client().call(OPERATION, INPUT, { repeatable: false }));
    expect(asked).toHaveLength(mayBeDone || !mayPass ? 1 : 2);
  });
});

it.each([
  ['com.amazonaws.sqs#QueueDoesNotExist', 'QueueDoesNotExist'],
  ['ValidationException:http://internal.amazon.com/x', 'ValidationException'],
  [`about ${SECRET}`, 'status 400'],
  [7, '7'],
])('names a refusal of the type %j', async (type, name) => {
  replies = [{ status: 400, text: JSON.stringify({ __type: type }) }];
  expect((await failureOf(dynamo().call(OPERATION, INPUT)))?.name).toBe(name);
});

it('tells the item that a condition failed on', async () => {
  replies = [refusal('ConditionalCheckFailedException', 400, { Item: { version: { N: '2' } } })];
  const failure = await failureOf(dynamo().call(OPERATION, INPUT));
  expect(failure?.item).toEqual({ version: { N: '2' } });
});

it('ends when it is told to, and is not made again', async () => {
  replies = ['silent'];
  const abort = new AbortController();
  const failing = failureOf(dynamo().call(OPERATION, INPUT, { signal: abort.signal }));
  while (asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  abort.abort();
  expect((await failing)?.name).toBe('aborted');
  expect(asked).toHaveLength(1);
});
