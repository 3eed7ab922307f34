import { describe, expect, test } from '@jest/globals';
import { GITHUB_TOKEN } from '../inspection/planted-secret.ts';
import { toResponseStream } from '../responses/responses-reply.ts';
import { ask, CLAUDE, contract, GPT, STREAM, STRICT } from './translation-setup.ts';

describe('custom tools and tools of a namespace', () => {
  const body = {
    model: CLAUDE,
    input: 'Go',
    stream: true,
    tools: [
      { type: 'custom', name: 'apply_patch' },
      { type: 'namespace', name: 'docs', description: 'd', tools: [{ type: 'function', name: 'search' }] },
    ],
  };
  const call = (name: string, value: object) => ({ id: `toolu_${name}`, name, arguments: JSON.stringify(value) });
  const send = async () =>
    toResponseStream(await contract.fetch('/responses', JSON.stringify(body), { key: contract.key }));

  test.each([1, 10_000])('are called by their names, with text as text: %i bytes at once', async (bytesPerWrite) => {
    const toolCalls = [call('apply_patch', { input: '*** Begin "é"\n' }), call('docs__search', { q: 1 })];
    contract.upstream.next({ text: 'Well', toolCalls, bytesPerWrite });
    const { faults, response } = await send();
    expect(faults).toEqual([]);
    expect(response.output).toMatchObject([
      { type: 'message' },
      { type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin "é"\n' },
      { type: 'function_call', name: 'search', namespace: 'docs', arguments: '{"q":1}' },
    ]);
    expect(JSON.parse(contract.sent.body).tools).toMatchObject([{ name: 'apply_patch' }, { name: 'docs__search' }]);
  });

  test('have their text inspected', async () => {
    contract.upstream.next({ toolCalls: [call('apply_patch', { input: `+ ${GITHUB_TOKEN}` })] });
    const { faults, response, text } = await send();
    expect([faults, response.status, response.svc.action]).toEqual([[], 'incomplete', 'block']);
    expect(text).not.toContain(GITHUB_TOKEN);
  });
});

describe('a tool whose name the provider does not take', () => {
  const NAME = `mcp__${'server-'.repeat(12)}.search`;
  const SENT = `${NAME.replace('.', '_').slice(0, 55)}_7e3e8075`;
  const ID = `call.${'x'.repeat(80)}`;
  const schema = { type: 'object', properties: {} };
  const CALLS: Readonly<Record<string, [path: (stream: boolean) => string, body: object]>> = {
    'chat completions': [
      () => '/chat/completions',
      {
        model: CLAUDE,
        tools: [{ type: 'function', function: { name: NAME, parameters: schema } }],
        tool_choice: { type: 'function', function: { name: NAME } },
        messages: [
          { role: 'user', content: 'Hi' },
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: ID, type: 'function', function: { name: NAME, arguments: '{}' } }],
          },
          { role: 'tool', tool_call_id: ID, content: 'done' },
        ],
      },
    ],
    responses: [
      () => '/responses',
      {
        model: CLAUDE,
        tools: [{ type: 'function', name: NAME, parameters: schema }],
        tool_choice: { type: 'function', name: NAME },
        input: [
          { role: 'user', content: 'Hi' },
          { type: 'function_call', call_id: ID, name: NAME, arguments: '{}' },
          { type: 'function_call_output', call_id: ID, output: 'done' },
        ],
      },
    ],
    messages: [
      () => '/messages',
      {
        model: GPT,
        max_tokens: 50,
        tools: [{ name: NAME, input_schema: schema }],
        tool_choice: { type: 'tool', name: NAME },
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: [{ type: 'tool_use', id: ID, name: NAME, input: {} }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: ID, content: 'done' }] },
        ],
      },
    ],
    generateContent: [
      (stream) => `/v1beta/models/${CLAUDE}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
      {
        tools: [{ functionDeclarations: [{ name: NAME, parametersJsonSchema: schema }] }],
        toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: [NAME] } },
        contents: [
          { role: 'user', parts: [{ text: 'Hi' }] },
          { role: 'model', parts: [{ functionCall: { id: ID, name: NAME, args: {} } }] },
          { role: 'user', parts: [{ functionResponse: { id: ID, name: NAME, response: { result: 'done' } } }] },
        ],
      },
    ],
  };

  test.each(Object.entries(CALLS))('has another name there, and its own here: %s', async (_, [path, body]) => {
    for (const stream of [false, true]) {
      contract.upstream.next({ toolCalls: [{ id: 'toolu_1', name: SENT, arguments: '{}' }] });
      const inBody = stream && !path(true).includes('stream') ? STREAM : {};
      const { status, text } = await ask(path(stream), { ...body, ...inBody });
      expect([status, text.includes(NAME), text.includes(SENT)]).toEqual([200, true, false]);
      const sent = contract.sent.body;
      expect([sent.split(SENT).length, sent.includes(NAME), sent.includes(ID)]).toEqual([4, false, false]);
    }
  });
});

describe('tools of a model that refuses them in chat completions', () => {
  const schema = { type: 'object', properties: { at: { type: 'string' } } };
  const messages = (model: string) => ({
    model,
    max_tokens: 500,
    system: 'Be brief.',
    thinking: { type: 'enabled', budget_tokens: 2048 },
    tools: [{ name: 'look', input_schema: schema }],
    messages: [
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Well' },
          { type: 'tool_use', id: 'a', name: 'look', input: {} },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'done' }] },
    ],
  });
  const gemini = {
    tools: [{ functionDeclarations: [{ name: 'look', parametersJsonSchema: schema }] }],
    contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
  };
  const lookCall = { id: 'call_1', name: 'look', arguments: '{"at":"sea"}' };

  test.each([false, true])('are sent to the Responses API for messages, streamed: %s', async (stream) => {
    for (const model of ['gpt-5.4', 'gpt-5.6-terra']) {
      contract.upstream.next({ text: 'Let me see', toolCalls: [lookCall] });
      const { status, text } = await ask('/messages', { ...messages(model), ...(stream && STREAM) });
      expect([status, contract.sent.path]).toEqual([200, '/v1/responses']);
      expect(text).toContain('"stop_reason":"tool_use"');
      expect(text).toMatch(stream ? /"partial_json":/ : /"input":\{"at":"sea"\}/);
      expect(text).toContain('"id":"call_1","name":"look"');
      expect(JSON.parse(contract.sent.body)).toMatchObject({
        model,
        store: false,
        reasoning: { effort: expect.any(String) },
        max_output_tokens: 500,
        tools: [{ type: 'function', name: 'look', parameters: schema, strict: false }],
        input: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: 'Well' },
          { type: 'function_call', call_id: 'a', name: 'look', arguments: '{}' },
          { type: 'function_call_output', call_id: 'a', output: 'done' },
        ],
      });
    }
  });

  test.each([false, true])('are sent to the Responses API for generateContent, streamed: %s', async (stream) => {
    contract.upstream.next({ toolCalls: [lookCall] });
    const method = stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
    const { status, text } = await ask(`/v1beta/models/gpt-5.6-terra:${method}`, gemini);
    expect([status, contract.sent.path]).toEqual([200, '/v1/responses']);
    expect(text).toContain('"args":{"at":"sea"}');
  });

  test('are forwarded unchanged in chat completions, and the refusal is passed on', async () => {
    const body = {
      model: 'gpt-5.6-terra',
      messages: [{ role: 'user', content: 'Hi' }],
      tools: [{ type: 'function', function: { name: 'look', parameters: schema } }],
    };
    const { status, param } = await ask('/chat/completions', body);
    expect([status, param, contract.sent.path]).toEqual([400, 'reasoning_effort', '/v1/chat/completions']);
    expect(contract.sent.body).toBe(JSON.stringify(body));
  });

  test('matter only if there are tools', async () => {
    const { tools: _, ...plain } = messages('gpt-5.6-terra');
    expect((await ask('/messages', { ...plain, messages: [{ role: 'user', content: 'Hi' }] })).status).toBe(200);
    expect(contract.sent.path).toBe('/v1/chat/completions');
  });
});

describe('a tool schema with alternatives at the top', () => {
  const kinds = ['name', 'id'].map((kind) => ({ properties: { kind: { const: kind }, [kind]: {} }, required: [kind] }));
  const schema = { anyOf: kinds };
  const CALLERS: readonly (readonly [string, (model: string) => string, (model: string) => object])[] = [
    [
      'chat completions',
      () => '/chat/completions',
      (model) => ({
        ...{ model, messages: [{ role: 'user', content: 'Hi' }] },
        tools: [{ type: 'function', function: { name: 'find', parameters: schema } }],
      }),
    ],
    [
      'responses',
      () => '/responses',
      (model) => ({ model, input: 'Hi', tools: [{ type: 'function', name: 'find', parameters: schema }] }),
    ],
    [
      'Gemini',
      (model) => `/v1beta/models/${model}:generateContent`,
      () => ({
        contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
        tools: [{ functionDeclarations: [{ name: 'find', parametersJsonSchema: schema }] }],
      }),
    ],
  ];

  test.each(CALLERS)('of %s reaches Claude as one object, with a warning or a refusal', async (_, path, body) => {
    const answer = await ask(path(CLAUDE), body(CLAUDE));
    expect(answer).toMatchObject({ status: 200, warnings: [expect.objectContaining({ code: 'field_adjusted' })] });
    expect(JSON.parse(contract.sent.body).tools[0].input_schema).toEqual({
      type: 'object',
      description: `(anyOf: ${JSON.stringify(kinds)})`,
      properties: { kind: { anyOf: [{ const: 'name' }, { const: 'id' }] }, name: {}, id: {} },
    });
    expect((await ask(path(CLAUDE), body(CLAUDE), STRICT)).status).toBe(400);
  });

  test('of Messages is passed on, refused by Claude, and reaches OpenAI as one object', async () => {
    const body = (model: string) => ({
      ...{ model, max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] },
      tools: [{ name: 'find', input_schema: { type: 'object', ...schema } }],
    });
    const refused = await ask('/messages', body(CLAUDE));
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('at the top level')]);
    expect((await ask('/messages', body('gpt-5.6-terra'))).status).toBe(200);
    expect((await ask('/messages', body(GPT))).status).toBe(200);
  });
});
