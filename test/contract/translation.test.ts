import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type CallOptions, Contract } from './contract.ts';
import { startLocalProcess } from './local-process.ts';
import { GITHUB_TOKEN } from './planted-secret.ts';
import { parsed } from './reply.ts';
import { toResponseStream } from './responses-reply.ts';
import type { ProviderSettings } from './service.ts';

/** Anthropic first, then a server of OpenAI's protocol that has only chat completions: `mock` is the mock upstream. */
const ROUTES = [
  {
    models: 'mixed',
    targets: [{ provider: 'anthropic', model: 'claude-sonnet-4-5' }],
    fallbacks: [{ provider: 'steady', model: 'm' }],
  },
];
const settings = ({ OPENAI_BASE_URL }: ProviderSettings) => ({
  SVC_ROUTES: JSON.stringify(ROUTES),
  SVC_PROVIDERS: 'steady',
  STEADY_BASE_URL: OPENAI_BASE_URL,
});
const contract = new Contract((providers) => {
  const { SVC_ROUTES, ...more } = settings(providers);
  return startLocalProcess({ ...providers, ...more } as ProviderSettings, { SVC_ROUTES });
}, {});
let key: string;
beforeAll(async () => {
  await contract.start();
  key = await contract.newKey({ permissions: ['chat_completions', 'completions'] });
});
afterAll(() => contract.stop());
beforeEach(() => contract.upstream.reset());

const CLAUDE = 'claude-sonnet-4-5';
const GPT = 'gpt-4o-mini';
const STRICT = { headers: { 'x-svc-translation': 'strict' } };
const STREAM = { stream: true };
/** Three attempts at one target. */
const failFirstTarget = () => {
  for (let attempt = 0; attempt < 3; attempt += 1)
    contract.upstream.next({ status: 503, headers: { 'retry-after': '0' } });
};

interface Answer {
  readonly status: number;
  readonly count: string | null;
  readonly route: string | null;
  readonly text: string;
  /** Of a whole response, or of the event of a stream that has `svc`. */
  readonly warnings: readonly { readonly code: string; readonly field: string; readonly message: string }[] | undefined;
  /** The error's `param`. */
  readonly param: string | undefined;
}

async function ask(path: string, body: object, options: CallOptions = {}): Promise<Answer> {
  const base = path.startsWith('/v1beta') ? contract.service.baseUrl.replace(/\/v1$/, '') : contract.service.baseUrl;
  const { status, headers, text } = await fetch(`${base}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...options.headers },
    body: JSON.stringify(body),
  }).then(async (response) => ({ status: response.status, headers: response.headers, text: await response.text() }));
  const data = text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [parsed(line.slice(6))] : []));
  // biome-ignore lint/suspicious/noExplicitAny: four APIs' responses
  const all = (data.length > 0 ? data : [parsed(text)]) as any[];
  const [svc, ...more] = all.flatMap((one) => [one?.svc, one?.response?.svc].filter((found) => found !== undefined));
  expect(more).toEqual([]);
  const { error } = all[0] ?? {};
  return {
    status,
    count: headers.get('x-svc-warnings'),
    route: headers.get('x-svc-route'),
    text,
    warnings: svc?.warnings,
    param: error?.param ?? error?.details?.[0]?.metadata?.param,
  };
}

/** By API: a path, a model of another provider one of the same API, and a body with a field without an equivalent there. */
interface Caller {
  readonly path: (model: string, stream: boolean) => string;
  readonly other: string;
  readonly own?: string;
  readonly body: (model: string) => object;
  /** Fields with a warning. */
  readonly fields: readonly string[];
}
const CALLERS: Readonly<Record<string, Caller>> = {
  'chat completions': {
    path: () => '/chat/completions',
    other: CLAUDE,
    own: GPT,
    body: (model) => ({ model, messages: [{ role: 'user', content: 'Hi', x_new: 1 }], seed: 7, temperature: 1.5 }),
    fields: ['messages[0].x_new', 'seed', 'temperature'],
  },
  responses: {
    path: () => '/responses',
    other: CLAUDE,
    own: GPT,
    body: (model) => ({
      model,
      input: [{ role: 'user', content: 'Hi' }],
      metadata: { a: 'b' },
      text: { verbosity: 'low' },
    }),
    fields: ['metadata', 'text.verbosity'],
  },
  messages: {
    path: () => '/messages',
    other: GPT,
    own: CLAUDE,
    body: (model) => ({
      model,
      max_tokens: 50,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }] }],
      top_k: 5,
    }),
    fields: ['messages[0].content[0].cache_control', 'top_k'],
  },
  generateContent: {
    path: (model, stream) => `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    other: CLAUDE,
    body: () => ({
      contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
      generationConfig: { seed: 7, temperature: 1.5 },
      labels: { a: 'b' },
    }),
    fields: ['generationConfig.seed', 'generationConfig.temperature', 'labels'],
  },
  completions: {
    path: () => '/completions',
    other: CLAUDE,
    body: (model) => ({ model, prompt: 'Hi', max_tokens: 50, seed: 7 }),
    fields: ['seed'],
  },
};

describe.each(Object.entries(CALLERS))('a request for %s', (_, { path, other, own, body, fields }) => {
  const inStream = (model: string) => (path(model, true).includes('stream') ? {} : STREAM);

  test('for another provider has warnings, in the whole response and in the stream', async () => {
    for (const stream of [false, true]) {
      const answer = await ask(path(other, stream), { ...body(other), ...(stream && inStream(other)) });
      expect([answer.status, answer.count]).toEqual([200, String(fields.length)]);
      expect(answer.warnings?.map(({ field }) => field).sort()).toEqual([...fields].sort());
      for (const { code, field, message } of answer.warnings ?? []) {
        expect(code).toBe(field.endsWith('temperature') ? 'field_adjusted' : 'field_dropped');
        expect(message).toContain(`\`${field}\``);
      }
    }
  });

  test('for another provider is refused by a field without an equivalent if it is strict', async () => {
    for (const stream of [false, true]) {
      const answer = await ask(path(other, stream), { ...body(other), ...(stream && inStream(other)) }, STRICT);
      expect([answer.status, answer.count]).toEqual([400, null]);
      expect(fields).toContain(answer.param);
      expect(answer.text).toMatch(/strict|does not support/);
    }
    expect(contract.upstream.requests).toEqual([]);
  });

  test('has lenient translation by the header, in any case', async () => {
    const lenient = { headers: { 'x-svc-translation': 'Lenient' } };
    expect((await ask(path(other, false), body(other), lenient)).warnings).toHaveLength(fields.length);
  });

  if (own === undefined) return;
  test('for its own provider has no warnings, and strict changes nothing', async () => {
    for (const options of [{}, STRICT]) {
      for (const stream of [false, true]) {
        const sent = { ...body(own), ...(stream && inStream(own)) };
        const answer = await ask(path(own, stream), sent, options);
        expect([answer.status, answer.count, answer.warnings]).toEqual([200, null, undefined]);
        expect(JSON.parse(contract.sent.body)).toMatchObject(sent);
      }
    }
  });
});

describe('the header X-Svc-Translation', () => {
  test.each(['yes', 'strict, lenient', 'strictly'])('is refused with the value %s', async (value) => {
    const headers = { 'x-svc-translation': value };
    const { status, param } = await ask('/chat/completions', CALLERS['chat completions']?.body(GPT) ?? {}, { headers });
    expect([status, param]).toEqual([400, 'X-Svc-Translation']);
    expect(contract.upstream.requests).toEqual([]);
  });

  test('is lenient if it is empty', async () => {
    const headers = { 'x-svc-translation': '' };
    expect((await ask('/completions', CALLERS.completions?.body(CLAUDE) ?? {}, { headers })).status).toBe(200);
  });
});

describe('a fallback', () => {
  const body = { model: 'mixed', input: 'Hi', metadata: { a: 'b' }, temperature: 0.5, top_p: 0.5, user: 'u' };
  const fieldsOf = ({ warnings }: Answer) => warnings?.map(({ field }) => field);

  test.each([{}, STREAM])('has the warnings of the provider that responded: %j', async (stream) => {
    const first = await ask('/responses', { ...body, ...stream });
    expect([fieldsOf(first), first.count]).toEqual([['metadata', 'top_p'], '2']);
    failFirstTarget();
    const second = await ask('/responses', { ...body, ...stream });
    expect(second.route).toMatch(/, steady\/m$/);
    expect([second.status, fieldsOf(second), second.count]).toEqual([200, ['metadata'], '1']);
    expect(second.warnings?.[0]?.message).toContain('steady');
    expect(JSON.parse(contract.sent.body)).toMatchObject({ temperature: 0.5, top_p: 0.5, user: 'u' });
  });

  test('to a provider of the same API has no warnings', async () => {
    failFirstTarget();
    const chat = { model: 'mixed', messages: [{ role: 'user', content: 'Hi' }], seed: 7 };
    const answer = await ask('/chat/completions', chat);
    expect([answer.status, answer.warnings, answer.count]).toEqual([200, undefined, null]);
    expect(answer.route).toMatch(/, steady\/m$/);
  });

  test('with a field that changes the result goes only to providers that support it', async () => {
    const chat = { model: 'mixed', messages: [{ role: 'user', content: 'Hi' }], logprobs: true };
    expect((await ask('/chat/completions', chat)).route).toBe('steady/m');
    const strict = { model: 'mixed', messages: [{ role: 'user', content: 'Hi' }], x_new: 1 };
    expect((await ask('/chat/completions', strict, STRICT)).route).toBe('steady/m');
  });
});

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

test('no value of a dropped field is in a warning, a header, or the log', async () => {
  const planted = 'planted-value-5e1f';
  const answer = await ask('/chat/completions', {
    model: CLAUDE,
    messages: [{ role: 'user', content: 'Hi' }],
    x_new: planted,
    metadata: { a: planted },
  });
  expect(answer.warnings?.map(({ field }) => field)).toEqual(['x_new', 'metadata']);
  expect(answer.text).not.toContain(planted);
  expect(contract.service.logs()).not.toContain(planted);
});

test('many unknown fields have at most 50 warnings with short names', async () => {
  const names = Array.from({ length: 400 }, (_, at) => `${at}_${'x'.repeat(1_000)}`);
  const answer = await ask('/chat/completions', {
    model: CLAUDE,
    messages: [{ role: 'user', content: 'Hi' }],
    ...Object.fromEntries(names.map((name) => [name, 1])),
  });
  expect([answer.status, answer.count, answer.warnings?.length]).toEqual([200, '50', 50]);
  expect(JSON.stringify(answer.warnings).length).toBeLessThan(40_000);
});
