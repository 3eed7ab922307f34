import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Contract } from './contract.ts';
import { startLocalProcess } from './local-process.ts';

type Json = Record<string, unknown>;

/** All providers at one address, by path. Each responds with the next body: JSON, or the events of a stream. */
let answer: Json | readonly Json[] = {};
const sent: Json[] = [];
const server = createServer(async (request, response) => {
  if (request.method === 'POST') sent.push(JSON.parse(await text(request)));
  const isStream = Array.isArray(answer);
  response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
  if (!isStream) return response.end(JSON.stringify(answer));
  for (const event of answer as readonly Json[]) {
    const name = typeof event.type === 'string' ? `event: ${event.type}\n` : '';
    response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
  }
  response.end(sent.at(-1)?.stream === true && !JSON.stringify(answer).includes('"type"') ? 'data: [DONE]\n\n' : '');
});

const contract = new Contract((providers) => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return startLocalProcess(providers, {
    ...{ OPENAI_API_KEY: 'planted-openai', OPENAI_BASE_URL: `${url}/openai/v1` },
    ...{ ANTHROPIC_API_KEY: 'planted-anthropic', ANTHROPIC_BASE_URL: url },
    ...{ GEMINI_API_KEY: 'planted-gemini', GEMINI_BASE_URL: url },
    ...{ XAI_API_KEY: 'planted-xai', XAI_BASE_URL: `${url}/xai/v1` },
    ...{ OPENROUTER_API_KEY: 'planted-openrouter', OPENROUTER_BASE_URL: `${url}/openrouter/v1` },
    ...{ DEEPSEEK_API_KEY: 'planted-deepseek', DEEPSEEK_BASE_URL: `${url}/deepseek/v1` },
    ...{ MISTRAL_API_KEY: 'planted-mistral', MISTRAL_BASE_URL: `${url}/mistral/v1` },
  });
}, {});
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  await contract.start();
});
afterAll(async () => {
  await contract.stop();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  sent.length = 0;
});

const EVERY = ['chat_completions'];
const hi = [{ role: 'user', content: 'Hi' }];
const completion = (usage: Json, fields: Json = {}) => ({
  ...{ id: 'c-1', object: 'chat.completion', created: 1, model: 'm' },
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  ...{ usage, ...fields },
});
const chunks = (usage: Json, fields: Json = {}) => {
  const head = { id: 'c-1', object: 'chat.completion.chunk', created: 1, model: 'm', ...fields };
  return [
    { ...head, choices: [{ index: 0, delta: { role: 'assistant', content: 'Hello' }, finish_reason: null }] },
    { ...head, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { ...head, choices: [], usage },
  ];
};
const message = (usage: Json) => ({
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn', stop_sequence: null },
  ...{ content: [{ type: 'text', text: 'Hello' }], usage },
});
const messageEvents = (usage: Json) => [
  { type: 'message_start', message: { ...message(usage), content: [], stop_reason: null } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage },
  { type: 'message_stop' },
];

interface Made {
  readonly status: number;
  readonly json: Json;
  readonly record: Json;
}

/** One request with its record. */
async function made(path: string, body: Json, fields: Json = {}): Promise<Made> {
  const { id, key } = await contract.createKey({ permissions: EVERY, ...fields });
  const reply = await contract.call(path, JSON.stringify(body), { key });
  const { json } = await contract.settled(
    () => contract.analytics(`/requests?keyId=${id}`),
    ({ json }) => json.data.length > 0,
  );
  return { status: reply.status, json: reply.json as Json, record: json.data[0] };
}

/** What a request takes from its key's budget. Settlements are background tasks. */
async function spent(
  path: string,
  body: Json,
  usd = 1,
  permissions = EVERY,
): Promise<{ status: number; spentUsd: number }> {
  const { id, key } = await contract.createKey({ permissions, budget: { usd, period: 'month' } });
  const { status } = await contract.call(path, JSON.stringify(body), { key });
  await contract.settled(
    () => contract.analytics(`/requests?keyId=${id}`),
    ({ json }) => json.data.length > 0,
  );
  const { json } = await contract.settledUsage(id);
  return { status, spentUsd: usd - json.budget.remainingUsd };
}

describe('what a request costs', () => {
  const CACHED = {
    ...{ input_tokens: 2_048, cache_read_input_tokens: 1_800, cache_creation_input_tokens: 248, output_tokens: 503 },
    cache_creation: { ephemeral_5m_input_tokens: 148, ephemeral_1h_input_tokens: 100 },
  };
  // Claude Sonnet 4.5: 3 dollars of input, 0.30 read, 3.75 and 6 written, 15 of output.
  const CACHED_USD = (2_048 * 3 + 1_800 * 0.3 + 148 * 3.75 + 100 * 6 + 503 * 15) / 1e6;
  const claude = (fields: Json = {}) => ({ model: 'claude-sonnet-4-5', max_tokens: 100, messages: hi, ...fields });

  test.each([
    ['whole', {}, message(CACHED)],
    ['a stream', { stream: true }, messageEvents(CACHED)],
  ])('has cache writes of an hour at their price, %s', async (_, fields, reply) => {
    answer = reply;
    const { record } = await made('/messages', claude(fields));
    expect(record.costUsd).toBeCloseTo(CACHED_USD, 9);
    expect(record.tokens).toMatchObject({ input: 4_096, cacheWriteInput: 248, cacheWriteInputHour: 100 });
    expect(record).not.toHaveProperty('unknownCharges');
  });

  test.each([
    ['whole', {}, message],
    ['a stream', { stream: true }, messageEvents],
  ])('has the fee of each search, %s', async (_, fields, reply) => {
    answer = reply({ input_tokens: 1_000, output_tokens: 10, server_tool_use: { web_search_requests: 3 } });
    const { record } = await made('/messages', claude(fields));
    expect(record.costUsd).toBeCloseTo(0.003 + 0.000_15 + 0.03, 9);
    expect(record.searchCostUsd).toBeCloseTo(0.03, 9);
    expect(record.tokens).toMatchObject({ searches: 3 });
  });

  test('of a stream that is cut has the searches that came', async () => {
    const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} };
    answer = [
      { type: 'message_start', message: { ...message({ input_tokens: 10, output_tokens: 1 }), content: [] } },
      { type: 'content_block_start', index: 0, content_block: search },
      { type: 'content_block_stop', index: 0 },
    ];
    const { record } = await made('/messages', claude({ stream: true }));
    expect(record.tokens).toMatchObject({ searches: 1 });
    expect(record.costUsd).toBeGreaterThanOrEqual(0.01);
  });

  test.each([
    ['fast mode', 'claude-opus-5-5', { speed: 'fast' }, 2],
    ['inference in one country', 'claude-opus-5-5', { inference_geo: 'us' }, 1.1],
    ['a batch', 'claude-opus-5-5', { service_tier: 'batch' }, 0.5],
  ])('is multiplied by %s', async (_, model, terms, factor) => {
    answer = message({ input_tokens: 1_000, output_tokens: 100, ...terms });
    const { record } = await made('/messages', claude({ model }));
    expect(record.costUsd).toBeCloseTo(((1_000 * 4 + 100 * 20) / 1e6) * factor, 9);
  });

  const TIERS: readonly (readonly [string, string, Json, number, string[] | undefined])[] = [
    ['flex', 'gpt-5-mini', { service_tier: 'flex' }, 0.5, undefined],
    ['priority', 'gpt-5-mini', { service_tier: 'priority' }, 1.8, undefined],
    ['a tier that is not known', 'gpt-5-mini', { service_tier: 'scale' }, 1, ['serviceTier']],
  ];
  test.each(TIERS)('is that of the tier that served it: %s', async (_, model, fields, factor, unknown) => {
    const usage = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 };
    const usd = ((1_000 * 0.25 + 100 * 2) / 1e6) * factor;
    answer = completion(usage, fields);
    const whole = await made('/chat/completions', { model, messages: hi });
    answer = chunks(usage, fields);
    const streamed = await made('/chat/completions', { model, messages: hi, stream: true });
    for (const { record } of [whole, streamed]) {
      expect(record.costUsd).toBeCloseTo(usd, 9);
      expect(record.unknownCharges).toEqual(unknown);
    }
  });

  test.each([
    ['web_search', 0.01],
    ['web_search_preview', 0.01],
  ])("has the fee of OpenAI's %s in the Responses API", async (type, fee) => {
    const search = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'q' } };
    const opened = { ...search, id: 'ws_2', action: { type: 'open_page', url: 'https://example.com' } };
    const part = { type: 'output_text', text: 'Hello', annotations: [] };
    const said = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [part] };
    const output = [search, opened, said];
    const usage = { input_tokens: 1_000, output_tokens: 100, total_tokens: 1_100 };
    const response = {
      id: 'resp_1',
      object: 'response',
      model: 'gpt-5-mini',
      status: 'completed',
      output,
      tools: [{ type }],
    };
    const body = { model: 'gpt-5-mini', input: 'Hi', tools: [{ type }] };
    answer = { ...response, usage };
    const whole = await made('/responses', body);
    answer = [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      ...output.map((item, output_index) => ({ type: 'response.output_item.done', output_index, item })),
    ];
    const cut = await made('/responses', { ...body, stream: true });
    answer = [...(answer as Json[]), { type: 'response.completed', response: { ...response, usage } }];
    const streamed = await made('/responses', { ...body, stream: true });
    for (const { record } of [whole, streamed]) expect(record.costUsd).toBeCloseTo(0.000_45 + fee, 9);
    expect(cut.record.searchCostUsd).toBeCloseTo(fee, 9);
  });

  test.each([
    ['whole', {}, message(CACHED)],
    ['a stream', { stream: true }, messageEvents(CACHED)],
  ])('is the same if the response is translated, %s', async (_, fields, reply) => {
    answer = reply;
    const body = { model: 'claude-sonnet-4-5', messages: hi, ...fields };
    const { record } = await made('/chat/completions', body);
    expect(record.costUsd).toBeCloseTo(CACHED_USD, 9);
  });

  test.each([-5, 1.5, 1e300])('of embeddings is not lowered by a count of %j', async (count) => {
    answer = {
      object: 'list',
      data: [{ object: 'embedding', index: 0, embedding: [0.5] }],
      usage: { prompt_tokens: count },
    };
    const body = { model: 'text-embedding-3-small', input: 'Hi' };
    const { spentUsd } = await spent('/embeddings', body, 1, ['embeddings']);
    expect(spentUsd).toBeGreaterThan(0);
  });

  test("has xAI's reasoning, which is not in completion_tokens", async () => {
    const details = { completion_tokens_details: { reasoning_tokens: 900 } };
    answer = completion({ prompt_tokens: 100, completion_tokens: 10, total_tokens: 1_010, ...details });
    const { record } = await made('/chat/completions', { model: 'xai/grok-4.7', messages: hi });
    expect(record.tokens).toMatchObject({ input: 100, output: 910, reasoning: 900 });
    expect(record.costUsd).toBeCloseTo((100 * 2 + 910 * 6) / 1e6, 9);
  });

  test("has Gemini's audio, thoughts, cache and tools", async () => {
    const usageMetadata = {
      ...{ promptTokenCount: 1_000, cachedContentTokenCount: 200, toolUsePromptTokenCount: 50 },
      ...{ candidatesTokenCount: 20, thoughtsTokenCount: 80, totalTokenCount: 1_150 },
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 700 },
        { modality: 'AUDIO', tokenCount: 300 },
      ],
    };
    const content = { role: 'model', parts: [{ text: 'Hello' }] };
    answer = { candidates: [{ index: 0, content, finishReason: 'STOP' }], usageMetadata, modelVersion: 'm' };
    const body = { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] };
    const { record } = await made('/../v1beta/models/gemini-2.5-flash:generateContent', body);
    expect(record.tokens).toMatchObject({ input: 1_050, output: 100, inputAudio: 300, reasoning: 80 });
    expect(record.costUsd).toBeCloseTo((550 * 0.3 + 300 * 1 + 200 * 0.03 + 100 * 2.5) / 1e6, 9);
  });

  test("has Gemini's tokens that only the total shows", async () => {
    const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 20, totalTokenCount: 1_030 };
    const content = { role: 'model', parts: [{ text: 'Hello' }] };
    answer = { candidates: [{ index: 0, content, finishReason: 'STOP' }], usageMetadata, modelVersion: 'm' };
    const body = { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] };
    const { record } = await made('/../v1beta/models/gemini-2.5-flash:generateContent', body);
    expect(record.tokens).toMatchObject({ input: 10, output: 1_020 });
  });

  test("has the fee of Gemini's places of Google Maps, which budgets reserve", async () => {
    const groundingMetadata = { groundingChunks: [{ maps: { uri: 'https://maps.google.com/?cid=1', placeId: 'p' } }] };
    const content = { role: 'model', parts: [{ text: 'Hello' }] };
    const usageMetadata = { promptTokenCount: 1_000, candidatesTokenCount: 20, totalTokenCount: 1_020 };
    answer = { candidates: [{ index: 0, content, finishReason: 'STOP', groundingMetadata }], usageMetadata };
    const body = { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }], tools: [{ googleMaps: {} }] };
    const path = '/../v1beta/models/gemini-3.5-flash:generateContent';
    const { record } = await made(path, body);
    expect(record.searchCostUsd).toBeCloseTo(0.014, 9);
    const bounded = { ...body, generationConfig: { maxOutputTokens: 1 } };
    expect((await spent(path, bounded, 0.1)).status).toBe(400);
  });

  test('is null only if nothing is known, and the record says what is missing', async () => {
    answer = completion({ prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 });
    const { record } = await made('/chat/completions', { model: 'mistral/no-such', messages: hi });
    expect(record).toMatchObject({ costUsd: null, unknownCharges: ['tokens'] });
  });
});

describe('without a report of the provider', () => {
  const TEXT = 'word '.repeat(400);
  const said = { choices: [{ index: 0, message: { role: 'assistant', content: TEXT }, finish_reason: 'stop' }] };
  const spoken = [
    { ...chunks({})[0], choices: [{ index: 0, delta: { role: 'assistant', content: TEXT }, finish_reason: null }] },
    chunks({})[1] as Json,
  ];
  // 2,000 characters are 500 tokens of 3.96 dollars a million.
  const LEAST = (500 * 3.96) / 1e6;
  const model = 'deepseek/deepseek-v4-pro';
  const CALLERS: readonly (readonly [string, string, Json])[] = [
    ['chat completions', '/chat/completions', { model, messages: hi, max_tokens: 2_000 }],
    ['responses', '/responses', { model, input: 'Hi', max_output_tokens: 2_000 }],
    ['messages', '/messages', { model, messages: hi, max_tokens: 2_000 }],
  ];

  test.each(CALLERS)(
    'the text of a response is charged to a caller of %s, whole and streamed',
    async (_, path, body) => {
      answer = { ...completion({}), ...said, usage: undefined };
      expect((await spent(path, body)).spentUsd).toBeGreaterThan(LEAST);
      answer = spoken;
      expect((await spent(path, { ...body, stream: true })).spentUsd).toBeGreaterThan(LEAST);
    },
  );

  test('zeros for a text are no report', async () => {
    const zeros = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
    for (const usage of [zeros, { ...zeros, prompt_tokens: 1, total_tokens: 1 }]) {
      answer = { ...completion(usage), ...said };
      expect((await spent('/chat/completions', { model, messages: hi, max_tokens: 2_000 })).spentUsd).toBeGreaterThan(
        LEAST,
      );
    }
    answer = { object: 'list', data: [{ object: 'embedding', index: 0, embedding: [0.1] }], usage: zeros };
    const embedded = await spent('/embeddings', { model: 'text-embedding-3-large', input: TEXT }, 1, ['embeddings']);
    expect(embedded.spentUsd).toBeGreaterThan((400 * 0.13) / 1e6);
  });

  test('a later report does not lower an earlier one', async () => {
    const [first, last] = spoken as [Json, Json];
    const report = (count: number) => ({
      ...first,
      choices: [],
      usage: { prompt_tokens: count, completion_tokens: count, total_tokens: 2 * count },
    });
    answer = [first, last, report(1_000), report(1)];
    const body = { model, messages: hi, max_tokens: 2_000, stream: true };
    expect((await spent('/chat/completions', body)).spentUsd).toBeGreaterThan((1_000 * 3.96) / 1e6);
    const events = messageEvents({ input_tokens: 1_000, output_tokens: 100 });
    answer = events.map((event) =>
      event.type === 'message_delta' ? { ...event, usage: { input_tokens: 0, output_tokens: 100 } } : event,
    );
    const messages = { model: 'claude-sonnet-4-5', messages: hi, max_tokens: 2_000, stream: true };
    expect((await spent('/messages', messages)).spentUsd).toBeCloseTo((1_000 * 3 + 100 * 15) / 1e6, 9);
  });

  test('text behind the last report of a stream that is cut is charged', async () => {
    const early = { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 };
    const [first] = spoken as [Json];
    answer = [{ ...first, choices: [{ index: 0, delta: { content: 'a' } }], usage: early }, first];
    const body = { model, messages: hi, max_tokens: 2_000, stream: true };
    expect((await spent('/chat/completions', body)).spentUsd).toBeGreaterThan(LEAST);
  });

  test('a response that cannot be read is charged too: its provider wrote it', async () => {
    answer = { id: 'c-1', choices: [] };
    const { status, json } = await made('/messages', { model, messages: hi, max_tokens: 10 });
    expect([status, json]).toMatchObject([502, { type: 'error' }]);
    const { id, key } = await contract.createKey({ permissions: EVERY, budget: { usd: 1, period: 'month' } });
    await contract.call('/messages', JSON.stringify({ model, messages: hi, max_tokens: 10 }), { key });
    const { json: usage } = await contract.settledUsage(id);
    expect(usage.budget.remainingUsd).toBeLessThan(1);
  });

  test('tools, earlier calls and media are charged, not only texts', async () => {
    answer = { ...completion({}), usage: undefined };
    const parameters = { type: 'object', properties: { a: { type: 'string', description: TEXT } } };
    const data = `data:image/png;base64,${'A'.repeat(400)}`;
    const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: JSON.stringify({ a: TEXT }) } };
    const bodies: Json[] = [
      { tools: [{ type: 'function', function: { name: 'f', parameters } }] },
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: data } }] }] },
      {
        messages: [
          ...hi,
          { role: 'assistant', tool_calls: [call] },
          { role: 'tool', tool_call_id: 'call_1', content: 'ok' },
        ],
      },
    ];
    for (const body of bodies) {
      const { status, spentUsd } = await spent('/chat/completions', { model, messages: hi, max_tokens: 10, ...body });
      expect([status, spentUsd]).toEqual([200, expect.any(Number)]);
      expect(spentUsd).toBeGreaterThan((400 * 1.32) / 1e6);
    }
  });

  test('a tier that only earlier chunks name is that of the whole response', async () => {
    const usage = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 };
    const [first, second] = chunks(usage, { service_tier: 'priority' });
    answer = [first as Json, second as Json, chunks(usage)[2] as Json];
    const usd = ((1_000 * 0.25 + 100 * 2) / 1e6) * 1.8;
    const body = { model: 'gpt-5-mini', messages: hi, stream: true };
    expect((await made('/chat/completions', body)).record.costUsd).toBeCloseTo(usd, 9);
    expect((await made('/messages', { ...body, max_tokens: 100 })).record.costUsd).toBeCloseTo(usd, 9);
    answer = [{ ...(spoken[0] as Json), service_tier: 'priority' }];
    const { spentUsd } = await spent('/chat/completions', { ...body, max_completion_tokens: 2_000 });
    expect(spentUsd).toBeGreaterThan((1.8 * 500 * 2) / 1e6);
  });
});

describe('a provider that reports its cost', () => {
  const router = (fields: Json = {}) => ({
    model: 'openrouter/acme/unheard-of',
    max_tokens: 50,
    messages: hi,
    ...fields,
  });
  const USAGE = { prompt_tokens: 194, completion_tokens: 2, total_tokens: 196, cost: 0.0095 };

  test.each([
    ['whole', {}, completion],
    ['a stream', { stream: true }, chunks],
  ])('is believed if its price is unknown, by budgets too, %s', async (_, fields, reply) => {
    answer = reply(USAGE);
    const { record } = await made('/chat/completions', router(fields));
    expect(record.costUsd).toBe(0.0095);
    expect(record).not.toHaveProperty('unknownCharges');
    const { status, spentUsd } = await spent('/chat/completions', router(fields));
    expect(status).toBe(200);
    expect(spentUsd).toBeCloseTo(0.0095, 9);
  });

  test.each([
    ['whole', {}, completion],
    ['a stream', { stream: true }, chunks],
  ])('is believed in a translated response, %s', async (_, fields, reply) => {
    answer = reply(USAGE);
    const { record } = await made('/messages', router(fields));
    expect(record.costUsd).toBe(0.0095);
  });

  test('is believed by xAI’s ticks', async () => {
    answer = completion({ ...USAGE, cost: undefined, cost_in_usd_ticks: 37_756_000 });
    const { record } = await made('/chat/completions', { model: 'xai/grok-new', messages: hi });
    expect(record.costUsd).toBe(0.003_775_6);
  });

  test('is not believed if the price is known', async () => {
    answer = completion({ prompt_tokens: 1_000, completion_tokens: 10, total_tokens: 1_010, cost_in_usd_ticks: 1 });
    const { record } = await made('/chat/completions', { model: 'xai/grok-4.7', messages: hi });
    expect(record.costUsd).toBeCloseTo(0.00206, 9);
  });

  test.each([[-1], ['0.1'], [null], [{}], [Number.MAX_VALUE]])(
    'spends what was reserved if it reports %j',
    async (cost) => {
      answer = completion({ ...USAGE, cost });
      const { status, spentUsd } = await spent('/chat/completions', router());
      expect(status).toBe(200);
      expect(spentUsd).toBeGreaterThan(0.005);
    },
  );

  test('uses up a small budget too, and is refused afterwards', async () => {
    answer = completion(USAGE);
    const { key } = await contract.createKey({ permissions: EVERY, budget: { usd: 0.01, period: 'month' } });
    const ask = () => contract.chat(router(), { key });
    expect((await ask()).status).toBe(200);
    const { status } = await contract.settled(ask, (reply) => reply.status !== 200);
    expect(status).toBe(429);
  });
});

describe('a key with a budget', () => {
  test('reserves the fees of searches, which it limits', async () => {
    const tools = [{ type: 'web_search_20250305', name: 'web_search' }];
    const body = { model: 'claude-haiku-4-5', max_tokens: 10, messages: hi, tools };
    answer = message({ input_tokens: 10, output_tokens: 1 });
    await made('/messages', body, { budget: { usd: 5, period: 'month' } });
    expect(sent.at(-1)?.tools).toEqual([{ ...tools[0], max_uses: 10 }]);
    await made('/messages', body);
    expect(sent.at(-1)?.tools).toEqual(tools);
    const many = { ...body, tools: [{ ...tools[0], max_uses: 600 }] };
    expect(await spent('/messages', many, 5)).toEqual({ status: 400, spentUsd: 0 });
  });

  test('is refused a charge of unknown price with the name of its member', async () => {
    const body = { model: 'gpt-6-sol', messages: hi, max_tokens: 10, service_tier: 'priority' };
    const { status, json } = await made('/chat/completions', body, { budget: { usd: 5, period: 'month' } });
    expect([status, json]).toMatchObject([400, { error: { code: 'invalid_value', param: 'service_tier' } }]);
  });

  test.each([-5, 1.5, '7', null, 1e300])('pays the estimate for a count of %j', async (count) => {
    answer = completion({ prompt_tokens: count, completion_tokens: count, total_tokens: count });
    const { spentUsd } = await spent('/chat/completions', { model: 'gpt-5-mini', messages: hi, max_tokens: 10 });
    expect(spentUsd).toBeGreaterThan(0);
    expect(spentUsd).toBeLessThan(0.01);
  });
});
