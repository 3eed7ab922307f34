import { describe, expect, test } from '@jest/globals';
import type { Contract } from '../contract.ts';
import { BLOCK, CLEAN, CUT, LEAK } from '../example-texts.ts';
import { GITHUB_TOKEN } from '../inspection/planted-secret.ts';
import { expectError } from '../reply.ts';
import { GPT, storedResponsesCalls } from './stored-responses-requests.ts';

const COMPACTION = { type: 'compaction', encrypted_content: expect.any(String) };
/** Calls about a stored response, as method and path below it. */
const CALLS = [
  ['GET', ''],
  ['GET', '?stream=true'],
  ['GET', '/input_items'],
  ['POST', '/cancel'],
  ['DELETE', ''],
] as const;

/** Stored responses, compacted conversations and counts of OpenAI's Responses API. */
export function storedResponsesContract(contract: Contract): void {
  const { ask, create, at } = storedResponsesCalls(contract);

  describe('a stored response', () => {
    test('is returned to its key, deleted, and then not found', async () => {
      const { json } = await create({ input: 'Good morning' });
      const { svc: _, ...created } = json;
      const fetched = await at(json.id);
      expect([fetched.status, fetched.json]).toMatchObject([200, created]);
      expect(fetched.json.svc).toMatchObject({
        action: 'allow',
        coverage: { input: [], output: ['output[0]'] },
      });
      expect(fetched.headers.get('x-svc-route')).toBe(`openai/${GPT}`);
      const items = await at(json.id, '/input_items?limit=1&order=asc&include[]=message.input_image.image_url');
      expect(items.json).toMatchObject({ object: 'list', data: [{ role: 'user' }], has_more: false });
      expect(contract.sent.path).toBe(
        `/v1/responses/${json.id}/input_items?limit=1&order=asc&include%5B%5D=message.input_image.image_url`,
      );
      const deleted = await at(json.id, '', 'DELETE');
      expect([deleted.status, deleted.json]).toMatchObject([200, { id: json.id, deleted: true }]);
      expect([contract.sent.method, contract.sent.body]).toEqual(['DELETE', '']);
      const gone = await at(json.id);
      expect([gone.status, gone.json.error.message]).toEqual([404, `Response with id '${json.id}' not found.`]);
    });

    test.each(CALLS)(
      '%s %s of another key or unknown is the same 404, and no provider is called',
      async (method, call) => {
        const { json } = await create();
        const other = await contract.newKey();
        await at(json.id);
        const before = contract.upstream.requests.length;
        const theirs = await at(json.id, call, method, other);
        const unknown = await at('resp_unknown', call, method, other);
        for (const reply of [theirs, unknown]) expectError(reply, 'not_found', 'id');
        expect(theirs.json.error.message.replace(json.id, 'resp_unknown')).toBe(unknown.json.error.message);
        expect(contract.upstream.requests).toHaveLength(before);
      },
    );

    test.each(CALLS)('%s %s needs the permission of the Responses API', async (method, call) => {
      const { json } = await create();
      const { status } = await at(json.id, call, method, await contract.newKey({ permissions: ['embeddings'] }));
      expect(status).toBe(403);
    });

    test('is inspected each time: a secret that the first response hid stays hidden', async () => {
      contract.upstream.next({ text: LEAK });
      const { json } = await create();
      expect(json.output[0].content[0].text).toBe(CLEAN);
      for (const { json: fetched, text } of [await at(json.id), await at(json.id)]) {
        expect([fetched.output[0].content[0].text, fetched.svc.action]).toEqual([CLEAN, 'redact']);
        expect(text).not.toContain(GITHUB_TOKEN);
      }
    });

    test('that was blocked, or whose input was, has no usable id', async () => {
      contract.upstream.next({ text: CUT });
      const { json } = await create();
      expect(json.status).toBe('incomplete');
      for (const [method, call] of CALLS) expectError(await at(json.id, call, method), 'not_found', 'id');
    });

    test('has input items without the secrets of earlier responses', async () => {
      const said = {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: LEAK, annotations: [] }],
      };
      const key = await contract.newKey({ policy: { input: { secret: { action: 'off' } } } });
      const { json } = await create(
        { input: [{ role: 'user', content: 'Hi' }, said, { role: 'user', content: 'On' }] },
        key,
      );
      const items = await at(json.id, '/input_items', 'GET', key);
      expect(items.json.data[1].content[0].text).toBe(CLEAN);
      expect(items.json.svc.action).toBe('redact');
      contract.upstream.next({ raw: items.text.replace('Take ', `${BLOCK} `) });
      const blocked = await at(json.id, '/input_items', 'GET', key);
      expect([blocked.status, blocked.json.data, blocked.json.svc.action]).toEqual([200, [], 'block']);
    });

    test.each([
      ['GET', '?starting_after=x', 'starting_after'],
      ['GET', '?stream=maybe', 'stream'],
      ['GET', '?include[]=a%20text', 'include[]'],
      ['GET', '?note=1', 'note'],
      ['DELETE', '?stream=true', 'stream'],
    ])('%s %s is a 400 that names the parameter', async (method, query, param) => {
      const { json } = await create();
      expectError(await at(json.id, query, method), 'invalid_value', param);
    });

    test('of a provider that stores nothing is not found', async () => {
      const { json } = await create({ model: 'claude-sonnet-4-5' });
      expectError(await at(json.id), 'not_found', 'id');
    });

    test('is recorded by its route, without the usage that its creation has', async () => {
      const { key, id: keyId } = await contract.createKey();
      const { json } = await create({}, key);
      const { headers } = await at(json.id, '', 'GET', key);
      const id = headers.get('x-request-id');
      const { json: page } = await contract.settled(
        () => contract.analytics(`/requests?keyId=${keyId}`),
        (reply) => reply.json?.data?.some((one: { id: string }) => one.id === id),
      );
      expect(page.data.find((one: { id: string }) => one.id === id)).toMatchObject({
        route: '/v1/responses/{id}',
        provider: 'openai',
        model: GPT,
        state: 'completed',
        tokens: { input: null, output: null },
        costUsd: null,
      });
    });
  });

  describe('a compacted conversation', () => {
    const compact = (body: object, key = contract.key) =>
      contract.call('/responses/compact', JSON.stringify({ model: GPT, ...body }), { key });
    const turns = [
      { role: 'user', content: 'Good morning' },
      { role: 'user', content: 'And then?' },
    ];

    test('is returned, charged by its usage, and used in the next request', async () => {
      const { key, id: keyId } = await contract.createKey({ budget: { usd: 5, period: 'day' } });
      const body = JSON.stringify({
        model: GPT,
        input: turns,
        instructions: 'Be brief.',
        tools: [],
        parallel_tool_calls: true,
      });
      const { status, json, headers } = await contract.call('/responses/compact', body, { key });
      expect([status, contract.sent.path, contract.sent.body]).toEqual([200, '/v1/responses/compact', body]);
      expect(json).toMatchObject({ object: 'response.compaction', svc: { action: 'allow' } });
      expect(json.output).toMatchObject([{ role: 'user' }, { role: 'user' }, COMPACTION]);
      const next = await ask(
        { model: GPT, store: false, input: [...json.output, { role: 'user', content: 'On' }] },
        key,
      );
      expect(next.status).toBe(200);
      const id = headers.get('x-request-id');
      const { json: page } = await contract.settled(
        () => contract.analytics(`/requests?keyId=${keyId}`),
        (reply) => reply.json?.data?.some((one: { id: string }) => one.id === id),
      );
      const { input_tokens: input, output_tokens: output } = json.usage;
      expect(page.data.find((one: { id: string }) => one.id === id)).toMatchObject({
        route: '/v1/responses/compact',
        tokens: { input, output },
        costUsd: expect.any(Number),
      });
      const other = await ask({ model: GPT, input: [json.output[2], { role: 'user', content: 'On' }] });
      expectError(other, 'not_found', 'input[0].id');
    });

    test('is inspected: its input as that of a response, its own text as output', async () => {
      expectError(
        await compact({ input: [...turns, { role: 'user', content: BLOCK }] }),
        'content_filter',
        'input[2].content',
      );
      const refusing = await contract.newKey({ policy: { onBlock: 'refusal' } });
      expectError(await compact({ input: BLOCK }, refusing), 'content_filter', 'input');
      contract.upstream.next({ text: LEAK });
      expect((await compact({ input: turns })).json.output[2].content[0].text).toBe(CLEAN);
      contract.upstream.next({ text: CUT });
      const blocked = await compact({ input: turns });
      expect([blocked.status, blocked.json.error.code, blocked.json.svc.action]).toEqual([
        400,
        'content_filter',
        'block',
      ]);
      expect(blocked.text).not.toMatch(/SVC-TEST|All is well/);
    });

    test("keeps the caller's own words, which output rules do not change", async () => {
      const key = await contract.newKey({ policy: { input: { secret: { action: 'off' } } } });
      const { json } = await compact({ input: [{ role: 'user', content: LEAK }] }, key);
      expect([json.output[0].content[0].text, json.svc.action]).toEqual([LEAK, 'allow']);
    });
  });

  test('input tokens are counted for nothing, after the inspection of a response', async () => {
    const key = await contract.newKey({ budget: { usd: 0.000001, period: 'day' } });
    const count = (input: string, model = GPT) =>
      contract.call('/responses/input_tokens', JSON.stringify({ model, input }), { key });
    const { status, json } = await count('Good morning');
    expect([status, json]).toMatchObject([
      200,
      { object: 'response.input_tokens', input_tokens: expect.any(Number), svc: { action: 'allow' } },
    ]);
    expectError(await count(BLOCK), 'content_filter', 'input');
    for (const path of ['/responses/input_tokens', '/responses/compact']) {
      const body = JSON.stringify({ model: 'claude-sonnet-4-5', input: 'Hi' });
      expectError(await contract.call(path, body), 'invalid_value', 'model');
    }
  });
}
