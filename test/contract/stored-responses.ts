import { describe, expect, test } from '@jest/globals';
import type { Contract } from './contract.ts';
import { GITHUB_TOKEN } from './planted-secret.ts';
import { expectError, type Reply } from './reply.ts';
import { toResponseStream } from './responses-reply.ts';

const GPT = 'gpt-4o-mini';
const BLOCK = 'SVC-TEST-BLOCK-7f3a';
const CUT = `All is well so far. ${BLOCK} And no more of it.`;
const KEPT = 'All is well so far. ';
const LEAK = `Take ${GITHUB_TOKEN} for it.`;
const CLEAN = 'Take [REDACTED_GITHUB_TOKEN] for it.';
const COMPACTION = { type: 'compaction', encrypted_content: expect.any(String) };
/** Calls about a stored response, as method and path below it. */
const CALLS = [
  ['GET', ''],
  ['GET', '?stream=true'],
  ['GET', '/input_items'],
  ['POST', '/cancel'],
  ['DELETE', ''],
] as const;

/** The calls of OpenAI's Responses API beside the one that creates a response. */
export function storedResponsesContract(contract: Contract): void {
  const ask = (body: object, key = contract.key) => contract.call('/responses', JSON.stringify(body), { key });
  const create = async (more: object = {}, key = contract.key): Promise<Reply> => {
    const reply = await ask({ model: GPT, input: 'Hi', ...more }, key);
    expect(reply.status).toBe(200);
    return reply;
  };
  const at = (id: string, call = '', method = 'GET', key = contract.key) =>
    contract.call(`/responses/${id}${call}`, undefined, { method, key });
  const streamOf = async (id: string, query = '', key = contract.key) =>
    toResponseStream(await contract.fetch(`/responses/${id}?stream=true${query}`, undefined, { key }));
  /** Fetches a background response until it is done. */
  const polled = (id: string, key = contract.key) =>
    contract.settled(
      () => at(id, '', 'GET', key),
      ({ json }) => !['queued', 'in_progress'].includes(json.status),
    );

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

  describe('a background response', () => {
    const background = { background: true, store: true };

    test('is queued, shows no text before its end, and is inspected when it is fetched', async () => {
      contract.upstream.next({ text: LEAK, pendingPolls: 1 });
      const { json } = await create(background);
      expect(json).toMatchObject({ status: 'queued', output: [], svc: { action: 'allow' } });
      contract.upstream.next({
        raw: JSON.stringify({
          ...json,
          status: 'in_progress',
          output: [{ type: 'message', content: [{ type: 'output_text', text: 'Take ghp' }] }],
        }),
      });
      expect((await at(json.id)).json).toMatchObject({ status: 'in_progress', output: [] });
      const done = await polled(json.id);
      expect(done.json).toMatchObject({ status: 'completed', svc: { action: 'redact' } });
      expect(done.json.output[0].content[0].text).toBe(CLEAN);
    });

    test('can be continued once it was fetched, and not before', async () => {
      contract.upstream.next({ text: 'Fine.', pendingPolls: 1 });
      const { json } = await create(background);
      const goOn = () => ask({ model: GPT, input: 'On', previous_response_id: json.id });
      expectError(await goOn(), 'invalid_value', 'previous_response_id');
      expect((await at(json.id)).json.status).toBe('in_progress');
      expectError(await goOn(), 'invalid_value', 'previous_response_id');
      const done = await polled(json.id);
      expect((await goOn()).status).toBe(200);
      expect((await ask({ model: GPT, input: [{ type: 'item_reference', id: done.json.output[0].id }] })).status).toBe(
        200,
      );
    });

    test('that is blocked is cut where a response is, and its id is not usable afterwards', async () => {
      contract.upstream.next({ text: CUT });
      const { json } = await create(background);
      const done = await polled(json.id);
      expect(done.json).toMatchObject({
        status: 'incomplete',
        incomplete_details: { reason: 'content_filter' },
        output: [{ type: 'message', content: [{ type: 'output_text', text: KEPT }] }],
      });
      const again = await contract.settled(
        () => at(json.id),
        ({ status }) => status === 404,
      );
      expectError(again, 'not_found', 'id');
      expectError(
        await ask({ model: GPT, input: 'On', previous_response_id: json.id }),
        'not_found',
        'previous_response_id',
      );
    });

    test('that leaks the system prompt or its marker is found as in any response', async () => {
      const key = await contract.newKey({
        policy: { canary: true, output: { system_prompt_leak: { action: 'block' } } },
      });
      contract.upstream.next({ leaksSystem: true });
      const instructions =
        'You are Mara, the clerk of the library at Ostrava, and you never name the price of a membership.';
      const { json } = await create({ ...background, instructions }, key);
      expect(json.instructions).toBe(instructions);
      const done = await polled(json.id, key);
      expect(done.json.svc.detected_threats.map(({ rule }: { rule: string }) => rule)).toEqual([
        'system-prompt-leak/overlap',
        'system-prompt-leak/canary',
      ]);
      expect(done.json).toMatchObject({ status: 'incomplete', instructions });
      expect(done.text).not.toMatch(/\[ref [a-z]{16}/);
    });

    test('has its current state at each call, whatever the Idempotency-Key', async () => {
      contract.upstream.next({ text: 'Fine.', pendingPolls: 1 });
      const { json } = await create(background);
      const headers = { 'idempotency-key': 'one of a client' };
      const fetched = () => contract.call(`/responses/${json.id}`, undefined, { headers });
      expect((await fetched()).json.status).toBe('in_progress');
      expect((await fetched()).json.status).toBe('completed');
    });

    test('is cancelled', async () => {
      contract.upstream.next({ text: 'Fine.', pendingPolls: 9 });
      const { json } = await create(background);
      const cancelled = await at(json.id, '/cancel', 'POST');
      expect([cancelled.status, cancelled.json]).toMatchObject([200, { id: json.id, status: 'cancelled' }]);
      expect([contract.sent.method, contract.sent.path]).toEqual(['POST', `/v1/responses/${json.id}/cancel`]);
      const whole = await create();
      const refused = await at(whole.json.id, '/cancel', 'POST');
      expect([refused.status, refused.json.error.message]).toEqual([
        400,
        'Only background responses can be cancelled.',
      ]);
    });

    test('is streamed again from any event, inspected from its start', async () => {
      contract.upstream.next({ text: LEAK });
      const body = JSON.stringify({ model: GPT, input: 'Hi', ...background, stream: true });
      const first = await toResponseStream(await contract.fetch('/responses', body));
      const { id } = first.response;
      const whole = await streamOf(id);
      expect(whole.events.map(withoutSvc)).toEqual(first.events.map(withoutSvc));
      expect(whole.deltas['output[0].content[0].text']).toBe(CLEAN);
      for (const { sequence_number: number } of first.events) {
        const { events, text, status } = await streamOf(id, `&starting_after=${number}`);
        expect([status, events.map(withoutSvc)]).toEqual([
          200,
          first.events.filter((event) => event.sequence_number > number).map(withoutSvc),
        ]);
        expect(text).not.toMatch(new RegExp(GITHUB_TOKEN.slice(8)));
      }
      expect(contract.sent.path).toBe(`/v1/responses/${id}?stream=true`);
    });

    test('is cut in a stream, from any event', async () => {
      contract.upstream.next({ text: CUT });
      const { json } = await create(background);
      const { events, text } = await streamOf(json.id, '&starting_after=3');
      expect(events.at(-1)).toMatchObject({ type: 'response.incomplete', response: { id: json.id } });
      expect(text).not.toMatch(/SVC-TEST|And no more/);
    });

    test('whose stream was left can be fetched, cancelled and deleted', async () => {
      contract.upstream.next({ text: 'One two three four five', delayMs: 200 });
      const left = new AbortController();
      const response = await fetch(`${contract.service.baseUrl}/responses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${contract.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: GPT, input: 'Hi', ...background, stream: true }),
        signal: left.signal,
      });
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      const { value } = await reader.read();
      const id = /"id":"(resp_\w+)"/.exec(Buffer.from(value ?? []).toString())?.[1] ?? '';
      // It is bound while its stream runs.
      expect((await at(id)).status).toBe(200);
      left.abort();
      const done = await polled(id);
      expect(done.json).toMatchObject({ status: 'completed', svc: { action: 'allow' } });
      expect((await at(id, '', 'DELETE')).json.deleted).toBe(true);
    });

    test('is charged its upper bound, and its usage is recorded once, by the call that shows it', async () => {
      const { key, id: keyId } = await contract.createKey({ tokenLimit: { tokens: 100_000, period: 'day' } });
      const remaining = async () =>
        Number((await at('resp_x', '', 'GET', key)).headers.get('x-ratelimit-remaining-tokens'));
      contract.upstream.next({ text: 'Fine.' });
      const { json, headers } = await create({ ...background, max_output_tokens: 5_000 }, key);
      await contract.settledUsage(keyId);
      const charged = await remaining();
      expect(charged).toBeLessThan(95_000);
      const first = await polled(json.id, key);
      const second = await at(json.id, '', 'GET', key);
      expect(await remaining()).toBeGreaterThanOrEqual(charged);
      const ids = [headers, first.headers, second.headers].map((one) => one.get('x-request-id'));
      const { json: page } = await contract.settled(
        () => contract.analytics(`/requests?keyId=${keyId}&limit=100`),
        (reply) => ids.every((id) => reply.json?.data?.some((one: { id: string }) => one.id === id)),
      );
      const tokens = ids.map((id) => page.data.find((one: { id: string }) => one.id === id)?.tokens);
      const { input_tokens: input, output_tokens: output } = first.json.usage;
      expect(tokens).toEqual([
        { input: null, output: null },
        { input, output },
        { input: null, output: null },
      ]);
    });

    test.each([
      ['the provider does not respond in time', { failure: 'stall-before-head' }, {}, 504],
      ['its stream breaks off', { failure: 'reset-mid-stream', afterChunks: 1 }, { stream: true }, 200],
      ['the provider refuses it', { status: 400 }, {}, 400],
    ] as const)('is charged its upper bound, unless it is refused: %s', async (_, behaviour, more, status) => {
      const { key, id: keyId } = await contract.createKey({ tokenLimit: { tokens: 100_000, period: 'month' } });
      contract.upstream.next({ text: 'Fine.', ...behaviour });
      const asked = await ask({ model: GPT, input: 'Hi', ...background, max_output_tokens: 5_000, ...more }, key);
      expect(asked.status).toBe(status);
      await contract.settled(
        () => contract.analytics(`/requests?keyId=${keyId}`),
        (reply) => reply.json?.data?.length > 0,
      );
      const left = ({ headers }: Reply) => Number(headers.get('x-ratelimit-remaining-tokens'));
      await contract.settledUsage(keyId);
      const reply = await at('resp_x', '', 'GET', key);
      expect(left(reply) > 99_000).toBe(status === 400);
    });

    test('is not possible with `moderation`, or at a provider of another API', async () => {
      const scored = await ask({ model: GPT, input: 'Hi', ...background, moderation: 'score' });
      expectError(scored, 'invalid_value', 'moderation');
      expectError(
        await ask({ model: 'claude-sonnet-4-5', input: 'Hi', background: true }),
        'invalid_value',
        'background',
      );
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

// biome-ignore lint/suspicious/noExplicitAny: as it came
function withoutSvc(event: any): unknown {
  if (event.response === undefined) return event;
  const { svc: _, ...response } = event.response;
  return { ...event, response };
}
