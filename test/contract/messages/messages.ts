import { describe, expect, test } from '@jest/globals';
import type { Contract } from '../contract.ts';
import { BLOCK, CLEAN, CUT, KEPT, LEAK } from '../example-texts.ts';
import { GITHUB_TOKEN } from '../inspection/planted-secret.ts';
import { UNSUSPICIOUS } from '../reply.ts';
import { type Event, expectGoodOrder, expectMessagesError } from './messages-reply.ts';
import { AT_MOST_THE_SESSION, CALLS, CLAUDE, GPT, messagesCalls, saying, TOOLS } from './messages-requests.ts';

/** Anthropic's Messages API, with Anthropic and with other providers. */
export function messagesContract(contract: Contract): void {
  const { ask, stream, recordOf } = messagesCalls(contract);

  describe.each([['echo'], [GPT], [CLAUDE]])('a message of %s', (model) => {
    test('is complete, with svc and the usual headers', async () => {
      const { status, json, headers } = await ask(saying('Good morning to you', model), {
        headers: { 'x-session-id': 'trip to Rome' },
      });
      expect(status).toBe(200);
      expect(json).toMatchObject({
        id: expect.stringMatching(/^msg_\w{20,}$/),
        type: 'message',
        role: 'assistant',
        model,
        content: [{ type: 'text', text: 'Good morning to you' }],
        stop_reason: 'end_turn',
        stop_sequence: null,
        svc: {
          threat_score: UNSUSPICIOUS,
          detected_threats: [],
          action: 'allow',
          request_id: headers.get('x-request-id'),
          session_id: 'trip to Rome',
          coverage: { input: ['messages[0]'], output: ['content[0]'], skipped: AT_MOST_THE_SESSION },
        },
      });
      expect([json.usage.input_tokens > 0, json.usage.output_tokens > 0]).toEqual([true, true]);
      expect(headers.get('request-id')).toBe(headers.get('x-request-id'));
      expect(headers.get('x-svc-session-id')).toBe('trip to Rome');
      expect(headers.get('x-ratelimit-limit-requests')).toBe('1000000');
      expect(Number(headers.get('x-svc-threat-score'))).toEqual(UNSUSPICIOUS);
    });

    test('is streamed as events, with svc in the one with the stop reason', async () => {
      const reply = await stream(saying('Good morning to you', model));
      expectGoodOrder(reply);
      expect(reply.blocks).toEqual(['Good morning to you']);
      expect(reply.events[0].message).toMatchObject({ id: expect.stringMatching(/^msg_/), model, content: [] });
      expect(reply.events.at(-2)).toMatchObject({
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: expect.any(Number) },
        svc: { action: 'allow', request_id: reply.headers.get('request-id') },
      });
      expect(reply.headers.get('x-ratelimit-limit-requests')).toBe('1000000');
    });

    test('is a refusal instead of an error, if the policy is set so', async () => {
      const key = await contract.newKey({ policy: { onBlock: 'refusal' } });
      const { status, json } = await ask(saying(BLOCK, model), { key });
      expect([status, json.stop_reason, json.svc.action]).toEqual([200, 'refusal', 'block']);
      const streamed = await stream(saying(BLOCK, model), { key });
      expectGoodOrder(streamed);
      expect(streamed.events.at(-2)).toMatchObject({ delta: { stop_reason: 'refusal' }, svc: { action: 'block' } });
    });
  });

  describe.each([[GPT], [CLAUDE]])('in a message of %s', (model) => {
    test('parallel tool calls arrive, whole and streamed', async () => {
      const expected = CALLS.map(({ id, name, arguments: text }) => ({ id, name, input: JSON.parse(text) }));
      contract.upstream.next({ text: 'Let me see.', toolCalls: CALLS });
      const { json } = await ask(saying('Hi', model, { tools: TOOLS, tool_choice: { type: 'any' } }));
      expect(json.content.slice(1)).toMatchObject(expected.map((call) => ({ type: 'tool_use', ...call })));
      expect(json.stop_reason).toBe('tool_use');
      contract.upstream.next({ text: 'Let me see.', toolCalls: CALLS });
      const reply = await stream(saying('Hi', model, { tools: TOOLS }));
      expectGoodOrder(reply);
      expect(reply.blocks.slice(1).map((text) => JSON.parse(text))).toEqual(expected.map(({ input }) => input));
      const begun = reply.events.filter(({ type }) => type === 'content_block_start').slice(1);
      expect(begun.map(({ content_block: { id, name } }) => [id, name])).toEqual(
        CALLS.map(({ id, name }) => [id, name]),
      );
      expect(reply.events.at(-2).delta.stop_reason).toBe('tool_use');
    });

    test('a secret is removed from text, and blocks a tool call, whole and streamed', async () => {
      const behaviour = {
        text: LEAK,
        toolCalls: [{ ...CALLS[0], id: 'toolu_1', name: 'push', arguments: JSON.stringify({ data: GITHUB_TOKEN }) }],
      };
      contract.upstream.next(behaviour);
      const { json } = await ask(saying('Hi', model));
      expect([json.content.map(({ text }: Event) => text), json.stop_reason]).toEqual([[CLEAN], 'refusal']);
      expect(json.svc.action).toBe('block');
      for (const bytesPerWrite of [1, 7, 10_000]) {
        contract.upstream.next({ ...behaviour, bytesPerWrite });
        const reply = await stream(saying('Hi', model));
        expectGoodOrder(reply);
        expect(reply.blocks).toEqual([CLEAN, '{"data":"']);
      }
    });

    test('a blocked text ends it as a refusal, and the text before stays', async () => {
      contract.upstream.next({ text: CUT, toolCalls: CALLS });
      const { json } = await ask(saying('Hi', model));
      expect(json).toMatchObject({
        content: [{ type: 'text', text: KEPT }],
        stop_reason: 'refusal',
        svc: { action: 'block' },
      });
      expect(json.content).toHaveLength(1);
      for (const behaviour of [{ text: CUT }, { pieces: [...CUT] }, { text: CUT, bytesPerWrite: 1 }]) {
        contract.upstream.next(behaviour);
        const reply = await stream(saying('Hi', model));
        expectGoodOrder(reply);
        expect(reply.blocks).toEqual([KEPT]);
        expect(reply.events.at(-2)).toMatchObject({
          delta: { stop_reason: 'refusal' },
          usage: { input_tokens: expect.any(Number), output_tokens: expect.any(Number) },
          svc: { action: 'block' },
        });
        expect(reply.text).not.toContain('no more');
      }
    });

    test('a marker is planted if the policy is set so, and never returned', async () => {
      const key = await contract.newKey({ policy: { canary: true } });
      for (const more of [{}, { system: 'Be brief.' }, { system: [{ type: 'text', text: 'Be brief.' }] }]) {
        contract.upstream.next({ leaksSystem: true });
        const { json, text } = await ask(saying('Hi', model, more), { key });
        const [marker = 'none'] = /(?<=\[ref )[a-z]{16}(?=\])/.exec(contract.sent.body) ?? [];
        expect(text).not.toContain(marker);
        expect(json.content[0].text).toContain('[ref [REDACTED_CANARY]]');
      }
    });

    test('personal data is hidden from the provider and restored in text and tool inputs', async () => {
      const key = await contract.newKey({ policy: { preset: 'strict' } });
      const text = 'Write to maria.keller@firma-nord.de.';
      const { json } = await ask(saying(text, model), { key });
      const [placeholder = 'none'] = /\[EMAIL_\d{5}\]/.exec(contract.sent.body) ?? [];
      expect(contract.sent.body).not.toContain('maria');
      expect(json.content[0].text).toBe(text);
      for (const bytesPerWrite of [1, 10_000]) {
        const to = JSON.stringify({ to: `x ${placeholder}` });
        contract.upstream.next({ toolCalls: [{ id: 'toolu_1', name: 'send', arguments: to }], bytesPerWrite });
        const reply = await stream(saying(text, model), { key });
        expect(JSON.parse(reply.blocks.at(-1) ?? '')).toEqual({ to: 'x maria.keller@firma-nord.de' });
      }
    });

    test.each([['reset-mid-stream'], ['end-mid-stream'], ['error-event'], ['garbage']] as const)(
      'a stream that breaks off (%s) ends in one error event',
      async (failure) => {
        contract.upstream.next({ text: 'One two three four', failure, afterChunks: model === CLAUDE ? 5 : 3 });
        const { events, status, headers } = await stream(saying('Hi', model));
        expect(status).toBe(200);
        expect(events.filter(({ type }) => type === 'error')).toEqual([events.at(-1)]);
        const overload = { type: 'overloaded_error', code: 'provider_overloaded' };
        const isOverload = failure === 'error-event' && model === CLAUDE;
        const meaning = isOverload ? overload : { type: 'api_error', code: 'provider_error' };
        expect(events.at(-1)).toEqual({
          type: 'error',
          error: { ...meaning, message: expect.stringMatching(/\S/) },
          request_id: headers.get('request-id'),
        });
        expect(events.some(({ type }) => type === 'message_stop')).toBe(false);
      },
    );

    test.each([
      [{ status: 401 }, 502, 'api_error', 'provider_error'],
      [{ status: 500 }, 502, 'api_error', 'provider_error'],
      [{ status: 529 }, 529, 'overloaded_error', 'provider_overloaded'],
      [{ failure: 'stall-before-head' }, 504, 'timeout_error', 'provider_timeout'],
      [{ status: 429 }, 429, 'rate_limit_error', 'rate_limit_exceeded'],
      [{ status: 422 }, 422, 'invalid_request_error', undefined],
    ] as const)('a provider that fails by %j is told as %i, %s', async (behaviour, status, type, code) => {
      for (const more of [{}, { stream: true }]) {
        // What may pass is tried again.
        for (let attempt = 0; attempt < 6; attempt += 1) contract.upstream.next(behaviour);
        const reply = await ask(saying('Hi', model, more));
        contract.upstream.reset();
        // Who has seen a provider fail five requests in a row leaves it alone; there may be two instances of a function.
        await Promise.all([ask(saying('Hi', model)), ask(saying('Hi', model))]);
        expectMessagesError(reply, status, type, code);
        expect(reply.headers.get('retry-after')).toBe(status === 429 ? '7' : null);
        expect(reply.headers.get('x-should-retry')).toBe(status === 504 ? 'false' : null);
        expect(reply.text).not.toContain('planted');
      }
    });
  });

  test('a message is stored with its record, texts, session and key', async () => {
    const { id, key } = await contract.createKey({ policy: { capture: 'full' } });
    const usage = { input_tokens: 7, cache_creation_input_tokens: 11, cache_read_input_tokens: 5, output_tokens: 3 };
    contract.upstream.next({ text: 'Fine.', usage });
    const body = saying('Periwinkle gramophone');
    const reply = await ask(body, { key, headers: { 'x-session-id': 'talk', 'x-end-user-id': 'ann' } });
    expect(reply.json.usage).toMatchObject(usage);
    expect(await recordOf(reply, id)).toMatchObject({
      route: '/v1/messages',
      model: CLAUDE,
      provider: 'anthropic',
      state: 'completed',
      status: 200,
      sessionId: 'talk',
      endUserId: 'ann',
      capture: 'full',
      tokens: { input: 23, output: 3 },
    });
    const kept = await contract.settled(
      () => contract.analytics(`/requests/${reply.headers.get('x-request-id')}/capture`),
      ({ status }) => status === 200,
    );
    expect(kept.json).toMatchObject({
      request: JSON.stringify(body),
      answer: [{ channel: 'content[0].text', text: 'Fine.' }],
    });
    contract.upstream.next({ text: CUT, usage });
    const cut = await stream(body, { key });
    expect(await recordOf(cut, id)).toMatchObject({
      state: 'blocked',
      tokens: { input: 23, output: expect.any(Number) },
    });
  });

  test('a repeated request gets the stored response for its Idempotency-Key', async () => {
    const options = { headers: { 'idempotency-key': `messages-${Math.random()}` } };
    const first = await ask(saying('Once', 'echo'), options);
    const again = await ask(saying('Once', 'echo'), options);
    expect([again.text, again.headers.get('x-svc-idempotent-replay')]).toEqual([first.text, 'true']);
    expectMessagesError(
      await ask(saying('Twice', 'echo'), options),
      409,
      'conflict_error',
      'idempotency_conflict',
      'Idempotency-Key',
    );
  });
}
