import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type EmbeddedStores, startEmbeddedStores } from '../../../lib/local/embedded-stores.ts';
import { startCountingProxy } from '../../support/counting-proxy.ts';
import type { Behaviour } from '../../support/mock-upstream/behaviour.ts';
import { Contract, saying } from '../contract.ts';
import { startLocalProcess } from '../local-process.ts';
import type { Reply } from '../reply.ts';

/** With separate stores, whose calls are counted. */
let stores: EmbeddedStores;
let proxy: Awaited<ReturnType<typeof startCountingProxy>>;
const contract = new Contract(async (providers) => {
  stores = await startEmbeddedStores();
  proxy = await startCountingProxy(stores.dynamodbUrl);
  return startLocalProcess(providers, { AWS_ENDPOINT_URL_DYNAMODB: proxy.url, AWS_ENDPOINT_URL_SQS: stores.sqsUrl });
}, {});
beforeAll(() => contract.start());
afterAll(async () => {
  await contract.stop();
  proxy?.stop();
  await stores?.stop();
});

const ENDS_WITHIN_MS = 30_000;
/** Two minutes of words. */
const LONG: Behaviour = { pieces: Array(1_200).fill('word '), delayMs: 100, usage: null };
const GEMINI = { contents: [{ role: 'user', parts: [{ text: 'Go on' }] }] };

/** Streams of each protocol, native and translated. */
const STREAMS: readonly (readonly [path: string, body: object])[] = [
  ['/chat/completions', { ...saying('Go on'), stream: true }],
  ['/chat/completions', { ...saying('Go on', 'claude-sonnet-4-5'), stream: true }],
  ['/responses', { model: 'gpt-4o-mini', input: 'Go on', stream: true }],
  ['/responses', { model: 'claude-sonnet-4-5', input: 'Go on', stream: true }],
  ['/messages', { ...saying('Go on', 'claude-sonnet-4-5'), max_tokens: 2_000, stream: true }],
  ['/messages', { ...saying('Go on'), max_tokens: 2_000, stream: true }],
  ['/models/gpt-4o-mini:streamGenerateContent?alt=sse', GEMINI],
];

async function recordOf(id: string) {
  const find = ({ json }: Reply) => json?.data?.find((record: { id: string }) => record.id === id);
  return find(await contract.settled(() => contract.analytics('/requests?limit=100'), find));
}

const ENDINGS: readonly (readonly [name: string, end: (id: string) => Promise<Reply>])[] = [
  ['revoked', (id) => contract.admin('DELETE', `/keys/${id}`)],
  ['disabled', (id) => contract.admin('PATCH', `/keys/${id}`, { state: 'disabled' })],
  ['rotated without grace', (id) => contract.admin('POST', `/keys/${id}/rotate`, { graceSeconds: 0 })],
];

test.each(ENDINGS)(
  'streams in every protocol end within 30 s after their key is %s, settled and recorded as cancelled',
  async (_, end) => {
    const { id, key } = await contract.createKey();
    const responses: Response[] = [];
    for (const [path, body] of STREAMS) {
      contract.upstream.next(LONG);
      responses.push(await contract.fetch(path, JSON.stringify(body), { key }));
    }
    expect(responses.map(({ status }) => status)).toEqual(STREAMS.map(() => 200));
    expect((await end(id)).status).toBeLessThan(300);
    const endedAt = performance.now();
    for (const text of await Promise.all(responses.map((response) => response.text()))) {
      const last = text.trim().split('\n\n').at(-1) ?? '';
      expect(last).toMatch(/request_cancelled|CANCELLED/);
      expect(last).toContain('its API key is no longer valid');
    }
    expect(performance.now() - endedAt).toBeLessThan(ENDS_WITHIN_MS);
    for (const { headers } of responses) {
      const record = await recordOf(headers.get('x-request-id') ?? '');
      expect(record).toMatchObject({ state: 'cancelled', status: 200, errorCode: 'request_cancelled' });
      expect(record.tokens.output).toBeGreaterThan(0);
    }
    const { json } = await contract.admin('GET', `/keys/${id}/usage`);
    expect(json.concurrent).toEqual({ limit: 50, remaining: 50 });
  },
);

test('a running stream costs no read of its key in its first seconds, and then one every ten seconds for all of them', async () => {
  const { id, key } = await contract.createKey();
  const begin = () => {
    contract.upstream.next(LONG);
    return contract.fetch('/chat/completions', JSON.stringify({ ...saying('Go on'), stream: true }), { key });
  };
  const responses = await Promise.all([begin(), begin(), begin()]);
  proxy.take();
  const startedAt = performance.now();
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  if (performance.now() - startedAt < 8_000) expect(proxy.take()['GetItem keys']).toBeUndefined();
  await new Promise((resolve) => setTimeout(resolve, 16_000));
  const reads = proxy.take()['GetItem keys'] ?? 0;
  expect(reads).toBeGreaterThan(0);
  expect(reads).toBeLessThanOrEqual(Math.floor((performance.now() - startedAt) / 10_000));
  await contract.admin('DELETE', `/keys/${id}`);
  for (const response of responses) expect(await response.text()).toContain('request_cancelled');
});
