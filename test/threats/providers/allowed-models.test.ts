import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Contract, saying } from '../../contract/contract.ts';
import { startLocalProcess } from '../../contract/local-process.ts';
import { expectError, type Reply } from '../../contract/reply.ts';
import { WITHOUT_EVENTS } from '../../support/quick-start.ts';

/** Nothing listens there. */
const DEAD = 'http://127.0.0.1:9/v1';
const ROUTES = [
  {
    models: 'safe',
    targets: [{ provider: 'dead', model: 'llama' }],
    fallbacks: [
      { provider: 'anthropic', model: 'claude-haiku-4-5' },
      { provider: 'openai', model: 'gpt-4o-mini' },
    ],
  },
  {
    models: 'lots',
    targets: [
      { provider: 'lab', model: 'llama' },
      { provider: 'openai', model: 'gpt-4o-mini' },
    ],
  },
];

/** US dollars a million tokens. */
const PRICES = { 'lab/small': { input: 0.1, output: 0.1 }, 'lab/dear/large': { input: 50, output: 50 } };

/** The mock serves OpenAI, Anthropic, and the OpenAI-compatible servers `groq` and `lab`; `dead` is unreachable. */
const contract = new Contract((providers) => {
  const address = providers.OPENAI_BASE_URL;
  return startLocalProcess(providers, {
    SVC_ROUTES: JSON.stringify(ROUTES),
    SVC_MODEL_PRICES: JSON.stringify(PRICES),
    SVC_PROVIDERS: 'lab, dead',
    LAB_BASE_URL: address,
    DEAD_BASE_URL: DEAD,
    GROQ_API_KEY: 'planted',
    GROQ_BASE_URL: address,
    GEMINI_API_KEY: 'planted',
    GEMINI_BASE_URL: DEAD,
    ...WITHOUT_EVENTS,
  });
}, {});
beforeAll(() => contract.start());
afterAll(() => contract.stop());
beforeEach(() => contract.upstream.reset());

const PERMISSIONS = ['chat_completions', 'completions', 'embeddings', 'images', 'audio'];
const keyFor = (...allowedModels: string[]) => contract.newKey({ allowedModels, permissions: PERMISSIONS });
const asks = async (key: string, model: string): Promise<Reply> => contract.chat(saying('Hi', model), { key });
const routeOf = ({ headers }: Reply) => headers.get('x-svc-route');

function expectRefused(reply: Reply, param = 'model'): void {
  expectError(reply, 'insufficient_permissions', param);
  expect(contract.upstream.requests).toEqual([]);
}

describe('a pattern with a slash', () => {
  test.each([
    ['openai/*', 'gpt-4o', 'openai/gpt-4o'],
    ['openai/gpt-4*', 'gpt-4o', 'openai/gpt-4o'],
    ['openai/gpt-4o', 'openai/gpt-4o', 'openai/gpt-4o'],
    ['groq/openai/*', 'groq/openai/gpt-oss-120b', 'groq/openai/gpt-oss-120b'],
    ['*/gpt-4o', 'lab/gpt-4o', 'lab/gpt-4o'],
    ['*/*', 'lab/gpt-4o', 'lab/gpt-4o'],
  ])('admits the resolved provider and model: %s, %s', async (pattern, model, route) => {
    const reply = await asks(await keyFor(pattern), model);
    expect([reply.status, routeOf(reply)]).toEqual([200, route]);
  });

  test.each([
    ['openai/*', 'groq/openai/gpt-oss-120b'],
    ['openai/*', 'lab/openai/gpt-4o'],
    ['lab/*', 'gpt-4o'],
  ])('admits no other provider: %s, %s', async (pattern, model) =>
    expectRefused(await asks(await keyFor(pattern), model)),
  );
});

describe('a bare pattern', () => {
  test.each([
    ['gpt-4o-mini', 'gpt-4o-mini', 'openai/gpt-4o-mini'],
    ['gpt-*', 'openai/gpt-4o-mini', 'openai/gpt-4o-mini'],
  ])("admits the default provider's model: %s, %s", async (pattern, model, route) => {
    const reply = await asks(await keyFor(pattern), model);
    expect([reply.status, routeOf(reply)]).toEqual([200, route]);
  });

  test.each([
    ['gpt-4o-mini', 'lab/gpt-4o-mini'],
    ['gpt-*', 'groq/gpt-oss'],
    ['*', 'lab/anything'],
    ['a*b*b', 'lab/ab'],
  ])('admits no other provider: %s, %s', async (pattern, model) =>
    expectRefused(await asks(await keyFor(pattern), model)),
  );

  test('admits a route by its alias, with all of its targets', async () => {
    const reply = await asks(await keyFor('sa*'), 'safe');
    expect([reply.status, routeOf(reply)?.split(', ').at(-1)]).toEqual([200, 'anthropic/claude-haiku-4-5']);
  });
});

describe('the targets of a route', () => {
  test('are called only where they match, fallbacks included', async () => {
    const reply = await asks(await keyFor('dead/*', 'openai/*'), 'safe');
    const failed = 'dead/llama;provider_error';
    expect([reply.status, routeOf(reply)]).toEqual([200, [failed, failed, failed, 'openai/gpt-4o-mini'].join(', ')]);
  });

  test('that do not match are not selected at random', async () => {
    const key = await keyFor('openai/*');
    for (let round = 0; round < 10; round += 1) expect(routeOf(await asks(key, 'lots'))).toBe('openai/gpt-4o-mini');
  });

  test('are 403 if none matches', async () => expectRefused(await asks(await keyFor('groq/*'), 'safe')));
});

describe('every route', () => {
  const GEMINI = { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] };
  const CALLS: readonly [path: string, body: object][] = [
    ['/chat/completions', saying('Hi', 'lab/gpt-4o')],
    ['/responses', { model: 'lab/gpt-4o', input: 'Hi' }],
    ['/messages', { ...saying('Hi', 'lab/gpt-4o'), max_tokens: 9 }],
    ['/messages/count_tokens', saying('Hi', 'lab/gpt-4o')],
    ['/completions', { model: 'lab/gpt-4o', prompt: 'Hi' }],
    ['/embeddings', { model: 'lab/gpt-4o', input: 'Hi' }],
    ['/images/generations', { prompt: 'A cat' }],
    ['/images/edits', { prompt: 'A cat', images: [{ image_url: 'https://a.example/b.png' }] }],
    ['/audio/speech', { model: 'lab/gpt-4o', input: 'Hi', voice: 'alloy' }],
    [`/models/${encodeURIComponent('lab/gpt-4o')}:generateContent`, GEMINI],
  ];

  test.each(CALLS)('%s checks allowedModels', async (path, body) => {
    const { status, text } = await contract.call(path, JSON.stringify(body), { key: await keyFor('gpt-4o', 'sora*') });
    expect([path, status, contract.upstream.requests]).toEqual([path, 403, []]);
    expect(text).toContain('may not use the model');
  });

  test.each([
    ['/audio/transcriptions', 'file', { model: 'lab/gpt-4o' }],
    ['/audio/translations', 'file', { model: 'lab/gpt-4o' }],
    ['/images/edits', 'image', { model: 'lab/gpt-4o', prompt: 'A cat' }],
    ['/images/edits', 'image', { prompt: 'A cat' }],
  ])('%s checks allowedModels in a form', async (path, fileField, fields) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.set(fileField, new File(['RIFF'], 'a.wav', { type: 'audio/wav' }));
    const response = await fetch(`${contract.service.baseUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await keyFor('gpt-4o')}` },
      body: form,
    });
    expect([response.status, contract.upstream.requests]).toEqual([403, []]);
  });

  const CHAT = saying('Hi', 'lab/small');
  const DEAR = 'dear/large';
  const ASKED: readonly [path: string, param: string, body: object][] = [
    ['/chat/completions', 'models[1]', { ...CHAT, models: ['small', DEAR] }],
    ['/chat/completions', 'models', { ...CHAT, models: DEAR }],
    ['/chat/completions', 'Model', { ...CHAT, Model: DEAR }],
    ['/chat/completions', 'model\u017f[0]', { ...CHAT, model\u017f: [DEAR] }],
    ['/chat/completions', 'preset', { ...CHAT, preset: 'dear' }],
    ['/chat/completions', 'route', { ...CHAT, route: 'fallback' }],
    ['/chat/completions', 'plugins[0].models[0]', { ...CHAT, plugins: [{ id: 'web', models: [DEAR] }] }],
    ['/chat/completions', 'plugins[0].model', { ...CHAT, plugins: [{ id: 'web', model: DEAR }] }],
    [
      '/chat/completions',
      'plugins[0].allowed_models[0]',
      { ...CHAT, plugins: [{ id: 'auto-router', allowed_models: ['dear/*'] }] },
    ],
    ['/chat/completions', 'auto-router.allowed_models[0]', { ...CHAT, 'auto-router': { allowed_models: ['dear/*'] } }],
    ['/chat/completions', 'plugins[0].id', { ...CHAT, plugins: [{ id: 'fusion' }] }],
    ['/responses', 'tools[0].type', { model: 'lab/small', input: 'Hi', tools: [{ type: 'openrouter:advisor' }] }],
    [
      '/responses',
      'tools[0].parameters.analysis_models[0]',
      {
        model: 'lab/small',
        input: 'Hi',
        tools: [{ type: 'openrouter:web_search', parameters: { analysis_models: [DEAR] } }],
      },
    ],
    [
      '/responses',
      'input[0].tools[0].model',
      {
        model: 'lab/small',
        input: [{ type: 'additional_tools', tools: [{ type: 'image_generation', model: DEAR }] }, ...CHAT.messages],
      },
    ],
    ['/chat/completions', 'fallbacks[0]', { ...CHAT, fallbacks: [DEAR] }],
    ['/chat/completions', 'fallbacks[0].small[0]', { ...CHAT, fallbacks: [{ small: [DEAR] }] }],
    [
      '/chat/completions',
      'context_window_fallback_dict.small',
      { ...CHAT, context_window_fallback_dict: { small: DEAR } },
    ],
    ['/chat/completions', 'extra_body.models[0]', { ...CHAT, extra_body: { models: [DEAR] } }],
    [
      '/chat/completions',
      'providerOptions.gateway.models[0]',
      { ...CHAT, providerOptions: { gateway: { models: [DEAR] } } },
    ],
    [
      '/chat/completions',
      'compound_custom.models.answering_model',
      { ...CHAT, compound_custom: { models: { answering_model: DEAR } } },
    ],
    ['/chat/completions', 'lora_path', { ...CHAT, lora_path: DEAR }],
    [
      '/chat/completions',
      'data_sources[0].parameters.embedding_dependency.deployment_name',
      { ...CHAT, data_sources: [{ parameters: { embedding_dependency: { deployment_name: 'large' } } }] },
    ],
    ['/completions', 'models[0]', { model: 'lab/small', prompt: 'Hi', models: [DEAR] }],
    ['/embeddings', 'models[0]', { model: 'lab/small', input: 'Hi', models: [DEAR] }],
    ['/images/generations', 'models[0]', { model: 'lab/small', prompt: 'A cat', models: [DEAR] }],
    [
      '/images/edits',
      'models[0]',
      { model: 'lab/small', prompt: 'A cat', images: [{ image_url: 'https://a.example/b.png' }], models: [DEAR] },
    ],
    ['/audio/speech', 'fallbacks[0]', { model: 'lab/small', input: 'Hi', voice: 'alloy', fallbacks: [DEAR] }],
    [
      '/responses',
      'tools[0].model',
      { model: 'gpt-4o', input: 'Hi', tools: [{ type: 'image_generation', model: DEAR }] },
    ],
    [
      '/messages',
      '',
      { ...saying('Hi', 'claude-haiku-4-5'), max_tokens: 9, fallbacks: [{ model: 'claude-opus-4-1' }] },
    ],
    [
      '/messages',
      '',
      {
        ...saying('Hi', 'claude-haiku-4-5'),
        max_tokens: 9,
        tools: [{ type: 'advisor_20260301', name: 'advisor', model: 'claude-opus-4-1' }],
      },
    ],
    [
      `/models/${encodeURIComponent('lab/small')}:generateContent`,
      '',
      { ...GEMINI, generationConfig: { routingConfig: { manualMode: { modelName: DEAR } } } },
    ],
  ];

  test.each(ASKED)('%s checks further models in the body, %s', async (path, param, body) => {
    const key = await keyFor('gpt-4o', 'claude-haiku*', 'lab/small');
    const { status, json } = await contract.call(path, JSON.stringify(body), { key });
    expect([status, contract.upstream.requests]).toEqual([403, []]);
    if (param !== '') expect(json.error.param).toBe(param);
  });

  test.each([
    ['/audio/transcriptions', 'file'],
    ['/audio/translations', 'file'],
    ['/images/edits', 'image'],
  ])('%s checks further models in the form', async (path, fileField) => {
    const form = new FormData();
    form.set('model', 'lab/small');
    form.set('models[]', DEAR);
    if (fileField === 'image') form.set('prompt', 'A cat');
    form.set(fileField, new File(['RIFF'], 'a.wav', { type: 'audio/wav' }));
    const response = await fetch(`${contract.service.baseUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await keyFor('lab/small')}` },
      body: form,
    });
    expect([response.status, contract.upstream.requests]).toEqual([403, []]);
  });

  test("checks a preset in the model's name", async () =>
    expectRefused(await asks(await keyFor('lab/small*'), 'lab/small@preset/dear')));

  const schema = { type: 'object', properties: { model: { type: 'string' }, models: { type: 'array' } } };
  test.each([
    ['the models that the key may use', { models: ['small', 'small:free'], fallbacks: ['small'] }],
    ['a pattern that the key holds', { plugins: [{ id: 'auto-router', allowed_models: ['small:*'] }] }],
    ['no model', { plugins: [{ id: 'web' }], provider: { order: ['a'], allow_fallbacks: true }, models: null }],
    ['an argument called model', { tools: [{ type: 'function', function: { name: 'sell', parameters: schema } }] }],
    ['an answer in a form with a model', { response_format: { type: 'json_object', schema } }],
    ['metadata', { metadata: { model: 'T-1000' } }],
    ['the model of the moderation', { moderation: { model: 'omni-moderation-latest' } }],
  ])('lets through %s', async (_, more) => {
    const key = await keyFor('lab/small', 'lab/small:*');
    const { status } = await contract.call('/chat/completions', JSON.stringify({ ...CHAT, ...more }), { key });
    expect(status).toBe(200);
  });

  test('a key without a list may name any model', async () => {
    const { status } = await contract.chat({ ...CHAT, models: [DEAR], preset: 'dear' });
    expect(status).toBe(200);
  });
});

describe('a budget', () => {
  const small = 'lab/small';
  const askWith = async (more: object) => {
    const key = await contract.newKey({ budget: { usd: 0.001, period: 'day' } });
    return contract.call('/chat/completions', JSON.stringify({ ...saying('Hi', small), max_tokens: 100, ...more }), {
      key,
    });
  };

  test('admits by the most expensive model that the request names', async () => {
    expect((await askWith({})).status).toBe(200);
    expect((await askWith({ models: ['small'] })).status).toBe(200);
    const { status, json } = await askWith({ models: ['dear/large'] });
    expect([status, json.error.param]).toEqual([400, 'max_tokens']);
  });

  test('refuses a further model with an unknown price', async () => {
    const { status, json } = await askWith({ models: ['small', 'no/such'] });
    expect([status, json.error.param]).toEqual([400, 'models[1]']);
  });

  test('accepts eight further models, each counted once, so that a long list takes no time', async () => {
    const long = Array.from({ length: 20_000 }, (_, at) => `small-${at}`);
    const { status, json } = await askWith({ models: long, metadata: { note: 'word '.repeat(200_000) } });
    expect([status, json.error.param]).toEqual([400, 'models[8]']);
    expect((await askWith({ models: Array.from({ length: 20 }, () => 'small') })).status).toBe(200);
  });

  test('is charged for the most expensive model that could have responded', async () => {
    const key = await contract.newKey({ budget: { usd: 0.01, period: 'day' } });
    const body = JSON.stringify({ ...saying('Hi', small), max_tokens: 1, models: ['dear/large'] });
    for (let round = 0; round < 20; round += 1) await contract.call('/chat/completions', body, { key });
    expect((await contract.call('/chat/completions', body, { key })).status).toBe(429);
  });
});

describe('/models', () => {
  const idsFor = async (...patterns: string[]) => {
    const { json } = await contract.call('/models', undefined, { key: await keyFor(...patterns) });
    return (json.data as { id: string; owned_by: string }[]).map(({ id, owned_by }) => `${owned_by} ${id}`);
  };

  test('lists by the same rule', async () => {
    const openai = await idsFor('openai/*');
    expect(openai.length).toBeGreaterThan(3);
    expect(openai.filter((one) => !one.startsWith('openai gpt') && !/^openai [a-z]/.test(one))).toEqual([]);
    // Two routes have an alias for the same model.
    expect(await idsFor('gpt-4o-mini')).toEqual(['openai safe', 'openai lots', 'openai gpt-4o-mini']);
    const groq = await idsFor('groq/openai/*');
    expect(groq.every((one) => one.startsWith('groq groq/openai/'))).toBe(true);
    expect(groq.length).toBeGreaterThan(0);
    expect((await idsFor('*')).filter((one) => one.startsWith('groq '))).toEqual([]);
  });

  test('returns one by the same rule', async () => {
    const one = async (pattern: string, id: string) =>
      (await contract.call(`/models/${encodeURIComponent(id)}`, undefined, { key: await keyFor(pattern) })).status;
    expect(await one('openai/*', 'gpt-4o-mini')).toBe(200);
    expect(await one('openai/*', 'groq/openai/gpt-oss-120b')).toBe(404);
    expect(await one('groq/openai/*', 'groq/openai/gpt-oss-120b')).toBe(200);
  });
});
