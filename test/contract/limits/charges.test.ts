import './reported-usage.cases.ts';
import { describe, expect, test } from '@jest/globals';
import {
  chunks,
  completion,
  hi,
  type Json,
  made,
  message,
  messageEvents,
  provider,
  sent,
  spent,
} from './charges-setup.ts';

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
    provider.answer = reply;
    const { record } = await made('/messages', claude(fields));
    expect(record.costUsd).toBeCloseTo(CACHED_USD, 9);
    expect(record.tokens).toMatchObject({ input: 4_096, cacheWriteInput: 248, cacheWriteInputHour: 100 });
    expect(record).not.toHaveProperty('unknownCharges');
  });

  test.each([
    ['whole', {}, message],
    ['a stream', { stream: true }, messageEvents],
  ])('has the fee of each search, %s', async (_, fields, reply) => {
    provider.answer = reply({ input_tokens: 1_000, output_tokens: 10, server_tool_use: { web_search_requests: 3 } });
    const { record } = await made('/messages', claude(fields));
    expect(record.costUsd).toBeCloseTo(0.003 + 0.000_15 + 0.03, 9);
    expect(record.searchCostUsd).toBeCloseTo(0.03, 9);
    expect(record.tokens).toMatchObject({ searches: 3 });
  });

  test('of a stream that is cut has the searches that came', async () => {
    const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} };
    provider.answer = [
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
    provider.answer = message({ input_tokens: 1_000, output_tokens: 100, ...terms });
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
    provider.answer = completion(usage, fields);
    const whole = await made('/chat/completions', { model, messages: hi });
    provider.answer = chunks(usage, fields);
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
    provider.answer = { ...response, usage };
    const whole = await made('/responses', body);
    provider.answer = [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      ...output.map((item, output_index) => ({ type: 'response.output_item.done', output_index, item })),
    ];
    const cut = await made('/responses', { ...body, stream: true });
    provider.answer = [
      ...(provider.answer as Json[]),
      { type: 'response.completed', response: { ...response, usage } },
    ];
    const streamed = await made('/responses', { ...body, stream: true });
    for (const { record } of [whole, streamed]) expect(record.costUsd).toBeCloseTo(0.000_45 + fee, 9);
    expect(cut.record.searchCostUsd).toBeCloseTo(fee, 9);
  });

  test.each([
    ['whole', {}, message(CACHED)],
    ['a stream', { stream: true }, messageEvents(CACHED)],
  ])('is the same if the response is translated, %s', async (_, fields, reply) => {
    provider.answer = reply;
    const body = { model: 'claude-sonnet-4-5', messages: hi, ...fields };
    const { record } = await made('/chat/completions', body);
    expect(record.costUsd).toBeCloseTo(CACHED_USD, 9);
  });

  test.each([-5, 1.5, 1e300])('of embeddings is not lowered by a count of %j', async (count) => {
    provider.answer = {
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
    provider.answer = completion({ prompt_tokens: 100, completion_tokens: 10, total_tokens: 1_010, ...details });
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
    provider.answer = { candidates: [{ index: 0, content, finishReason: 'STOP' }], usageMetadata, modelVersion: 'm' };
    const body = { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] };
    const { record } = await made('/../v1beta/models/gemini-2.5-flash:generateContent', body);
    expect(record.tokens).toMatchObject({ input: 1_050, output: 100, inputAudio: 300, reasoning: 80 });
    expect(record.costUsd).toBeCloseTo((550 * 0.3 + 300 * 1 + 200 * 0.03 + 100 * 2.5) / 1e6, 9);
  });

  test("has Gemini's tokens that only the total shows", async () => {
    const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 20, totalTokenCount: 1_030 };
    const content = { role: 'model', parts: [{ text: 'Hello' }] };
    provider.answer = { candidates: [{ index: 0, content, finishReason: 'STOP' }], usageMetadata, modelVersion: 'm' };
    const body = { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] };
    const { record } = await made('/../v1beta/models/gemini-2.5-flash:generateContent', body);
    expect(record.tokens).toMatchObject({ input: 10, output: 1_020 });
  });

  test("has the fee of Gemini's places of Google Maps, which budgets reserve", async () => {
    const groundingMetadata = { groundingChunks: [{ maps: { uri: 'https://maps.google.com/?cid=1', placeId: 'p' } }] };
    const content = { role: 'model', parts: [{ text: 'Hello' }] };
    const usageMetadata = { promptTokenCount: 1_000, candidatesTokenCount: 20, totalTokenCount: 1_020 };
    provider.answer = { candidates: [{ index: 0, content, finishReason: 'STOP', groundingMetadata }], usageMetadata };
    const body = { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }], tools: [{ googleMaps: {} }] };
    const path = '/../v1beta/models/gemini-3.5-flash:generateContent';
    const { record } = await made(path, body);
    expect(record.searchCostUsd).toBeCloseTo(0.014, 9);
    const bounded = { ...body, generationConfig: { maxOutputTokens: 1 } };
    expect((await spent(path, bounded, 0.1)).status).toBe(400);
  });

  test('is null only if nothing is known, and the record says what is missing', async () => {
    provider.answer = completion({ prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 });
    const { record } = await made('/chat/completions', { model: 'mistral/no-such', messages: hi });
    expect(record).toMatchObject({ costUsd: null, unknownCharges: ['tokens'] });
  });
});

describe('a key with a budget', () => {
  test('reserves the fees of searches, which it limits', async () => {
    const tools = [{ type: 'web_search_20250305', name: 'web_search' }];
    const body = { model: 'claude-haiku-4-5', max_tokens: 10, messages: hi, tools };
    provider.answer = message({ input_tokens: 10, output_tokens: 1 });
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
    provider.answer = completion({ prompt_tokens: count, completion_tokens: count, total_tokens: count });
    const { spentUsd } = await spent('/chat/completions', { model: 'gpt-5-mini', messages: hi, max_tokens: 10 });
    expect(spentUsd).toBeGreaterThan(0);
    expect(spentUsd).toBeLessThan(0.01);
  });
});
