import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mintApiKey } from '../../../functions/control/keys/index.ts';
import { type EmbeddedStores, startEmbeddedStores } from '../../../lib/local/embedded-stores.ts';
import { startCountingProxy } from '../../support/counting-proxy.ts';
import { eventually } from '../../support/eventually.ts';
import { Contract, saying } from '../contract.ts';
import { startLocalProcess } from '../local-process.ts';

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

const HELLO = saying('Hello', 'echo');
const ask = (key: string) => contract.chat(HELLO, { key });

test('a key that is not known costs one read, found or not, and a known one none', async () => {
  const key = await contract.newKey();
  await ask(contract.key);
  proxy.take();
  expect((await ask(key)).status).toBe(200);
  expect(proxy.take()['GetItem keys']).toBe(1);
  for (let at = 0; at < 5; at += 1) await ask(key);
  expect(proxy.take()['GetItem keys']).toBeUndefined();
  for (let at = 0; at < 5; at += 1) expect((await ask('svc_sk_junk')).status).toBe(401);
  const unknown = mintApiKey();
  for (let at = 0; at < 5; at += 1) expect((await ask(unknown)).status).toBe(401);
  expect(proxy.take()['GetItem keys']).toBe(1);
  const revoked = await contract.createKey();
  await contract.admin('DELETE', `/keys/${revoked.id}`);
  proxy.take();
  for (let at = 0; at < 5; at += 1) expect((await ask(revoked.key)).status).toBe(401);
  expect(proxy.take()['GetItem keys']).toBe(1);
});

test('a flood of invented keys causes few reads, and does not block valid keys', async () => {
  const fresh = await contract.newKey();
  proxy.take();
  const bodies = new Set<string>();
  for (let batch = 0; batch < 20; batch += 1) {
    const replies = await Promise.all(Array.from({ length: 100 }, () => ask(mintApiKey())));
    for (const { status, text } of replies) bodies.add(`${status} ${text}`);
  }
  const reads = proxy.take()['GetItem keys'] ?? 0;
  expect(reads).toBeGreaterThan(0);
  // 200, and 20 for each second that it takes (key-cache.test.ts), of which a test has 30 at most.
  expect(reads).toBeLessThanOrEqual(200 + 20 * 30);
  expect([...bodies]).toEqual([expect.stringMatching(/^401 .*invalid_api_key/)]);
  for (const key of [fresh, contract.key, await contract.newKey(), contract.service.adminKey]) {
    expect((await ask(key)).status).toBe(200);
  }
});

test('the use of a key is recorded once a minute', async () => {
  const key = await contract.newKey();
  // The relay takes the news of a key out of its item, some time after it was made.
  await callsOn('keys');
  await Promise.all(Array.from({ length: 50 }, () => ask(key)));
  const { 'UpdateItem keys': notes } = proxy.take();
  expect(notes).toBe(1);
});

test('streams are checked for cancellation every two seconds, in one call for all, and short ones never', async () => {
  const streamOf = (words: number) => {
    contract.upstream.next({ pieces: Array(words).fill('word '), delayMs: 100 });
    return contract.stream(saying('Go on'));
  };
  proxy.take();
  const { content } = await contract.stream(HELLO);
  expect([content, proxy.take()['BatchGetItem idempotency']]).toEqual(['Hello', undefined]);
  const startedAt = performance.now();
  await Promise.all([streamOf(50), streamOf(50), streamOf(50)]);
  const looks = proxy.take()['BatchGetItem idempotency'] ?? 0;
  expect(looks).toBeGreaterThan(0);
  expect(looks).toBeLessThanOrEqual(Math.floor((performance.now() - startedAt) / 2_000));
  expect(proxy.take()['UpdateItem idempotency']).toBeUndefined();
});

/**
 * Counts calls on a table since the last call of this, by kind. Settlements are background tasks, so it waits until no call
 * arrives for a while. The relay reads the index of events all the time.
 */
async function callsOn(table: string): Promise<Record<string, number>> {
  const calls: Record<string, number> = {};
  for (let quiet = 0; quiet < 5; quiet += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    for (const [call, count] of Object.entries(proxy.take())) {
      if (!call.endsWith(` ${table}`) || call.startsWith('Query ')) continue;
      quiet = -1;
      calls[call] = (calls[call] ?? 0) + count;
    }
  }
  return calls;
}

test('a continued response costs one read, each of its ids one write after the response, and what is not stored none', async () => {
  const key = await contract.newKey();
  const respond = async (more: object) => {
    const body = JSON.stringify({ model: 'gpt-4o-mini', input: 'Hi', ...more });
    const reply = await contract.call('/responses', body, { key });
    return { id: reply.json.id as string, calls: await callsOn('sessions') };
  };
  await respond({});
  const first = await respond({});
  expect(first.calls).toEqual({ 'PutItem sessions': 2 });
  const next = await respond({ previous_response_id: first.id });
  expect(next.calls).toEqual({ 'GetItem sessions': 1, 'PutItem sessions': 2 });
  for (const body of [{ store: false }, { model: 'echo' }]) expect((await respond(body)).calls).toEqual({});
});

test('a shared budget costs one write to reserve and one to settle, and none for keys without the tag', async () => {
  const usage = { prompt_tokens: 10, completion_tokens: 5 };
  const tagBudget = { usd: 1, period: 'month' };
  const tagBudgets = ['team', 'project'].map((tag) => ({ tag, value: 'x', ...tagBudget }));
  expect((await contract.admin('PUT', '/policy', { tagBudgets })).status).toBe(200);
  const paid = async (key: string) => {
    contract.upstream.next({ text: 'Fine.', usage });
    return (await contract.chat({ ...saying('Hi'), max_tokens: 10 }, { key })).status;
  };
  const writes = async (tags: Record<string, string>, maxConcurrent: number | null = null) => {
    const key = await contract.newKey({ tags, maxConcurrent });
    expect(await paid(key)).toBe(200);
    await callsOn('limits');
    expect(await paid(key)).toBe(200);
    return (await callsOn('limits'))['UpdateItem limits'];
  };
  // The policy counts within 30 s.
  await eventually(
    () => writes({ team: 'x' }),
    (count) => count === 3,
  );
  // A key with a rate alone holds nothing: one write takes. A new key also has a limit of concurrency, which is settled.
  expect(await writes({})).toBe(1);
  expect(await writes({}, 50)).toBe(2);
  expect(await writes({ team: 'x' })).toBe(3);
  expect(await writes({ team: 'x', project: 'x' })).toBe(5);
});
