import { describe, expect, test } from '@jest/globals';
import {
  chunks,
  completion,
  contract,
  EVERY,
  hi,
  type Json,
  made,
  messageEvents,
  provider,
  spent,
} from './charges-setup.ts';

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
      provider.answer = { ...completion({}), ...said, usage: undefined };
      expect((await spent(path, body)).spentUsd).toBeGreaterThan(LEAST);
      provider.answer = spoken;
      expect((await spent(path, { ...body, stream: true })).spentUsd).toBeGreaterThan(LEAST);
    },
  );

  test('zeros for a text are no report', async () => {
    const zeros = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
    for (const usage of [zeros, { ...zeros, prompt_tokens: 1, total_tokens: 1 }]) {
      provider.answer = { ...completion(usage), ...said };
      expect((await spent('/chat/completions', { model, messages: hi, max_tokens: 2_000 })).spentUsd).toBeGreaterThan(
        LEAST,
      );
    }
    provider.answer = { object: 'list', data: [{ object: 'embedding', index: 0, embedding: [0.1] }], usage: zeros };
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
    provider.answer = [first, last, report(1_000), report(1)];
    const body = { model, messages: hi, max_tokens: 2_000, stream: true };
    expect((await spent('/chat/completions', body)).spentUsd).toBeGreaterThan((1_000 * 3.96) / 1e6);
    const events = messageEvents({ input_tokens: 1_000, output_tokens: 100 });
    provider.answer = events.map((event) =>
      event.type === 'message_delta' ? { ...event, usage: { input_tokens: 0, output_tokens: 100 } } : event,
    );
    const messages = { model: 'claude-sonnet-4-5', messages: hi, max_tokens: 2_000, stream: true };
    expect((await spent('/messages', messages)).spentUsd).toBeCloseTo((1_000 * 3 + 100 * 15) / 1e6, 9);
  });

  test('text behind the last report of a stream that is cut is charged', async () => {
    const early = { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 };
    const [first] = spoken as [Json];
    provider.answer = [{ ...first, choices: [{ index: 0, delta: { content: 'a' } }], usage: early }, first];
    const body = { model, messages: hi, max_tokens: 2_000, stream: true };
    expect((await spent('/chat/completions', body)).spentUsd).toBeGreaterThan(LEAST);
  });

  test('a response that cannot be read is charged too: its provider wrote it', async () => {
    provider.answer = { id: 'c-1', choices: [] };
    const { status, json } = await made('/messages', { model, messages: hi, max_tokens: 10 });
    expect([status, json]).toMatchObject([502, { type: 'error' }]);
    const { id, key } = await contract.createKey({ permissions: EVERY, budget: { usd: 1, period: 'month' } });
    await contract.call('/messages', JSON.stringify({ model, messages: hi, max_tokens: 10 }), { key });
    const { json: usage } = await contract.settledUsage(id);
    expect(usage.budget.remainingUsd).toBeLessThan(1);
  });

  test('tools, earlier calls and media are charged, not only texts', async () => {
    provider.answer = { ...completion({}), usage: undefined };
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
    provider.answer = [first as Json, second as Json, chunks(usage)[2] as Json];
    const usd = ((1_000 * 0.25 + 100 * 2) / 1e6) * 1.8;
    const body = { model: 'gpt-5-mini', messages: hi, stream: true };
    expect((await made('/chat/completions', body)).record.costUsd).toBeCloseTo(usd, 9);
    expect((await made('/messages', { ...body, max_tokens: 100 })).record.costUsd).toBeCloseTo(usd, 9);
    provider.answer = [{ ...(spoken[0] as Json), service_tier: 'priority' }];
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
    provider.answer = reply(USAGE);
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
    provider.answer = reply(USAGE);
    const { record } = await made('/messages', router(fields));
    expect(record.costUsd).toBe(0.0095);
  });

  test('is believed by xAI’s ticks', async () => {
    provider.answer = completion({ ...USAGE, cost: undefined, cost_in_usd_ticks: 37_756_000 });
    const { record } = await made('/chat/completions', { model: 'xai/grok-new', messages: hi });
    expect(record.costUsd).toBe(0.003_775_6);
  });

  test('is not believed if the price is known', async () => {
    provider.answer = completion({
      prompt_tokens: 1_000,
      completion_tokens: 10,
      total_tokens: 1_010,
      cost_in_usd_ticks: 1,
    });
    const { record } = await made('/chat/completions', { model: 'xai/grok-4.7', messages: hi });
    expect(record.costUsd).toBeCloseTo(0.00206, 9);
  });

  test.each([[-1], ['0.1'], [null], [{}], [Number.MAX_VALUE]])(
    'spends what was reserved if it reports %j',
    async (cost) => {
      provider.answer = completion({ ...USAGE, cost });
      const { status, spentUsd } = await spent('/chat/completions', router());
      expect(status).toBe(200);
      expect(spentUsd).toBeGreaterThan(0.005);
    },
  );

  test('uses up a small budget too, and is refused afterwards', async () => {
    provider.answer = completion(USAGE);
    const { key } = await contract.createKey({ permissions: EVERY, budget: { usd: 0.01, period: 'month' } });
    const ask = () => contract.chat(router(), { key });
    expect((await ask()).status).toBe(200);
    const { status } = await contract.settled(ask, (reply) => reply.status !== 200);
    expect(status).toBe(429);
  });
});
