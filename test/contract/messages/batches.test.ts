import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { WITHOUT_EVENTS } from '../../support/quick-start.ts';
import { type CallOptions, Contract } from '../contract.ts';
import { startLocalProcess } from '../local-process.ts';
import type { Reply } from '../reply.ts';
import { PLANTED } from '../service.ts';

const MODEL = 'claude-sonnet-4-5';
const BLOCK = 'SVC-TEST-BLOCK-7f3a';
const RULES = [
  { id: 'flower', literals: ['heliotrope'], action: 'redact' as const },
  { id: 'poison', literals: ['oleander'], action: 'block' as const },
];

const contract = new Contract((providers) => startLocalProcess(providers, WITHOUT_EVENTS), {});
let key: string;
let keyId: string;

beforeAll(async () => {
  await contract.start();
  const made = await contract.createKey({
    permissions: ['chat_completions', 'batches'],
    policy: { rules: RULES },
    budget: { usd: 1, period: 'month' },
  });
  [key, keyId] = [made.key, made.id];
});
afterAll(() => contract.stop());
beforeEach(() => contract.upstream.reset());

const params = (content: string, fields: object = {}) => ({
  model: MODEL,
  max_tokens: 100,
  messages: [{ role: 'user', content }],
  ...fields,
});
const lineOf = (custom_id: string, content: string, fields: object = {}) => ({
  custom_id,
  params: params(content, fields),
});
const call = (path: string, body?: object, options: CallOptions = {}) =>
  contract.call(`/messages/batches${path}`, body === undefined ? undefined : JSON.stringify(body), { key, ...options });
const create = (requests: readonly object[], options: CallOptions = {}) => call('', { requests }, options);
const resultsOf = ({ text }: Reply) =>
  Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map(({ custom_id, result }) => [custom_id, result]),
  );
const spent = async () => (await contract.settledUsage(keyId)).json.budget.remainingUsd as number;
/** All requests of a key, once there are so many. */
const recordsOf = async (id: string, count: number) => {
  const { json } = await contract.settled(
    () => contract.analytics(`/requests?keyId=${id}&limit=100`),
    ({ json: { data } }) => data.length >= count,
  );
  return json.data as {
    readonly route: string;
    readonly action: string;
    readonly tokens: { readonly output: number | null };
  }[];
};

describe('a batch of messages', () => {
  test('is inspected line by line, before it is sent and before its results are', async () => {
    const made = await create(
      [
        lineOf('plain', 'Good evening'),
        lineOf('redacted', 'Is heliotrope a flower?'),
        lineOf('blocked', 'Is oleander a flower?'),
        lineOf('invalid', 'Hello', { max_tokens: 'many' }),
        lineOf('streamed', 'Hello', { stream: true }),
        lineOf('elsewhere', 'Hello', { model: 'openai/gpt-4o-mini' }),
      ],
      { headers: { 'x-end-user-id': 'ann' } },
    );
    expect([made.status, made.json]).toMatchObject([
      200,
      {
        id: expect.stringMatching(/^msgbatch_svc_[0-9a-f]{36}$/),
        type: 'message_batch',
        processing_status: 'in_progress',
        request_counts: { processing: 6, succeeded: 0, errored: 0, canceled: 0, expired: 0 },
        results_url: null,
      },
    ]);
    const [sent] = contract.upstream.requests;
    expect(contract.upstream.requests).toHaveLength(1);
    expect([sent?.path, sent?.headers['x-api-key']]).toEqual(['/v1/messages/batches', PLANTED.anthropicKey]);
    const { requests } = contract.sent.json as { requests: { custom_id: string; params: object }[] };
    expect(requests.map(({ custom_id }) => custom_id).sort()).toEqual(['0', '1']);
    expect(sent?.body).not.toMatch(/heliotrope|oleander|"plain"|"redacted"/);

    const { id } = made.json;
    const early = await call(`/${id}/results`);
    expect([early.status, early.json.error.type]).toEqual([400, 'invalid_request_error']);
    const ended = await call(`/${id}`);
    expect(ended.json).toMatchObject({
      id,
      processing_status: 'ended',
      request_counts: { processing: 0, succeeded: 2, errored: 4, canceled: 0, expired: 0 },
      results_url: `/v1/messages/batches/${id}/results`,
    });
    const read = await call(`/${id}/results`);
    expect([read.status, read.headers.get('content-type')]).toEqual([200, 'application/x-jsonl']);
    const results = resultsOf(read);
    expect(Object.keys(results)).toHaveLength(6);
    expect(results.plain).toMatchObject({
      type: 'succeeded',
      message: { type: 'message', content: [{ type: 'text', text: 'Good evening' }], svc: { action: 'allow' } },
    });
    expect(results.redacted.message.content[0].text).not.toContain('heliotrope');
    expect(results.blocked).toMatchObject({
      type: 'errored',
      error: { type: 'error', error: { type: expect.any(String) } },
    });
    for (const name of ['invalid', 'streamed', 'elsewhere']) {
      expect(results[name]).toMatchObject({ type: 'errored', error: { error: { type: 'invalid_request_error' } } });
    }
    expect(resultsOf(await call(`/${id}/results`)).plain.message.content).toEqual(results.plain.message.content);
    // Its creation, six lines and three readings, of which one failed.
    const records = await recordsOf(keyId, 10);
    expect(records).toHaveLength(10);
    expect(records.filter(({ tokens }) => tokens.output !== null)).toHaveLength(2);
    expect(records.filter(({ action }) => action === 'block')).toHaveLength(1);
    expect(records.filter(({ route }) => route === '/v1/messages/batches')).toHaveLength(7);
  });

  test('counts half of the price of what its lines may use, once', async () => {
    const before = await spent();
    const made = await create([lineOf('one', 'Good evening'), lineOf('two', 'Good morning')]);
    const after = await spent();
    const one = await contract.call('/messages', JSON.stringify(params('Good evening')), { key });
    expect([made.status, one.status]).toEqual([200, 200]);
    await call(`/${made.json.id}`);
    await call(`/${made.json.id}/results`);
    expect(before - after).toBeGreaterThan(0.0015);
    expect(before - after).toBeLessThan(0.002);
    await spent();
  });

  test('belongs to its key', async () => {
    const other = await contract.newKey({ permissions: ['chat_completions', 'batches'] });
    const { id } = (await create([lineOf('one', 'Good evening')])).json;
    for (const [path, method] of [
      [`/${id}`, 'GET'],
      [`/${id}/results`, 'GET'],
      [`/${id}/cancel`, 'POST'],
      [`/${id}`, 'DELETE'],
    ] as const) {
      const reply = await call(path, undefined, { key: other, method });
      expect([path, reply.status, reply.json.error?.type]).toEqual([path, 404, 'not_found_error']);
    }
    expect((await call('', undefined, { key: other })).json).toEqual({
      ...{ data: [], has_more: false, first_id: null, last_id: null },
    });
    const weak = await contract.newKey({ permissions: ['batches'] });
    expect((await create([lineOf('one', 'Hello')], { key: weak })).status).toBe(403);
    expect((await create([lineOf('one', 'Hello')], { key: await contract.newKey() })).status).toBe(403);
  });

  test('is listed page by page, canceled and deleted', async () => {
    const own = await contract.newKey({ permissions: ['chat_completions', 'batches'] });
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) ids.unshift((await create([lineOf(name, 'Hello')], { key: own })).json.id);
    const [newest, middle, oldest] = ids as [string, string, string];
    const list = async (query: string) => {
      const { json } = await call(query, undefined, { key: own });
      return [json.data.map((one: { id: string }) => one.id), json.has_more, json.first_id, json.last_id];
    };
    expect(await list('?limit=2')).toEqual([[newest, middle], true, newest, middle]);
    expect(await list(`?limit=2&after_id=${middle}`)).toEqual([[oldest], false, oldest, oldest]);
    expect(await list(`?limit=1&before_id=${oldest}`)).toEqual([[middle], true, middle, middle]);
    const late = (await create([lineOf('d', 'Hello')], { key: own })).json.id;
    const cancelled = await call(`/${late}/cancel`, undefined, { key: own, method: 'POST' });
    expect(cancelled.json).toMatchObject({ id: late, processing_status: 'canceling' });
    expect((await call(`/${late}`, undefined, { key: own, method: 'DELETE' })).status).toBe(400);
    await call(`/${late}`, undefined, { key: own });
    expect(resultsOf(await call(`/${late}/results`, undefined, { key: own }))).toEqual({ d: { type: 'canceled' } });
    const deleted = await call(`/${late}`, undefined, { key: own, method: 'DELETE' });
    expect([deleted.status, deleted.json]).toEqual([200, { id: late, type: 'message_batch_deleted' }]);
    expect((await call(`/${late}/results`, undefined, { key: own })).status).toBe(404);
    expect(await list('')).toEqual([ids, false, newest, oldest]);
  });

  test('is refused where it could not be sent', async () => {
    const refused = async (body: object) => {
      const { status, json } = await call('', body);
      return [status, json.error?.type];
    };
    for (const body of [
      {},
      { requests: [] },
      { requests: [lineOf('a', 'x'), lineOf('a', 'y')] },
      { requests: [lineOf('a b', 'x')] },
      { requests: [{ custom_id: 'a' }] },
      { requests: [lineOf('a', 'x')], more: 1 },
      {
        requests: [
          lineOf('a', 'x', { max_tokens: 60_000 }),
          lineOf('b', 'x', { max_tokens: 60_000 }),
          lineOf('c', 'x', { max_tokens: 60_000 }),
        ],
      },
    ]) {
      expect(await refused(body)).toEqual([400, 'invalid_request_error']);
    }
    expect(contract.upstream.requests).toEqual([]);
    contract.upstream.next({ status: 429 });
    const before = await spent();
    expect((await create([lineOf('a', 'Hello')])).status).toBe(429);
    expect(await spent()).toBeCloseTo(before, 9);
  });

  test('ends at once if nothing is sent, with a key for an end user whose lines can be deleted', async () => {
    const { json } = await create([lineOf('blocked', `oleander ${BLOCK}`)]);
    expect(json).toMatchObject({ processing_status: 'ended', request_counts: { errored: 1 } });
    expect(Object.keys(resultsOf(await call(`/${json.id}/results`)))).toEqual(['blocked']);
    expect(contract.upstream.requests).toEqual([]);
    const made = await create([lineOf('one', 'Hello')], { headers: { 'x-end-user-id': 'bea' } });
    await call(`/${made.json.id}`);
    expect((await contract.admin('DELETE', '/end-users/bea')).status).toBe(200);
    const gone = await call(`/${made.json.id}/results`);
    expect([gone.status, gone.json.error.type]).toEqual([404, 'not_found_error']);
  });

  test('is created once for each Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'again' };
    const first = await create([lineOf('one', 'Hello')], { headers });
    const second = await create([lineOf('one', 'Hello')], { headers });
    expect(second.json.id).toBe(first.json.id);
    expect(contract.upstream.requests).toHaveLength(1);
  });
});
