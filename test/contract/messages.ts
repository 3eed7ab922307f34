import { describe, expect, test } from '@jest/globals';
import type { CallOptions, Contract } from './contract.ts';
import { type Event, expectGoodOrder, expectMessagesError, toMessageStream } from './messages-reply.ts';
import { GITHUB_TOKEN } from './planted-secret.ts';
import { type Reply, UNSUSPICIOUS } from './reply.ts';
import { PLANTED } from './service.ts';

const CLAUDE = 'claude-sonnet-4-5';
const GPT = 'gpt-4o-mini';
const BLOCK = 'SVC-TEST-BLOCK-7f3a';
const CUT = `All is well so far. ${BLOCK} And no more of it.`;
const KEPT = 'All is well so far. ';
const LEAK = `Take ${GITHUB_TOKEN} for it.`;
const CLEAN = 'Take [REDACTED_GITHUB_TOKEN] for it.';
const TOOLS = ['get_weather', 'get_time'].map((name) => ({ name, input_schema: { type: 'object', properties: {} } }));
const CALLS = [
  { id: 'toolu_1', name: 'get_weather', arguments: '{"city":"Rome","unit":"C"}' },
  { id: 'toolu_2', name: 'get_time', arguments: '{"zone":"Europe/Rome"}' },
];
/** Odd spacing, escapes, number forms and unknown fields: what a parser would lose on the way. */
const ODD =
  '{ "model" : "claude-sonnet-4-5",\n\t"messages":[ {"role":"user","content":[{"type":"text","text":"caf\\u00e9 \\/ \\ud83d\\ude00",' +
  '"cache_control":{"type":"ephemeral"} }]} ],"temperature":1.0, "top_k":12345678901234567890,' +
  '"x_new":{"b":1E3,"a":[ ]},"max_tokens":50 ,"\\u00e9":null}\n';

/** A request of one user message. */
function saying(content: string | object[], model = CLAUDE, more: object = {}): object {
  return { model, max_tokens: 500, messages: [{ role: 'user', content }], ...more };
}

/** The score of a session has 250 ms to be read, which a busy machine may take longer for. */
const AT_MOST_SESSION_SCORE = expect.not.arrayContaining([expect.stringMatching(/^(?!session score$)/)]);

/** Anthropic's Messages API, with Anthropic and with other providers. */
export function messagesContract(contract: Contract): void {
  const ask = (body: object | string, options?: CallOptions) =>
    contract.call('/messages', typeof body === 'string' ? body : JSON.stringify(body), options);
  const stream = async (body: object, options?: CallOptions) =>
    toMessageStream(await contract.fetch('/messages', JSON.stringify({ ...body, stream: true }), options));
  const count = (body: object, options?: CallOptions) =>
    contract.call('/messages/count_tokens', JSON.stringify(body), options);
  const recordOf = async (reply: { headers: Headers }, keyId: string) => {
    const id = reply.headers.get('x-request-id');
    const found = ({ json }: Reply) => json.data?.find((record: { id: string }) => record.id === id);
    const ask = () => contract.analytics(`/requests?keyId=${keyId}`);
    return found(await contract.settled(ask, (reply) => found(reply) !== undefined));
  };

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
          coverage: { input: ['messages[0]'], output: ['content[0]'], skipped: AT_MOST_SESSION_SCORE },
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

  describe('between the caller and Anthropic', () => {
    test('a body passes byte by byte, streamed or not', async () => {
      expect((await ask(ODD)).status).toBe(200);
      expect(contract.sent).toMatchObject({ path: '/v1/messages', body: ODD });
      const streamed = ODD.replace('"temperature"', '"stream":true, "temperature"');
      await ask(streamed);
      expect(contract.sent.body).toBe(streamed);
    });

    test("only a provider's prefix, our fields and redacted text change", async () => {
      await ask(ODD.replace('"claude', '"anthropic/claude'));
      expect(contract.sent.body).toBe(ODD);
      await ask(
        ODD.replace('"temperature"', '"svc":{"a":1}, "temperature"').replace('{"b":', '{"moderation":"score","b":'),
      );
      expect(contract.sent.body).toBe(ODD.replace('{"b":', '{"moderation":"score","b":'));
      const key = await contract.newKey({ policy: { input: { secret: { action: 'redact' } } } });
      await ask(ODD.replace('caf\\u00e9', GITHUB_TOKEN), { key });
      expect(contract.sent.body).toMatch(/"text":"\[REDACTED_GITHUB_TOKEN\] \/ \S+",/);
    });

    test("only Anthropic's headers of the caller pass", async () => {
      const headers = {
        'anthropic-version': '2024-01-01',
        'anthropic-beta': 'mcp-client-2025-11-20,interleaved-thinking-2025-05-14',
        'anthropic-workspace-id': 'wrkspc_7',
        'x-end-user-id': 'u-7',
        cookie: 'a=b',
        'user-agent': 'their-own/1',
        'x-stainless-lang': 'js',
      };
      await contract.call('/messages', JSON.stringify(saying('Hi')), {
        key: '',
        headers: { ...headers, 'x-api-key': contract.key },
      });
      const { headers: sent } = contract.sent;
      expect(sent).toMatchObject({
        'x-api-key': PLANTED.anthropicKey,
        'anthropic-version': '2024-01-01',
        'anthropic-beta': headers['anthropic-beta'],
      });
      expect(JSON.stringify(sent)).not.toMatch(/svc_sk_|u-7|cookie|their-own|stainless|wrkspc/i);
      await ask(saying('Hi'));
      expect(contract.sent.headers['anthropic-version']).toBe('2023-06-01');
      expect(contract.sent.headers['anthropic-beta']).toBeUndefined();
      const bad = await ask(saying('Hi'), { headers: { 'anthropic-beta': 'x'.repeat(5_000) } });
      expectMessagesError(bad, 400, 'invalid_request_error', 'invalid_value', 'anthropic-beta');
    });

    test('unknown fields of the response are returned, in JSON with their exact numbers', async () => {
      const raw =
        '{ "id":"msg_1","type":"message","role":"assistant","model":"m","x_big":12345678901234567890,' +
        '"content":[ {"type":"text","text":"Hi","x_note":[1.0]},{"type":"hologram","x":1E3}],"stop_reason":"end_turn"}';
      contract.upstream.next({ raw });
      const { text } = await ask(saying('Hi'));
      expect(text.replace(/,"svc":\{.*\}\}$/, '}')).toBe(raw);
    });

    test('unknown fields and events of a stream are returned', async () => {
      const events = [
        '{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":3,"output_tokens":1,"x":1.0}}}',
        '{"type":"aside","x_big":12345678901234567890}',
        '{"type":"content_block_start","index":0,"content_block":{"type":"hologram"},"x":[ 1.0 ]}',
        '{"type":"content_block_delta","index":0,"delta":{"type":"light_delta","light":"blue"}}',
        '{"type":"content_block_stop","index":0}',
        '{"type":"message_delta","delta":{"stop_reason":"pause_turn","stop_sequence":null},"usage":{"output_tokens":2}}',
        '{"type":"message_stop"}',
      ];
      contract.upstream.next({
        raw: events.map((json) => `event: ${JSON.parse(json).type}\ndata: ${json}\n\n`).join(''),
      });
      const { text } = await stream(saying('Hi'));
      for (const json of events) expect(text.replace(/,"svc":\{.*\}\}/, '}')).toContain(`data: ${json}\n\n`);
    });

    test('thinking and its signature pass unchanged both ways, and findings in them are reported', async () => {
      const thinking = { type: 'thinking', thinking: `So ${LEAK}`, signature: 'c2lnbmF0dXJl' };
      const redacted = { type: 'redacted_thinking', data: 'ZW5jcnlwdGVk' };
      const text = { type: 'text', text: 'Fine.' };
      const past = [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: [thinking, redacted, text] },
        { role: 'user', content: 'On.' },
      ];
      const key = await contract.newKey({ policy: { input: { secret: { action: 'block' } } } });
      const whole = {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [thinking, redacted, text],
        stop_reason: 'end_turn',
        stop_sequence: null,
        usage: { input_tokens: 1, output_tokens: 1 },
      };
      contract.upstream.next({ raw: JSON.stringify(whole) });
      const body = JSON.stringify({ model: CLAUDE, max_tokens: 5, messages: past });
      const { json } = await ask(body, { key });
      expect(contract.sent.body).toBe(body);
      expect(json.content).toEqual(whole.content);
      expect(json.svc.action).toBe('flag');
      const fields = json.svc.detected_threats.map(({ location }: Event) => location.field);
      expect(fields).toEqual(['messages[1].content[0].thinking', 'content[0].thinking']);

      const events = [
        { type: 'message_start', message: { ...whole, content: [], stop_reason: null } },
        { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
        ...[...thinking.thinking].map((letter) => ({
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'thinking_delta', thinking: letter },
        })),
        { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: thinking.signature } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 2 } },
        { type: 'message_stop' },
      ];
      contract.upstream.next({
        raw: events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
      });
      const reply = await stream(saying('Hi'));
      expectGoodOrder(reply);
      expect(reply.events.slice(0, -2)).toEqual(events.slice(0, -2));
      expect(reply.events.at(-2).svc).toMatchObject({ action: 'flag' });
    });
  });

  describe('to a provider of another protocol', () => {
    test('a conversation is sent completely', async () => {
      const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } };
      const messages = [
        { role: 'user', content: [{ type: 'text', text: 'Look', cache_control: { type: 'ephemeral' } }, image] },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I do.' },
            { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { city: 'Rome' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', is_error: true, content: 'No network' },
            { type: 'text', text: 'And now?' },
          ],
        },
      ];
      const tool_choice = { type: 'tool', name: 'get_time', disable_parallel_tool_use: true };
      const more = {
        system: 'Be brief.',
        tools: TOOLS,
        tool_choice,
        stop_sequences: ['END'],
        temperature: 0.5,
        metadata: { user_id: 'u-1' },
      };
      await ask({ model: GPT, max_tokens: 99, messages, ...more });
      expect(contract.sent.path).toBe('/v1/chat/completions');
      expect(contract.sent.json).toEqual({
        model: GPT,
        messages: [
          { role: 'system', content: 'Be brief.' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Look' },
              { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
            ],
          },
          {
            role: 'assistant',
            content: 'I do.',
            tool_calls: [
              { id: 'toolu_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Rome"}' } },
            ],
          },
          {
            role: 'tool',
            tool_call_id: 'toolu_1',
            content: [
              { type: 'text', text: 'The tool failed:' },
              { type: 'text', text: 'No network' },
            ],
          },
          { role: 'user', content: 'And now?' },
        ],
        tools: TOOLS.map(({ name, input_schema }) => ({
          type: 'function',
          function: { name, parameters: input_schema },
        })),
        tool_choice: { type: 'function', function: { name: 'get_time' } },
        parallel_tool_calls: false,
        stop: ['END'],
        temperature: 0.5,
        max_completion_tokens: 99,
        user: 'u-1',
      });
    });

    test.each<[string, object]>([
      ['thinking', saying('Hi', GPT, { thinking: { type: 'enabled', budget_tokens: 1024 } })],
      ['top_k', saying('Hi', GPT, { top_k: 5 })],
      ['tools[0]', saying('Hi', GPT, { tools: [{ type: 'web_search_20260318', name: 'web_search' }] })],
    ])('what only tunes the response is dropped with a warning: %s', async (field, body) => {
      const { status, json } = await ask(body);
      expect([status, json.svc.warnings]).toMatchObject([200, [{ code: 'field_dropped', field }]]);
    });

    test.each<[string, object]>([
      ['tools[0]', saying('Hi', GPT, { tools: [{ type: 'bash_20250124', name: 'bash' }] })],
      ['container', saying('Hi', GPT, { container: 'c' })],
      [
        'messages[0].content[1].context',
        saying(
          [
            { type: 'text', text: 'a' },
            { type: 'document', context: 'c', source: { type: 'text', media_type: 'text/plain', data: 'd' } },
          ],
          GPT,
        ),
      ],
    ])('what changes the result and has no place there is refused by its name: %s', async (param, body) => {
      const before = contract.upstream.requests.length;
      expectMessagesError(await ask(body), 400, 'invalid_request_error', 'invalid_value', param);
      expect(contract.upstream.requests).toHaveLength(before);
    });

    test('default values are left out without a warning', async () => {
      const { status, json } = await ask(saying('Hi', GPT, { service_tier: 'auto', thinking: { type: 'disabled' } }));
      expect([status, json.svc.warnings]).toEqual([200, undefined]);
    });
  });

  describe("errors are in Anthropic's format", () => {
    test.each<[number, string, string, string | undefined, object | string]>([
      [
        400,
        'invalid_request_error',
        'missing_field',
        'max_tokens',
        { model: CLAUDE, messages: [{ role: 'user', content: 'Hi' }] },
      ],
      [400, 'invalid_request_error', 'invalid_json', undefined, '{"model": "a", "model": "b"}'],
      [400, 'invalid_request_error', 'unknown_provider', 'model', saying('Hi', 'nobody/x')],
      [404, 'not_found_error', 'model_not_found', 'model', saying('Hi', 'no-such-model')],
    ])('%i %s, %s', async (status, type, code, param, body) => {
      expectMessagesError(await ask(body), status, type, code, param);
    });

    test('a blocked request, with svc, and not to be repeated', async () => {
      const before = contract.upstream.requests.length;
      for (const more of [{}, { stream: true }]) {
        const body = saying(
          [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: BLOCK }] }],
          CLAUDE,
          more,
        );
        const reply = await ask(body);
        expectMessagesError(
          reply,
          400,
          'invalid_request_error',
          'content_filter',
          'messages[0].content[0].content[0].text',
        );
        expect(reply.json.svc).toMatchObject({
          action: 'block',
          detected_threats: [{ location: { part: 'input', message: 0 } }],
        });
        expect(reply.headers.get('x-should-retry')).toBe('false');
      }
      expect(contract.upstream.requests).toHaveLength(before);
    });

    test('keys: missing, without the permission, for other models, used up', async () => {
      expectMessagesError(await ask(saying('Hi'), { key: '' }), 401, 'authentication_error', 'invalid_api_key');
      const other = await contract.newKey({ permissions: ['embeddings'] });
      expectMessagesError(await ask(saying('Hi'), { key: other }), 403, 'permission_error', 'insufficient_permissions');
      const limited = await contract.newKey({ allowedModels: ['gpt-*'] });
      expectMessagesError(
        await ask(saying('Hi'), { key: limited }),
        403,
        'permission_error',
        'insufficient_permissions',
        'model',
      );
      const spent = await contract.newKey({ rateLimit: { requests: 1, period: 'month' } });
      expect((await ask(saying('Hi', 'echo'), { key: spent })).status).toBe(200);
      const refused = await ask(saying('Hi', 'echo'), { key: spent });
      expectMessagesError(refused, 429, 'rate_limit_error', 'rate_limit_exceeded');
      expect(refused.json.error.details).toMatchObject({ limit: 1, remaining: 0 });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    });

    test('paths and methods', async () => {
      const get = await contract.call('/messages', undefined);
      expectMessagesError(get, 405, 'invalid_request_error', 'method_not_allowed');
      expect(get.headers.get('allow')).toBe('POST');
      expectMessagesError(await contract.call('/messages/batches', '{}'), 404, 'not_found_error', 'not_found');
      const form = await ask('a=b', { headers: { 'content-type': 'application/x-www-form-urlencoded' } });
      expectMessagesError(form, 415, 'invalid_request_error', 'unsupported_media_type');
    });

    contract.testOf('its own size limit', 'a body that is too large', async () => {
      const reply = await ask(saying('x'.repeat(6 * 1024 * 1024)));
      expectMessagesError(reply, 413, 'request_too_large', 'request_too_large');
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

  describe('a count of tokens', () => {
    const counted = (content: string, model = CLAUDE, more: object = {}) => ({
      model,
      messages: [{ role: 'user', content }],
      ...more,
    });

    test('is requested from Anthropic with exactly the same body, and returned with svc', async () => {
      const { max_tokens: _, ...odd } = JSON.parse(ODD) as Record<string, unknown>;
      const body = JSON.stringify(odd, null, 1);
      const headers = { 'anthropic-beta': 'token-counting-2024-11-01' };
      const { status, json, headers: told } = await contract.call('/messages/count_tokens', body, { headers });
      expect(contract.sent).toMatchObject({ path: '/v1/messages/count_tokens', body, headers });
      expect([status, json]).toEqual([
        200,
        {
          input_tokens: Math.ceil(Buffer.byteLength(body) / 4),
          svc: expect.objectContaining({
            action: 'allow',
            coverage: { input: ['messages[0]'], output: [], skipped: [] },
          }),
        },
      ]);
      expect(told.get('request-id')).toBe(told.get('x-request-id'));
    });

    test('equals that of the message, from echo', async () => {
      const body = counted('Good morning, dear Anna!', 'echo', { system: 'Be brief.' });
      const { json } = await count(body);
      expect(json.input_tokens).toBe((await ask({ ...body, max_tokens: 5 })).json.usage.input_tokens);
      expect((await count(body)).json.input_tokens).toBe(json.input_tokens);
    });

    test('is refused for a provider without it, and for an invalid or blocked request', async () => {
      expectMessagesError(await count(counted('Hi', GPT)), 400, 'invalid_request_error', 'invalid_value', 'model');
      expectMessagesError(await count({ model: CLAUDE }), 400, 'invalid_request_error', 'missing_field', 'messages');
      // There are no words for a refusal in a count.
      const key = await contract.newKey({ policy: { onBlock: 'refusal' } });
      for (const options of [{}, { key }]) {
        const blocked = await count(counted(BLOCK), options);
        expectMessagesError(blocked, 400, 'invalid_request_error', 'content_filter', 'messages[0].content');
        expect(blocked.json.svc.action).toBe('block');
      }
      expectMessagesError(
        await contract.call('/messages/count_tokens', undefined),
        405,
        'invalid_request_error',
        'method_not_allowed',
      );
      expectMessagesError(await count(counted('Hi'), { key: '' }), 401, 'authentication_error', 'invalid_api_key');
      for (const raw of ['{}', '[]', '<html>']) {
        contract.upstream.next({ raw });
        expectMessagesError(await count(counted('Hi')), 502, 'api_error', 'provider_error');
      }
    });

    test('counts as a request, and uses no tokens', async () => {
      const tokenLimit = { tokens: 1_000, period: 'month' };
      const { id, key } = await contract.createKey({ rateLimit: { requests: 2, period: 'month' }, tokenLimit });
      const reply = await count(counted('far more than the limit '.repeat(2_000)), { key });
      expect(reply.status).toBe(200);
      expect(reply.headers.get('x-ratelimit-remaining-requests')).toBe('1');
      expect(await recordOf(reply, id)).toMatchObject({
        route: '/v1/messages/count_tokens',
        state: 'completed',
        tokens: { input: 0, output: 0 },
      });
      const next = await count(counted('Hi'), { key });
      expect(next.headers.get('x-ratelimit-remaining-tokens')).toBe('1000');
      expectMessagesError(await count(counted('Hi'), { key }), 429, 'rate_limit_error', 'rate_limit_exceeded');
    });
  });
}
