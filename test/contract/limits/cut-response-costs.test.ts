import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ProviderServer, startProviderServer } from '../../support/provider-server.ts';
import { WITHOUT_EVENTS } from '../../support/quick-start.ts';
import { Contract } from '../contract.ts';
import { startLocalProcess } from '../local-process.ts';
import { PROVIDER_TIMEOUT_MS } from '../service.ts';

type Json = Record<string, unknown>;
interface Answer {
  readonly events: readonly Json[];
  /** How the response goes on after its events. */
  readonly ends: 'end' | 'destroy' | 'hang';
}

let answer: Answer | string = '';
let provider: ProviderServer;

async function respond(response: ServerResponse, sent: Answer | string): Promise<void> {
  if (typeof sent === 'string') {
    if (sent === '') return;
    response.writeHead(200, { 'content-type': 'application/json' });
    // The client gets a part of the announced body.
    if (!sent.endsWith('}')) return void response.write(sent, () => response.destroy());
    return void response.end(sent);
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of sent.events) {
    const name = typeof event.type === 'string' ? `event: ${event.type}\n` : '';
    await new Promise((written) => response.write(`${name}data: ${JSON.stringify(event)}\n\n`, written));
  }
  if (sent.ends === 'end') response.end();
  if (sent.ends === 'destroy') response.destroy();
}

const contract = new Contract(
  (providers) =>
    startLocalProcess(providers, {
      ...{ OPENAI_API_KEY: 'planted-openai', OPENAI_BASE_URL: `${provider.url}/openai/v1` },
      ...{ ANTHROPIC_API_KEY: 'planted-anthropic', ANTHROPIC_BASE_URL: provider.url },
      ...{ GEMINI_API_KEY: 'planted-gemini', GEMINI_BASE_URL: provider.url },
      ...{ OPENROUTER_API_KEY: 'planted-openrouter', OPENROUTER_BASE_URL: `${provider.url}/openrouter/v1` },
      ...{ MISTRAL_API_KEY: 'planted-mistral', MISTRAL_BASE_URL: `${provider.url}/mistral/v1` },
      ...WITHOUT_EVENTS,
      // Some responses are cut by silence.
      SVC_PROVIDER_TIMEOUT_MS: String(PROVIDER_TIMEOUT_MS),
      SVC_MODEL_PRICES: JSON.stringify({
        'openai/own-images': { input: 1, output: 2 },
        'openai/own-transcripts': { input: 1, output: 2 },
      }),
      SVC_ROUTES: JSON.stringify([
        { models: 'an-alias', targets: [{ provider: 'mistral', model: 'mistral-large-latest' }] },
      ]),
    }),
  {},
);
beforeAll(async () => {
  provider = await startProviderServer(async (request, response) => {
    await text(request);
    await respond(response, answer);
  });
  await contract.start();
});
afterAll(async () => {
  await contract.stop();
  await provider.close();
});

const TEXT = 'some words of the response '.repeat(40);
const hi = [{ role: 'user', content: 'Hi' }];
const chatChunk = { id: 'c-1', object: 'chat.completion.chunk', created: 1, model: 'm' };
const spoken = (said: string) => ({ choices: [{ index: 0, delta: { role: 'assistant', content: said } }] });

/** A protocol with its request, and the start of a response that says `said`, streamed and whole. */
interface Api {
  readonly path: string;
  readonly streamPath?: string;
  readonly body: Json;
  readonly events: (said: string) => readonly Json[];
  readonly whole: (said: string) => Json;
}

const chat: Pick<Api, 'events' | 'whole'> = {
  events: (said) => [{ ...chatChunk, ...spoken(said) }],
  whole: (said) => ({
    ...{ ...chatChunk, object: 'chat.completion' },
    choices: [{ index: 0, message: { role: 'assistant', content: said }, finish_reason: 'stop' }],
  }),
};
const messages: Pick<Api, 'events' | 'whole'> = {
  events: (said) => [
    {
      type: 'message_start',
      message: { ...messages.whole(''), content: [], usage: { input_tokens: 7, output_tokens: 1 } },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: said } },
  ],
  whole: (said) => ({
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn', stop_sequence: null },
    content: [{ type: 'text', text: said }],
  }),
};
const response = { id: 'resp_1', object: 'response', created_at: 1, model: 'm', status: 'in_progress', output: [] };
const place = { item_id: 'msg_1', output_index: 0, content_index: 0 };
const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed' };
const responses: Pick<Api, 'events' | 'whole'> = {
  events: (said) => [
    { type: 'response.created', response },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } },
    { type: 'response.content_part.added', ...place, part: { type: 'output_text', text: '', annotations: [] } },
    { type: 'response.output_text.delta', ...place, delta: said },
  ],
  whole: (said) => ({
    ...{ ...response, status: 'completed' },
    output: [{ ...item, content: [{ type: 'output_text', text: said, annotations: [] }] }],
  }),
};
const gemini: Pick<Api, 'events' | 'whole'> = {
  events: (said) => [{ candidates: [{ index: 0, content: { role: 'model', parts: [{ text: said }] } }] }],
  whole: (said) => ({
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text: said }] }, finishReason: 'STOP' }],
  }),
};
const completions: Pick<Api, 'events' | 'whole'> = {
  events: (said) => [{ ...chatChunk, object: 'text_completion', choices: [{ index: 0, text: said }] }],
  whole: (said) => ({
    ...{ ...chatChunk, object: 'text_completion' },
    choices: [{ index: 0, text: said, finish_reason: 'stop' }],
  }),
};
const google = (model: string) => ({
  path: `/models/${model}:generateContent`,
  streamPath: `/models/${model}:streamGenerateContent?alt=sse`,
  body: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }], generationConfig: { maxOutputTokens: 2_000 } },
});
const toChat = (model: string) => ({ path: '/chat/completions', body: { model, messages: hi, max_tokens: 2_000 } });
const toMessages = (model: string) => ({ path: '/messages', body: { model, messages: hi, max_tokens: 2_000 } });
const toResponses = (model: string) => ({ path: '/responses', body: { model, input: 'Hi', max_output_tokens: 2_000 } });

const APIS: readonly (readonly [string, Api])[] = [
  ['chat completions', { ...toChat('mistral/mistral-large-latest'), ...chat }],
  [
    'completions',
    {
      path: '/completions',
      body: { model: 'gpt-3.5-turbo-instruct', prompt: 'Hi', max_tokens: 2_000 },
      ...completions,
    },
  ],
  ['responses', { ...toResponses('gpt-5-mini'), ...responses }],
  ['messages', { ...toMessages('claude-sonnet-4-5'), ...messages }],
  ['Gemini', { ...google('gemini-2.5-flash'), ...gemini }],
  ['chat completions to Messages', { ...toChat('claude-sonnet-4-5'), ...messages }],
  ['responses to chat completions', { ...toResponses('mistral/mistral-large-latest'), ...chat }],
  ['messages to Gemini', { ...toMessages('gemini-2.5-flash'), ...gemini }],
  ['Gemini to chat completions', { ...google('an-alias'), ...chat }],
  ['chat completions at a reported cost', { ...toChat('openrouter/acme/unheard-of'), ...chat }],
];

const EVERY = ['chat_completions', 'completions', 'embeddings', 'images', 'audio'];

/** Calls with a new key, and returns what its budget lost and its only record. */
async function charged(call: (key: string) => Promise<unknown>, fields: Json = {}) {
  const { id, key } = await contract.createKey({
    ...{ permissions: EVERY, budget: { usd: 1, period: 'month' } },
    ...fields,
  });
  await call(key);
  const { json } = await contract.settled(
    () => contract.analytics(`/requests?keyId=${id}`),
    (reply) => reply.json.data.length > 0,
  );
  const record = json.data[0] as Json & { costUsd: number | null };
  const { json: usage } = await contract.settled(
    () => contract.admin('GET', `/keys/${id}/usage`),
    (reply) => Math.abs(1 - reply.json.budget.remainingUsd - (record.costUsd ?? 0)) < 1e-9,
  );
  return { id, record, spentUsd: 1 - usage.budget.remainingUsd };
}

type Charged = Awaited<ReturnType<typeof charged>>;

/** Its tokens cost less than the text that came. */
function expectTheSame({ record, spentUsd }: Pick<Charged, 'record' | 'spentUsd'>, state: string): void {
  expectCharged({ record, spentUsd }, state);
  expect(spentUsd).toBeGreaterThan((TEXT.length / 8) * 1e-7);
  expect(record.unknownCharges).toContain('outputTokens');
  expect((record.tokens as Json).output).toBeGreaterThanOrEqual(TEXT.length / 4);
}

const drain = async (replied: Response) => void (await replied.text().catch(() => ''));
const streamed = ({ path, streamPath, body }: Api, key: string, signal?: AbortSignal) =>
  fetch(`${contract.service.baseUrl}${streamPath ?? path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(streamPath === undefined ? { ...body, stream: true } : body),
    ...(signal !== undefined && { signal }),
  });

test.each(APIS)('a stream of %s that its provider cuts is recorded as it is charged', async (_, api) => {
  for (const ends of ['destroy', 'end'] as const) {
    answer = { events: api.events(TEXT), ends };
    expectTheSame(await charged(async (key) => drain(await streamed(api, key))), 'failed');
  }
});

test.each(APIS)('so is a stream of %s that its client leaves', async (_, api) => {
  answer = { events: api.events(TEXT), ends: 'hang' };
  const leave = async (key: string) => {
    const left = new AbortController();
    const { body } = await streamed(api, key, left.signal);
    const reader = (body as ReadableStream<Uint8Array>).getReader();
    let came = '';
    while (!came.includes('some words')) came += new TextDecoder().decode((await reader.read()).value);
    left.abort();
    await reader.closed.catch(() => {});
  };
  expectTheSame(await charged(leave), 'cancelled');
});

test.each(APIS)('so is a stream of %s that a policy ends', async (_, api) => {
  answer = { events: api.events(`${TEXT} SVC-TEST-BLOCK-7f3a ${TEXT}`), ends: 'hang' };
  expectTheSame(await charged(async (key) => drain(await streamed(api, key))), 'blocked');
});

/** Timeouts of three seconds. */
const LATE = APIS.filter(([name]) => ['completions', 'messages', 'messages to Gemini'].includes(name));

test.each(LATE)('so is a stream of %s that stalls', async (_, api) => {
  answer = { events: api.events(TEXT), ends: 'hang' };
  expectTheSame(await charged(async (key) => drain(await streamed(api, key))), 'failed');
});

const whole =
  ({ path, body }: Pick<Api, 'path' | 'body'>) =>
  async (key: string) =>
    drain(await contract.fetch(path, JSON.stringify(body), { key }));

test.each(APIS)('so is a whole response of %s without usage, whole, blocked or cut', async (_, api) => {
  const call = whole(api);
  answer = JSON.stringify(api.whole(TEXT));
  expectTheSame(await charged(call), 'completed');
  answer = JSON.stringify(api.whole(`${TEXT} SVC-TEST-BLOCK-7f3a`));
  expectTheSame(await charged(call), 'blocked');
  answer = JSON.stringify(api.whole(TEXT)).slice(0, -1);
  expectCharged(await charged(call), 'failed');
});

function expectCharged({ record, spentUsd }: Pick<Charged, 'record' | 'spentUsd'>, state: string): void {
  expect({ ...record, costUsd: spentUsd }).toMatchObject({
    state,
    costUsd: expect.closeTo(record.costUsd ?? -1, 9),
  });
  expect(spentUsd).toBeGreaterThan(0);
}

test.each(LATE)('so is a whole response of %s that does not come', async (_, api) => {
  answer = '';
  expectCharged(await charged(whole(api)), 'failed');
});

const vector = { object: 'list', data: [{ object: 'embedding', index: 0, embedding: [0.5] }], model: 'm' };
const pictures = { created: 1, data: [{ b64_json: 'AAAA' }] };
test.each([
  ['embeddings', '/embeddings', { model: 'text-embedding-3-small', input: TEXT }, JSON.stringify(vector), 'completed'],
  [
    'images',
    '/images/generations',
    { model: 'openai/own-images', prompt: TEXT, n: 1 },
    JSON.stringify(pictures),
    'completed',
  ],
])('so are %s without usage, whole or cut', async (_, path, body, json, state) => {
  answer = json;
  expectCharged(await charged(whole({ path, body })), state);
  answer = json.slice(0, -1);
  expectCharged(await charged(whole({ path, body })), 'failed');
});

/** 10,000 tokens of audio. */
function recording(format: string): FormData {
  const form = new FormData();
  form.set('model', 'openai/own-transcripts');
  form.set('response_format', format);
  form.set('file', new Blob([Buffer.alloc(2_000_000)], { type: 'audio/wav' }), 'a.wav');
  return form;
}

test.each(['text', 'srt', 'vtt', 'verbose_json'])(
  'so is a whole transcript as %s, which reports no tokens',
  async (format) => {
    answer = JSON.stringify({ text: 'Hello', usage: { type: 'duration', seconds: 1_000 } });
    for (const path of ['transcriptions', 'translations']) {
      const made = await charged(async (key) => {
        const url = `${contract.service.baseUrl}/audio/${path}`;
        await drain(
          await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body: recording(format) }),
        );
      });
      expectCharged(made, 'completed');
      expect(made.spentUsd).toBeGreaterThanOrEqual(0.01);
    }
  },
);

test('so are a whole picture without usage, and tokens as input of embeddings', async () => {
  answer = JSON.stringify(pictures);
  const drawn = await charged(
    whole({ path: '/images/generations', body: { model: 'openai/own-images', prompt: 'Hi' } }),
  );
  expectCharged(drawn, 'completed');
  expect(drawn.spentUsd).toBeGreaterThan(0.008);
  answer = JSON.stringify(vector);
  const input = Array.from({ length: 8_000 }, (_, at) => at);
  const embedded = await charged(whole({ path: '/embeddings', body: { model: 'text-embedding-3-small', input } }));
  expectCharged(embedded, 'completed');
  expect(embedded.spentUsd).toBeCloseTo(8_000 * 0.02e-6, 9);
});

test('a provider that refuses a request bills nothing, and its record has no cost', async () => {
  const { record, spentUsd } = await charged(async (key) => {
    answer = 'x';
    const body = { ...toChat('mistral/mistral-large-latest').body, messages: [] };
    await drain(await contract.fetch('/chat/completions', JSON.stringify(body), { key }));
  });
  expect([record.state, record.costUsd, spentUsd]).toEqual(['failed', null, 0]);
  expect(record).not.toHaveProperty('unknownCharges');
});

test('totals have the cost of responses that were cut', async () => {
  const api = APIS[0]?.[1] as Api;
  answer = { events: api.events(TEXT), ends: 'destroy' };
  const { id, spentUsd } = await charged(async (key) => drain(await streamed(api, key)));
  const { json } = await contract.settled(
    () => contract.analytics(`/summary?keyId=${id}`),
    (reply) => reply.json.requests === 1,
  );
  expect(json.costUsd).toBeCloseTo(spentUsd, 9);
  expect(json).toMatchObject({ partlyPriced: 1, unpriced: 0 });
});
