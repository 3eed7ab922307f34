import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type EmbeddedStores, startEmbeddedStores } from '../../../lib/local/embedded-stores.ts';
import { eventually } from '../../support/eventually.ts';
import { WITHOUT_EVENTS } from '../../support/quick-start.ts';
import { passOn, type StoreCall, type StoreProxy, startStoreProxy } from '../../support/store-proxy.ts';
import { Contract, saying } from '../contract.ts';
import { startLocalProcess } from '../local-process.ts';
import { expectError } from '../reply.ts';
import { toResponseStream } from './responses-reply.ts';

/** With separate stores, whose calls about stored items may fail or wait. */
const ABOUT_ITEMS = /^(?:Put|BatchGet)Item .*"(?:TableName":|RequestItems":\{)"idempotency"(?!.*"cancel#)/;
let stores: EmbeddedStores;
let proxy: StoreProxy;
let calls: string[] = [];
let onCall: (call: StoreCall) => Promise<'pass' | 'fail' | 'never'> = async () => 'pass';
const contract = new Contract(async (providers) => {
  stores = await startEmbeddedStores();
  proxy = await startStoreProxy(stores.dynamodbUrl, async (call) => {
    const isAboutItems = ABOUT_ITEMS.test(`${call.operation} ${call.body}`);
    if (isAboutItems) calls.push(call.operation);
    const what = isAboutItems ? await onCall(call) : 'pass';
    if (what === 'fail') call.response.writeHead(500).end('{"__type":"InternalServerError"}');
    else if (what === 'pass') passOn(call, await call.pass());
  });
  return startLocalProcess(providers, {
    ...WITHOUT_EVENTS,
    AWS_ENDPOINT_URL_DYNAMODB: proxy.url,
    AWS_ENDPOINT_URL_SQS: stores.sqsUrl,
  });
}, {});
beforeAll(() => contract.start());
afterEach(() => {
  onCall = async () => 'pass';
  calls = [];
});
afterAll(async () => {
  await contract.stop();
  proxy?.stop();
  await stores?.stop();
});

const CLAUDE = 'claude-sonnet-4-5';
const refer = ({ id }: { id: string }) => ({ type: 'item_reference', id });
const askOnce = (body: object) => contract.call('/responses', JSON.stringify({ model: CLAUDE, ...body }));
/** On a busy machine a store may be late, which is a 503. */
const isServed = ({ status }: { readonly status: number }) => status !== 503;
const ask = (body: object) => eventually(() => askOnce(body), isServed);
const fetchStream = (input: unknown) =>
  eventually(() => contract.fetch('/responses', JSON.stringify({ model: CLAUDE, input, stream: true })), isServed);

test('a request without references reads nothing, and one with many reads each response once, together', async () => {
  const [first, second] = [(await ask({ input: 'Hi' })).json, (await ask({ input: 'Hi' })).json];
  expect(calls.splice(0)).toEqual(['PutItem', 'PutItem']);
  const items = [...first.output, ...second.output, ...first.output].map(refer);
  expect((await ask({ input: [{ role: 'user', content: 'Hi' }, ...items], store: false })).status).toBe(200);
  expect(calls.splice(0)).toEqual(['BatchGetItem']);
  expect((await ask({ input: 'Hi', model: 'gpt-4o-mini' })).status).toBe(200);
  expect(calls).toEqual([]);
});

test.each([
  ['fails', 'fail' as const],
  ['does not respond', 'never' as const],
])('a response whose items are not stored is sent, if the store %s', async (_, what) => {
  onCall = async () => what;
  const whole = await ask({ input: 'Hi' });
  const streamed = await toResponseStream(await fetchStream('Hi'));
  expect([whole.status, whole.json.status, streamed.faults, streamed.response.status]).toEqual([
    200,
    'completed',
    [],
    'completed',
  ]);
  onCall = async () => 'pass';
  for (const output of [whole.json.output, streamed.response.output]) {
    expectError(await ask({ input: [refer(output[0])] }), 'not_found', 'input[0].id');
  }
  const id = whole.headers.get('x-request-id') as string;
  const logged = new RegExp(`${id}.*items not stored: idempotency table`);
  await eventually(() => logged.test(contract.service.logs()));
});

test('references are a 503 while the store fails, and no provider is called', async () => {
  const { json } = await ask({ input: 'Hi' });
  onCall = async () => 'fail';
  const before = contract.upstream.requests.length;
  expectError(await askOnce({ input: [refer(json.output[0])] }), 'unavailable');
  expect(contract.upstream.requests).toHaveLength(before);
});

test('the end of a response is sent once its items are stored', async () => {
  let store = (): void => {};
  const isAllowed = new Promise<void>((resolve) => {
    store = resolve;
  });
  onCall = async () => {
    await isAllowed;
    return 'pass';
  };
  contract.upstream.next({ pieces: ['All is ', 'well.'] });
  const response = await fetchStream('Hi');
  let wholeEnded = false;
  const whole = ask({ input: 'Hi' }).then((reply) => {
    wholeEnded = true;
    return reply;
  });
  const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes('response.output_item.done')) text += (await reader.read()).value ?? '';
  await eventually(() => calls.length >= 2);
  const rest = (async () => {
    for (;;) {
      const { done, value = '' } = await reader.read();
      if (done) return text;
      text += value;
    }
  })();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect([calls, wholeEnded, text.includes('response.completed')]).toEqual([['PutItem', 'PutItem'], false, false]);
  store();
  expect([await rest, (await whole).status]).toEqual([expect.stringContaining('response.completed'), 200]);
});

test('a cache of responses that fails is not used: the provider is called, and its response sent', async () => {
  const key = await contract.newKey({ policy: { cache: true } });
  const askCached = async () => {
    const reply = await contract.chat(saying('Hi'), { key, headers: { 'x-svc-cache': 'ttl=60' } });
    return [reply.status, reply.headers.get('x-svc-cache-status')];
  };
  onCall = async () => 'fail';
  expect(await eventually(askCached, ([status]) => status !== 503)).toEqual([200, 'bypass']);
  onCall = async ({ operation }) => (operation === 'PutItem' ? 'fail' : 'pass');
  expect(await eventually(askCached, ([status]) => status !== 503)).toEqual([200, 'miss']);
  await eventually(() => contract.service.logs().includes('"message":"cached response lost"'));
});
