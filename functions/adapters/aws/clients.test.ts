import { hash } from 'node:crypto';
import { DynamoDBClient, type GetItemOutput, type PutItemInput } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../test/support/eventually.ts';
import { type HttpClient, HttpFailure, type HttpRequest } from '../../kernel/http/index.ts';
import {
  type AwsClientOptions,
  BACKGROUND_ONCE,
  BACKGROUND_RETRIES,
  createDynamoClient,
  createSecretsManagerClient,
  TRY_ONCE,
  WHILE_WAITING,
} from './clients.ts';
import { RequestSigner } from './request-signer.ts';
import { collectBody } from './sdk-transport.ts';

const REGION = 'eu-central-1';
const credentials = { accessKeyId: 'AKID', secretAccessKey: 'key', sessionToken: 'session' };
const HOUR_MS = 3_600_000;
const GET = new GetCommand({ TableName: 'keys', Key: { pk: 'a' } });

/** The service's reply to a request. */
type Reply =
  | { readonly status: number; readonly text: string; readonly headers?: Record<string, string> }
  | HttpFailure;

const ok = (body: object): Reply => ({ status: 200, text: JSON.stringify(body) });
const refusal = (type: string, status = 400, more: object = {}): Reply => ({
  status,
  text: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'A fault.', ...more }),
});

/** A service that sends these replies in turn and repeats the last one; records the requests. */
function replying(...replies: ((request: HttpRequest) => Reply | Promise<Reply>)[]) {
  const requests: HttpRequest[] = [];
  const http: HttpClient = {
    async send(request) {
      requests.push({ ...request, headers: { ...request.headers } });
      const reply = await replies[Math.min(requests.length, replies.length) - 1]?.(request);
      if (reply === undefined || reply instanceof HttpFailure) throw reply;
      const body = async function* () {
        yield Buffer.from(reply.text);
      };
      return { status: reply.status, headers: reply.headers ?? {}, body: body() };
    },
  };
  return { http, requests };
}

/** A client of such a service. */
function dynamoOver(replies: readonly Reply[], options: AwsClientOptions = {}) {
  const { http, requests } = replying(...replies.map((reply) => () => reply));
  return { client: createDynamoClient({ region: REGION, credentials, http, ...options }), requests };
}

const textOf = (body: HttpRequest['body']) => new TextDecoder().decode(body as Uint8Array);
const signatureOf = ({ headers }: HttpRequest) => headers.authorization ?? headers.Authorization ?? '';
const nameOf = (sending: Promise<unknown>) =>
  sending.then(
    () => undefined,
    (error: Error) => error.name,
  );

describe('a request', () => {
  it("has the protocol's form, goes to the service's endpoint, and is signed with the session's token", async () => {
    const { client, requests } = dynamoOver([ok({ Item: { pk: { S: 'a' } } })]);
    expect((await client.send(GET)).Item).toEqual({ pk: 'a' });
    const [{ url, headers, body }] = requests as [HttpRequest];
    expect(url).toBe('https://dynamodb.eu-central-1.amazonaws.com/');
    expect(JSON.parse(textOf(body))).toEqual({ TableName: 'keys', Key: { pk: { S: 'a' } } });
    expect(headers).toMatchObject({
      'x-amz-target': 'DynamoDB_20120810.GetItem',
      'content-type': 'application/x-amz-json-1.0',
    });
    expect(JSON.stringify(headers)).toContain('"session"');
    const signature = signatureOf(requests[0] as HttpRequest);
    expect(signature).toMatch(/^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-central-1\/dynamodb\/aws4_request, /);
    expect(signature).toMatch(/SignedHeaders=\S*host;\S*x-amz-date;x-amz-security-token;x-amz-target, /);
  });

  it('goes to the endpoint that the environment sets for a service', async () => {
    const variables = ['AWS_ENDPOINT_URL_DYNAMODB', 'AWS_ENDPOINT_URL_SECRETS_MANAGER'] as const;
    variables.forEach((name, at) => {
      process.env[name] = `http://127.0.0.1:${8000 + at}`;
    });
    try {
      const { client, requests } = dynamoOver([ok({})]);
      await client.send(GET);
      const secrets = replying(() => ok({ SecretString: 'x' }));
      const keeper = createSecretsManagerClient({ region: REGION, credentials, http: secrets.http });
      const { GetSecretValueCommand } = await import('@aws-sdk/client-secrets-manager');
      await keeper.send(new GetSecretValueCommand({ SecretId: 'a' }));
      const all = [...requests, ...secrets.requests];
      expect(all.map(({ url }) => url)).toEqual(['http://127.0.0.1:8000/', 'http://127.0.0.1:8001/']);
      // Signed for the service even so.
      expect(all.map((request) => signatureOf(request).split('/').slice(2, 4))).toEqual([
        [REGION, 'dynamodb'],
        [REGION, 'secretsmanager'],
      ]);
    } finally {
      for (const name of variables) delete process.env[name];
    }
  });

  describe('in a function', () => {
    afterEach(() => {
      delete process.env.AWS_LAMBDA_FUNCTION_NAME;
      delete process.env._X_AMZN_TRACE_ID;
    });

    it('carries the trace of its invocation', async () => {
      const trace = 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1;Lineage=a87bd80c:1';
      Object.assign(process.env, { AWS_LAMBDA_FUNCTION_NAME: 'gateway', _X_AMZN_TRACE_ID: trace });
      const { client, requests } = dynamoOver([ok({})]);
      await client.send(GET);
      expect(requests[0]?.headers['X-Amzn-Trace-Id']).toBe(trace);
    });
  });
});

describe('a signature', () => {
  const DATE = new Date('2026-01-02T03:04:05.678Z');

  it.each([
    ['of a table', 'dynamodb', '/', '{"TableName":"keys"}', credentials],
    ['of text beyond ASCII', 'sqs', '/', '{"MessageBody":"Grüße 😀"}', credentials],
    ['without a session', 'secretsmanager', '/', '{}', { accessKeyId: 'AKID', secretAccessKey: 'key' }],
    ['of a path', 'dynamodb', '/a/b', '{}', credentials],
  ])("%s matches the SDK's own signer", async (_, service, path, body, identity) => {
    const request = () => ({
      method: 'POST',
      protocol: 'https:',
      hostname: `${service}.${REGION}.amazonaws.com`,
      path,
      query: {},
      headers: {
        host: `${service}.${REGION}.amazonaws.com`,
        'content-type': 'application/x-amz-json-1.0',
        'content-length': String(Buffer.byteLength(body)),
        'x-amz-target': 'DynamoDB_20120810.GetItem',
        'amz-sdk-request': 'attempt=1;  max=3',
        'x-amz-content-sha256': hash('sha256', body),
        'X-Amzn-Trace-Id': 'Root=1',
      } as Record<string, string>,
      body,
    });
    const signing = { signingDate: DATE, signingRegion: REGION, signingService: service };
    const signer = await new DynamoDBClient({ region: REGION, credentials: identity }).config.signer();
    const theirs = await signer.sign(request(), signing);
    const own = new RequestSigner({ credentials: async () => identity, region: async () => REGION, service });
    const ours = await own.sign({ ...request(), body: Buffer.from(body) }, { signingDate: DATE });
    const partsOf = (headers: Record<string, string>) => {
      const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
      return [lower.authorization, lower['x-amz-date'], lower['x-amz-security-token']];
    };
    expect(partsOf(ours.headers)).toEqual(partsOf(theirs.headers));
    expect(partsOf(ours.headers)[1]).toBe('20260102T030405Z');
  });

  it.each(['InvalidSignatureException', 'RequestTimeTooSkewed'])(
    "uses the service's clock after it has refused the local one: %s",
    async (type) => {
      const theirs = Date.now() + HOUR_MS;
      const skewed = { ...refusal(type), headers: { date: new Date(theirs).toUTCString() } } as Reply;
      const { client, requests } = dynamoOver([skewed, ok({})]);
      await client.send(GET);
      await client.send(GET);
      const timeOf = ({ headers }: HttpRequest) =>
        Date.parse((headers['x-amz-date'] as string).replace(/(....)(..)(..)T(..)(..)(..)Z/, '$1-$2-$3T$4:$5:$6Z'));
      expect(requests.map((request) => Math.round((theirs - timeOf(request)) / HOUR_MS))).toEqual([1, 0, 0]);
    },
  );
});

/** Each fault with its reported name, whether it is retried, and whether the call may have been executed. */
const FAULTS: readonly [string, Reply, { name: string; mayPass: boolean; mayBeDone: boolean }][] = [
  ...[
    'ProvisionedThroughputExceededException',
    'RequestLimitExceeded',
    'ThrottlingException',
    'TransactionConflictException',
  ].map((name) => [name, refusal(name), { name, mayPass: true, mayBeDone: false }] as [string, Reply, never]),
  [
    'a request that is throttled by 503',
    refusal('ThrottlingException', 503),
    { name: 'ThrottlingException', mayPass: true, mayBeDone: false },
  ],
  ['500', refusal('InternalServerError', 500), { name: 'InternalServerError', mayPass: true, mayBeDone: true }],
  ['an HTML page', { status: 503, text: '<html>' }, { name: 'SyntaxError', mayPass: true, mayBeDone: true }],
  ['half a response', { status: 200, text: '{"Item":' }, { name: 'SyntaxError', mayPass: true, mayBeDone: true }],
  ['a cut connection', new HttpFailure('reset', true), { name: 'HttpFailure', mayPass: true, mayBeDone: true }],
  ['silence', new HttpFailure('timeout', true), { name: 'HttpFailure', mayPass: true, mayBeDone: true }],
  ['no connection', new HttpFailure('connect', false), { name: 'HttpFailure', mayPass: true, mayBeDone: false }],
  ...['ConditionalCheckFailedException', 'ValidationException', 'AccessDeniedException'].map(
    (name) => [name, refusal(name), { name, mayPass: false, mayBeDone: false }] as [string, Reply, never],
  ),
];

describe.each(FAULTS)('%s', (_, fault, { mayPass, mayBeDone, name }) => {
  it(mayPass ? 'passes' : 'is reported at once', async () => {
    const { client, requests } = dynamoOver([fault, fault, ok({})]);
    expect([await nameOf(client.send(GET)), requests.length]).toEqual(mayPass ? [undefined, 3] : [name, 1]);
  });

  it.each([
    [3, WHILE_WAITING],
    [1, TRY_ONCE],
  ])('is reported after at most %d attempts', async (attempts, retries) => {
    const { client, requests } = dynamoOver([fault], { retries });
    expect([await nameOf(client.send(GET)), requests.length]).toEqual([name, mayPass ? attempts : 1]);
  });

  it(`${mayBeDone || !mayPass ? 'ends' : 'does not end'} a call that must not be made twice`, async () => {
    const { client, requests } = dynamoOver([fault, ok({})], { retries: BACKGROUND_ONCE });
    await nameOf(client.send(GET));
    expect(requests).toHaveLength(mayBeDone || !mayPass ? 1 : 2);
  });
});

it('a write in a background task has nine attempts', async () => {
  const { client, requests } = dynamoOver([refusal('InternalServerError', 500)], { retries: BACKGROUND_RETRIES });
  expect([await nameOf(client.send(GET)), requests.length]).toEqual(['InternalServerError', 9]);
});

it('a failing service gets fewer retries: the retry quota runs out, and every call still has its first attempt', async () => {
  const { client, requests } = dynamoOver([refusal('InternalServerError', 500)]);
  const calls = Array.from({ length: 150 }, () => nameOf(client.send(GET)));
  expect(new Set(await Promise.all(calls))).toEqual(new Set(['InternalServerError']));
  const sent = requests.length;
  expect(sent).toBeGreaterThan(150);
  expect(sent).toBeLessThan(300);
  await nameOf(client.send(GET));
  expect(requests).toHaveLength(sent + 1);
});

it('an aborted call ends, and is not retried', async () => {
  const { http, requests } = replying(
    ({ signal }) =>
      new Promise((resolve) => signal?.addEventListener('abort', () => resolve(new HttpFailure('aborted', true)))),
  );
  const client = createDynamoClient({ region: REGION, credentials, http });
  const abort = new AbortController();
  const sending = nameOf(client.send(GET, { abortSignal: abort.signal }));
  await eventually(() => requests.length > 0);
  abort.abort();
  expect(await sending).toBe('AbortError');
  expect(requests.map(({ signal }) => signal?.aborted)).toEqual([true]);
});

describe('an item', () => {
  /** A table with one item, and the item in DynamoDB's format. */
  function tableOfOne() {
    let stored: PutItemInput['Item'];
    const { http } = replying(({ headers, body }) => {
      if (headers['x-amz-target']?.endsWith('GetItem')) return ok({ Item: stored } satisfies GetItemOutput);
      stored = (JSON.parse(textOf(body)) as PutItemInput).Item;
      return ok({});
    });
    return { client: createDynamoClient({ region: REGION, credentials, http }), stored: () => stored };
  }

  it('reads back unchanged, also with integers beyond 2^53', async () => {
    const item = {
      pk: 'a',
      most: 2n ** 80n,
      least: -(2n ** 53n) - 1n,
      safe: Number.MAX_SAFE_INTEGER,
      part: 0.000001,
      zero: 0,
      yes: true,
      none: null,
      list: [1, 'a', []],
      names: new Set(['a', 'b']),
      empty: '',
    };
    const { client, stored } = tableOfOne();
    await client.send(new PutCommand({ TableName: 'keys', Item: { ...item, absent: undefined } }));
    expect(stored()).toMatchObject({ most: { N: '1208925819614629174706176' }, least: { N: '-9007199254740993' } });
    expect(stored()).not.toHaveProperty('absent');
    expect((await client.send(GET)).Item).toEqual(item);
  });

  it.each([0, 1, 1_000])('keeps %d bytes', async (length) => {
    const bytes = Uint8Array.from({ length }, (_, at) => at % 256);
    const { client } = tableOfOne();
    await client.send(new PutCommand({ TableName: 'keys', Item: { pk: 'a', bytes } }));
    const read = (await client.send(GET)).Item?.bytes as Uint8Array;
    expect(Buffer.from(read).equals(bytes)).toBe(true);
  });
});

it('a response larger than any of AWS is not read to its end', async () => {
  let given = 0;
  async function* endless() {
    for (;;) {
      given += 1;
      yield new Uint8Array(1024 * 1024);
    }
  }
  await expect(collectBody(endless())).rejects.toThrow('response too large');
  expect(given).toBe(65);
});

it.each([
  ['is sent again at once on a new connection', BACKGROUND_RETRIES, false],
  ['is not, if it must not be made twice', BACKGROUND_ONCE, true],
] as const)('a call that met a closed connection %s', async (_, retries, once) => {
  const { http, requests } = replying(() => ok({}));
  await createDynamoClient({ http, region: REGION, credentials, retries }).send(GET);
  expect(requests[0]?.once).toBe(once);
});
