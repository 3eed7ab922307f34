import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Contract, saying } from '../contract.ts';
import { startLocalProcess } from '../local-process.ts';
import { expectGoodOrder, toMessageStream } from '../messages/messages-reply.ts';
import { expectError } from '../reply.ts';

const KEY = `planted${'4fA9c'.repeat(6)}`;

const SAFE = { filtered: false, severity: 'safe' };
const PROMPT_RESULTS = [
  { prompt_index: 0, content_filter_results: { hate: SAFE, jailbreak: { filtered: false, detected: false } } },
];
const RESULTS = { hate: SAFE, violence: SAFE };
const HEAD = { id: 'chatcmpl-azure', created: 1, model: 'gpt-4o-2024-11-20', system_fingerprint: 'fp' };
const USAGE = { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 };
const ANSWER = {
  ...HEAD,
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      finish_reason: 'stop',
      logprobs: null,
      message: { role: 'assistant', content: 'Hi there' },
      content_filter_results: RESULTS,
    },
  ],
  prompt_filter_results: PROMPT_RESULTS,
  usage: USAGE,
};
const chunk = (delta: object, finish_reason: string | null = null) => ({
  ...HEAD,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason, logprobs: null, content_filter_results: finish_reason ? {} : RESULTS }],
});
/** Its first chunk says what was thought of the prompt, and nothing else: no id, no model, no choice. */
const CHUNKS = [
  { choices: [], created: 0, id: '', model: '', object: '', prompt_filter_results: PROMPT_RESULTS },
  chunk({ role: 'assistant', content: '' }),
  chunk({ content: 'Hi' }),
  chunk({ content: ' there' }),
  chunk({}, 'stop'),
  { ...HEAD, object: 'chat.completion.chunk', choices: [], usage: USAGE },
];
const EMBEDDING = {
  object: 'list',
  data: [{ object: 'embedding', index: 0, embedding: [0.5] }],
  model: 'e',
  usage: { prompt_tokens: 2, total_tokens: 2 },
};
const json = { 'content-type': 'application/json' };

let asked: { path: string; headers: IncomingHttpHeaders; body: Record<string, unknown> };
let answer: (response: ServerResponse) => void;
const azure = createServer(async (request, response) => {
  asked = { path: request.url ?? '', headers: request.headers, body: JSON.parse(await text(request)) };
  answer(response);
});
const saysJson = (value: object, status = 200, headers = {}) => {
  answer = (response) => response.writeHead(status, { ...json, ...headers }).end(JSON.stringify(value));
};
const streams = (chunks: readonly object[]) => {
  answer = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`${chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')}data: [DONE]\n\n`);
  };
};

const ROUTES = [{ models: 'house-model', targets: [{ provider: 'azure', model: 'my-gpt-4o' }] }];
const start = (ending: string, settings: Readonly<Record<string, string>>) =>
  new Contract(
    (providers) =>
      startLocalProcess(providers, {
        AZURE_OPENAI_API_KEY: KEY,
        AZURE_OPENAI_BASE_URL: `http://127.0.0.1:${(azure.address() as AddressInfo).port}${ending}`,
        SVC_ROUTES: JSON.stringify(ROUTES),
        ...settings,
      }),
    {},
  );

beforeAll(async () => {
  azure.listen(0, '127.0.0.1');
  await once(azure, 'listening');
});
afterAll(() => {
  azure.closeAllConnections();
  azure.close();
});

const APIS: [string, string, Record<string, string>, (deployment: string, path: string) => string][] = [
  ['the v1 API', '/openai/v1/', {}, (_, path) => `/openai/v1${path}`],
  [
    'a dated version',
    '',
    { AZURE_OPENAI_API_VERSION: '2024-10-21' },
    (deployment, path) => `/openai/deployments/${deployment}${path}?api-version=2024-10-21`,
  ],
];

describe.each(APIS)('Azure OpenAI by %s', (_name, ending, settings, pathOf) => {
  const contract = start(ending, settings);
  beforeAll(() => contract.start());
  afterAll(() => contract.stop());

  test.each([
    ['azure/my-gpt-4o', 'my-gpt-4o'],
    ['house-model', 'my-gpt-4o'],
    ['azure/a.b_2', 'a.b_2'],
  ])('answers %s by its deployment', async (model, deployment) => {
    saysJson(ANSWER);
    const { status, json: body } = await contract.chat(saying('Hello', model));
    const { svc, ...rest } = body;
    expect([status, rest, svc.action]).toEqual([200, ANSWER, 'allow']);
    expect(asked.path).toBe(pathOf(encodeURIComponent(deployment), '/chat/completions'));
    expect(asked.body).toMatchObject({ model: deployment, messages: [{ role: 'user', content: 'Hello' }] });
    expect([asked.headers['api-key'], asked.headers.authorization]).toEqual([KEY, undefined]);
  });

  test('streams, and passes the results of its filters unchanged', async () => {
    streams(CHUNKS);
    const { status, content, done, chunks } = await contract.stream({
      ...saying('Hello', 'azure/my-gpt-4o'),
      stream_options: { include_usage: true },
    });
    expect([status, content, done]).toEqual([200, 'Hi there', true]);
    expect(chunks[0]).toEqual(CHUNKS[0]);
    const results = chunks.flatMap((one) =>
      one.choices.map((choice: object) => ('content_filter_results' in choice ? 1 : 0)),
    );
    expect(results).not.toContain(0);
    expect(chunks.at(-1).usage).toEqual(USAGE);
  });

  test('is cut if a response is blocked, by chunks with the same name', async () => {
    streams([
      CHUNKS[0] as object,
      chunk({ role: 'assistant', content: '' }),
      chunk({ content: 'Well. SVC-TEST-BLOCK-7f3a' }),
      chunk({}, 'stop'),
    ]);
    const { content, finishReason, chunks } = await contract.stream(saying('Hello', 'azure/my-gpt-4o'));
    expect([content.trim(), finishReason]).toEqual(['Well.', 'content_filter']);
    expect(new Set(chunks.slice(1).map(({ id }) => id))).toEqual(new Set([HEAD.id]));
  });

  test('serves callers of Anthropic’s API, whole and streamed', async () => {
    const body = { ...saying('Hello', 'azure/my-gpt-4o'), max_tokens: 50 };
    saysJson(ANSWER);
    const { json: message } = await contract.call('/messages', JSON.stringify(body));
    expect(message.content).toEqual([{ type: 'text', text: 'Hi there' }]);
    streams(CHUNKS);
    const stream = await toMessageStream(await contract.fetch('/messages', JSON.stringify({ ...body, stream: true })));
    expectGoodOrder(stream);
    expect(stream.events[0].message).toMatchObject({ model: HEAD.model });
    expect(asked.body).toMatchObject({ max_completion_tokens: 50 });
  });

  test('serves embeddings and completions', async () => {
    const key = await contract.newKey({ permissions: ['embeddings', 'completions'] });
    saysJson(EMBEDDING);
    const embedding = await contract.call('/embeddings', JSON.stringify({ model: 'azure/embedder', input: 'Hello' }), {
      key,
    });
    expect([embedding.status, asked.path]).toEqual([200, pathOf('embedder', '/embeddings')]);
    const choices = [{ index: 0, text: 'Hi', finish_reason: 'stop', logprobs: null, content_filter_results: RESULTS }];
    saysJson({ ...HEAD, object: 'text_completion', choices, usage: USAGE });
    const completion = await contract.call('/completions', JSON.stringify({ model: 'azure/old', prompt: 'Hello' }), {
      key,
    });
    expect([completion.status, asked.path]).toEqual([200, pathOf('old', '/completions')]);
    expect(completion.json.choices[0].content_filter_results).toEqual(RESULTS);
  });

  test('passes its own errors on', async () => {
    const filtered = {
      message: 'The response was filtered due to the prompt triggering a content management policy.',
      type: null,
      param: 'prompt',
      code: 'content_filter',
      status: 400,
      innererror: { code: 'ResponsibleAIPolicyViolation', content_filter_result: { jailbreak: { filtered: true } } },
    };
    saysJson({ error: filtered }, 400);
    const refused = await contract.chat(saying('Hello', 'azure/my-gpt-4o'));
    expect([refused.status, refused.json.error]).toEqual([
      400,
      { message: filtered.message, type: 'invalid_request_error', param: 'prompt', code: 'content_filter' },
    ]);
    saysJson(
      { error: { code: 'DeploymentNotFound', message: 'The API deployment for this resource does not exist.' } },
      404,
    );
    expectError(await contract.chat(saying('Hello', 'azure/none')), 'model_not_found', 'model');
    saysJson({ error: { code: '401', message: `Access denied due to invalid subscription key ${KEY}` } }, 401);
    expectError(await contract.chat(saying('Hello', 'azure/my-gpt-4o')), 'provider_error');
    saysJson({ error: { code: '429', message: 'Requests have exceeded the call rate limit.' } }, 429, {
      'retry-after': '60',
    });
    const limited = await contract.chat(saying('Hello', 'azure/my-gpt-4o'));
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '60']);
    expect(contract.service.logs()).not.toContain(KEY);
  });
});

test('an invalid version fails the start, with the reason', async () => {
  const wrong = start('', { AZURE_OPENAI_API_VERSION: 'newest' });
  await expect(wrong.start()).rejects.toThrow(/AZURE_OPENAI_API_VERSION/);
  await wrong.stop();
});
