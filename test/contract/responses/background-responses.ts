import { describe, expect, test } from '@jest/globals';
import type { Contract } from '../contract.ts';
import { CLEAN, CUT, KEPT, LEAK } from '../example-texts.ts';
import { GITHUB_TOKEN } from '../inspection/planted-secret.ts';
import { expectError, type Reply } from '../reply.ts';
import { toResponseStream } from './responses-reply.ts';
import { GPT, storedResponsesCalls, withoutSvc } from './stored-responses-requests.ts';

/** Background responses of OpenAI's Responses API. */
export function backgroundResponsesContract(contract: Contract): void {
  const { ask, create, at, streamOf, polled } = storedResponsesCalls(contract);

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
}
