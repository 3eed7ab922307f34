import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startLocalProcess } from '../contract/local-process.ts';
import type { Service } from '../contract/service.ts';
import { byDayOrNight } from '../support/night.ts';

type Json = Record<string, unknown>;

/** Acts as every provider. */
let sent: string[] = [];
let answer: (response: ServerResponse) => void;
const provider = createServer(async (request, response) => {
  sent.push(await text(request));
  answer(response);
});

let service: Service;
beforeAll(async () => {
  provider.listen(0, '127.0.0.1');
  await once(provider, 'listening');
  const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  service = await startLocalProcess(
    { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${url}/v1`, ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: url },
    {
      GEMINI_API_KEY: 'k',
      GEMINI_BASE_URL: url,
      OPENROUTER_API_KEY: 'k',
      OPENROUTER_BASE_URL: `${url}/v1`,
      COHERE_API_KEY: 'k',
      COHERE_BASE_URL: `${url}/v1`,
      SVC_FOREIGN_IDS: 'shared_',
      SVC_ROUTES: JSON.stringify([
        {
          models: 'with-fallback',
          targets: [{ provider: 'openai', model: 'gpt-4o' }],
          fallbacks: [{ provider: 'cohere', model: 'command' }],
        },
      ]),
    },
  );
});
afterAll(async () => {
  await service?.stop();
  provider.closeAllConnections();
  provider.close();
});
beforeEach(() => {
  sent = [];
});

async function keyOf(more: Json = {}): Promise<string> {
  const permissions = ['chat_completions', 'completions', 'embeddings', 'images', 'audio'];
  const response = await fetch(`${service.adminUrl}/admin/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'ids', permissions, rateLimit: { requests: 1e6, period: 'hour' }, ...more }),
  });
  return ((await response.json()) as { key: string }).key;
}

interface Reply {
  readonly status: number;
  readonly text: string;
  readonly error: Json;
  readonly skipped: readonly string[];
}

async function call(key: string, path: string, body: Json | FormData): Promise<Reply> {
  const response = await fetch(`${service.baseUrl}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      ...(!(body instanceof FormData) && { 'content-type': 'application/json' }),
    },
    body: body instanceof FormData ? body : JSON.stringify(body),
  });
  const read = await response.text();
  const json = (read.startsWith('{') ? JSON.parse(read) : {}) as { error?: Json; svc?: { coverage?: Json } };
  return {
    status: response.status,
    text: read,
    error: json.error ?? {},
    skipped: (json.svc?.coverage?.skipped ?? []) as string[],
  };
}

/** The field at fault; Google's errors have it elsewhere. */
function paramOf({ error }: Reply): unknown {
  const details = error.details as [{ metadata?: Json }] | Json | undefined;
  return error.param ?? (Array.isArray(details) ? details[0]?.metadata?.param : undefined);
}

function answersWith(value: Json): void {
  answer = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };
}

function streams(events: readonly Json[], end = ''): void {
  answer = (response) => {
    const lines = events.map((one) => `${one.type ? `event: ${one.type}\n` : ''}data: ${JSON.stringify(one)}\n\n`);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(lines.join('') + end);
  };
}

const CHAT = '/chat/completions';
const COMPLETIONS = '/completions';
const RESPONSES = '/responses';
const MESSAGES = '/messages';
const COUNT = '/messages/count_tokens';
const GEMINI = '/models/gemini-2.5-flash:generateContent';
const GEMINI_COUNT = '/models/gemini-2.5-flash:countTokens';
const EMBED = '/models/gemini-embedding-001:embedContent';
const EMBEDDINGS = '/embeddings';
const IMAGES = '/images/generations';
const SPEECH = '/audio/speech';
const RERANK = '/rerank';

const USER = { role: 'user', content: 'Hi' };
const CONTENTS = [{ role: 'user', parts: [{ text: 'Hi' }] }];
const BODIES: Readonly<Record<string, Json>> = {
  [CHAT]: { model: 'gpt-4o', messages: [USER] },
  [COMPLETIONS]: { model: 'gpt-3.5-turbo-instruct', prompt: 'Hi' },
  [RESPONSES]: { model: 'gpt-4o', input: 'Hi' },
  [MESSAGES]: { model: 'claude-haiku-4-5', max_tokens: 9, messages: [USER] },
  [COUNT]: { model: 'claude-haiku-4-5', messages: [USER] },
  [GEMINI]: { contents: CONTENTS },
  [GEMINI_COUNT]: { contents: CONTENTS },
  [EMBED]: { content: CONTENTS[0] },
  [EMBEDDINGS]: { model: 'text-embedding-3-small', input: 'Hi' },
  [IMAGES]: { model: 'gpt-image-1', prompt: 'Hi' },
  [SPEECH]: { model: 'gpt-4o-mini-tts', voice: 'alloy', input: 'Hi' },
  [RERANK]: { model: 'cohere/rerank-v3.5', query: 'Hi', documents: ['a'] },
};
const PATHS = Object.keys(BODIES);
const USAGE = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
const CHOICE = { index: 0, message: { role: 'assistant', content: 'Yes' }, text: 'Yes', finish_reason: 'stop' };
const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text: 'Yes' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: USAGE,
};
const CANDIDATE = { index: 0, content: { role: 'model', parts: [{ text: 'Yes' }] }, finishReason: 'STOP' };
const ANSWERS: Readonly<Record<string, Json>> = {
  [CHAT]: { id: 'c', object: 'chat.completion', created: 1, model: 'm', choices: [CHOICE] },
  [COMPLETIONS]: { id: 'c', object: 'text_completion', created: 1, model: 'm', choices: [CHOICE] },
  [RESPONSES]: { id: 'resp_1', object: 'response', status: 'completed', model: 'm', output: [], usage: USAGE },
  [MESSAGES]: MESSAGE,
  [COUNT]: { input_tokens: 1 },
  [GEMINI]: { candidates: [CANDIDATE] },
  [GEMINI_COUNT]: { totalTokens: 1 },
  [EMBED]: { embedding: { values: [1] } },
  [EMBEDDINGS]: { object: 'list', model: 'm', data: [], usage: { prompt_tokens: 1, total_tokens: 1 } },
  [IMAGES]: { created: 1, data: [{ b64_json: 'AAAA' }] },
  [SPEECH]: {},
  [RERANK]: { id: 'r', results: [] },
};

let made = 0;
const fresh = (prefix: string) => {
  made += 1;
  return `${prefix}_01ABCDEF${made.toString().padStart(6, '0')}`;
};

/** Members that no list names, with the field that errors name. */
const UNKNOWN: readonly [param: string, more: (id: string) => Json][] = [
  ['thread.previous_message_id', (id) => ({ thread: { type: 'continue', previous_message_id: id } })],
  ['Dialog.PreviousTurn', (id) => ({ Dialog: { type: 'continue', PreviousTurn: id } })],
  ['memory_handle', (memory_handle) => ({ memory_handle })],
  ['resume_from', (resume_from) => ({ resume_from })],
  ['sessionId', (sessionId) => ({ sessionId })],
  ['extra_body.parent', (parent) => ({ extra_body: { parent } })],
  ['warm_start', (warm_start) => ({ warm_start })],
];

const EACH = PATHS.flatMap((path) => UNKNOWN.map(([param, more]) => [path, param, more] as const));

describe('a reference that no list names', () => {
  test.each(
    byDayOrNight(
      EACH.filter((_, at) => at % 5 === 0),
      EACH,
    ),
  )('%s: %s is not forwarded unless this key received the id', async (path, param, more) => {
    answersWith(ANSWERS[path] as Json);
    const reply = await call(await someKey(), path, { ...BODIES[path], ...more(fresh('msg')) });
    expect([reply.status, paramOf(reply), sent]).toEqual([404, param, []]);
  });

  test.each([
    [CHAT, { ...BODIES[CHAT], conversation_id: 42 }],
    [CHAT, { ...BODIES[CHAT], id_slot: 3 }],
    [COMPLETIONS, { ...BODIES[COMPLETIONS], slotId: 0 }],
    [CHAT, { ...BODIES[CHAT], id_of_session: 7 }],
    [CHAT, { ...BODIES[CHAT], threadid: 'abc' }],
    [CHAT, { model: 'gpt-4o', messages: [{ ...USER, state: [['abc']] }] }],
    [CHAT, { model: 'gpt-4o', messages: [{ role: 'assistant', id: 'msg_other' }, USER] }],
    [CHAT, { ...BODIES[CHAT], knowledge: { base: 's3://bucket/file' } }],
    [
      CHAT,
      {
        model: 'gpt-4o',
        messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'gs://b/o' } }] }],
      },
    ],
    [CHAT, { ...BODIES[CHAT], source: 'arn:aws:bedrock:eu-west-1:1:knowledge-base/x' }],
    [CHAT, { ...BODIES[CHAT], seed_from: '0b9d3c1e-6f0e-4c8e-9d55-0c8a4c1f7a11' }],
    [
      MESSAGES,
      { ...BODIES[MESSAGES], messages: [{ role: 'user', content: [{ type: 'message_reference', id: 'msg_other' }] }] },
    ],
    [GEMINI, { contents: CONTENTS, previous_interaction_id: 'v1_abc' }],
    [GEMINI, { contents: CONTENTS, tools: [{ corpus: { source: 'corpora/abc' } }] }],
    [RESPONSES, { ...BODIES[RESPONSES], tools: [{ type: 'document_library', library_ids: ['abc'] }] }],
    [RESPONSES, { ...BODIES[RESPONSES], input: [{ type: 'turn_reference', turn_ref: 'abc' }, USER] }],
  ] as [string, Json][])('%s: %j is not forwarded', async (path, body) => {
    answersWith(ANSWERS[path] as Json);
    expect([(await call(await someKey(), path, body)).status, sent]).toEqual([404, []]);
  });

  test('in a form is not forwarded', async () => {
    const form = new FormData();
    form.set('model', 'gpt-image-1');
    form.set('prompt', 'Hi');
    form.set('image', new Blob([Buffer.from('iVBORw0KGgo=', 'base64')], { type: 'image/png' }), 'a.png');
    form.set('parent_image_ref', 'img_other');
    expect([(await call(await someKey(), '/images/edits', form)).status, sent]).toEqual([404, []]);
  });

  test('is none where every provider that may be called takes it as a label', async () => {
    answersWith(ANSWERS[CHAT] as Json);
    const body = { ...BODIES[CHAT], session_id: 'session-1' };
    const reply = await call(await someKey(), CHAT, { ...body, model: 'openrouter/openai/gpt-4o' });
    expect([reply.status, reply.skipped, sent.map((one) => JSON.parse(one).session_id)]).toEqual([
      200,
      [],
      ['session-1'],
    ]);
    expect((await call(await someKey(), CHAT, body)).status).toBe(404);
  });

  test('with a listed prefix passes, is listed as skipped and reserves the context of the model', async () => {
    answersWith(ANSWERS[CHAT] as Json);
    const body = { ...BODIES[CHAT], max_tokens: 9, thread_id: 'shared_1' };
    const { status, skipped } = await call(await someKey(), CHAT, body);
    expect([status, skipped]).toEqual([200, ['thread_id: reference']]);
    const small = await keyOf({ tokenLimit: { tokens: 20_000, period: 'hour' } });
    expect((await call(small, CHAT, body)).status).toBe(400);
    expect((await call(small, CHAT, { ...BODIES[CHAT], max_tokens: 9 })).status).toBe(200);
  });
});

test.each([
  [CHAT, { top_a: 0.5, mirostat: 'v2', metadata: { thread_id: 'x' }, user: '0b9d3c1e-6f0e-4c8e-9d55-0c8a4c1f7a11' }],
  [CHAT, { cache: true, cache_mode: 'aggressive', num_threads: 4, cached_tokens: 12, stop_token_ids: [1, 2] }],
  [
    CHAT,
    { prompt_cache_key: 'user-1', safety_identifier: 'user-1', request_id: 'abc', cache_salt: 'abc', store: false },
  ],
  [
    CHAT,
    {
      structured_outputs: {
        json: { type: 'object', properties: { thread_id: { type: 'string' } }, required: ['thread_id'] },
      },
    },
  ],
  [
    CHAT,
    {
      tools: [
        {
          type: 'function',
          function: { name: 'f', parameters: { properties: { session: { default: 'abc_1234567890' } } } },
        },
      ],
    },
  ],
  [RESPONSES, { prompt_cache_key: 'user-1', metadata: { conversation_id: 'x' } }],
  [MESSAGES, { metadata: { user_id: 'x' }, cache_control: { type: 'ephemeral', ttl: '1h', scope: 'workspace' } }],
  [GEMINI, { labels: { thread_id: 'x' }, safetySettings: [], serviceTier: 'flex' }],
] as [string, Json][])('%s: harmless members pass byte by byte: %j', async (path, more) => {
  answersWith(ANSWERS[path] as Json);
  const body = { ...BODIES[path], ...more };
  expect([(await call(await someKey(), path, body)).status, sent]).toEqual([200, [JSON.stringify(body)]]);
});

let shared: Promise<string> | undefined;
/** The same for every test that owns no ids. */
function someKey(): Promise<string> {
  shared ??= keyOf();
  return shared;
}

const START = { type: 'message_start', message: { ...MESSAGE, content: [], stop_reason: null } };
const CHUNK = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' };
const DELTA = { index: 0, delta: { role: 'assistant', content: 'Yes' }, finish_reason: 'stop' };
const end = (text: string): Json[] => [
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 1 } },
  { type: 'message_stop' },
];

interface Given {
  readonly path: string;
  readonly asks: Json;
  readonly whole: (id: string) => Json;
  readonly streamed: (id: string) => readonly Json[];
  readonly names: (id: string) => Json;
  readonly done?: string;
}

const continued = (id: string): Json => ({ thread: { type: 'continue', previous_message_id: id } });
const GIVEN: Readonly<Record<string, Given>> = {
  'a thread of Claude': {
    path: MESSAGES,
    asks: { thread: { type: 'create' } },
    whole: (id) => ({ ...MESSAGE, id }),
    streamed: (id) => [{ ...START, message: { ...START.message, id } }, ...end('Yes')],
    names: continued,
  },
  'a member of Messages that no list names': {
    path: MESSAGES,
    asks: {},
    whole: (id) => ({ ...MESSAGE, memory: { handle: id } }),
    streamed: (id) => [{ ...START, message: { ...START.message, memory: { handle: id } } }, ...end('Yes')],
    names: (memory_ref) => ({ memory_ref }),
  },
  'a member of a chat completion': {
    path: CHAT,
    asks: {},
    whole: (conversation_id) => ({ ...ANSWERS[CHAT], conversation_id }),
    streamed: (conversation_id) => [{ ...CHUNK, conversation_id, choices: [DELTA] }],
    names: (conversation_id) => ({ conversation_id }),
    done: 'data: [DONE]\n\n',
  },
  'a chat completion that the provider keeps': {
    path: CHAT,
    asks: { thread: 'new' },
    whole: (id) => ({ ...ANSWERS[CHAT], id }),
    streamed: (id) => [{ ...CHUNK, id, choices: [DELTA] }],
    names: continued,
    done: 'data: [DONE]\n\n',
  },
  'a member of a Gemini response': {
    path: GEMINI,
    asks: {},
    whole: (id) => ({ candidates: [CANDIDATE], interaction: { id } }),
    streamed: (id) => [{ candidates: [CANDIDATE], interaction: { id } }],
    names: (previousInteractionId) => ({ previousInteractionId }),
  },
  'a member of a response': {
    path: RESPONSES,
    asks: {},
    whole: (id) => ({ ...ANSWERS[RESPONSES], checkpoint: { id } }),
    streamed: (id) => [
      { type: 'response.completed', sequence_number: 0, response: { ...ANSWERS[RESPONSES], checkpoint: { id } } },
    ],
    names: (checkpoint) => ({ checkpoint }),
  },
};

async function receive(key: string, { path, asks, whole, streamed, done }: Given, id: string, isStream: boolean) {
  if (isStream) streams(streamed(id), done);
  else answersWith(whole(id));
  const at = isStream ? path.replace(':generateContent', ':streamGenerateContent?alt=sse') : path;
  const reply = await call(key, at, { ...BODIES[path], ...asks, ...(isStream && path !== GEMINI && { stream: true }) });
  expect([reply.status, reply.text.includes(id)]).toEqual([200, true]);
  answersWith(ANSWERS[path] as Json);
  sent = [];
}

const CASES = Object.entries(GIVEN).flatMap(([name, given]) => [
  [name, 'a whole response', given] as const,
  [name, 'a stream', given] as const,
]);

test.each(CASES)('the id of %s in %s belongs to the key that received it', async (_, how, given) => {
  const [one, other] = [await keyOf(), await keyOf()];
  const id = fresh('msg');
  await receive(one, given, id, how === 'a stream');
  const body = { ...BODIES[given.path], ...given.names(id) };
  expect([(await call(other, given.path, body)).status, sent]).toEqual([404, []]);
  expect((await call(one, given.path, body)).status).toBe(200);
});

test('an id is sent to no other provider than the one that returned it', async () => {
  const key = await keyOf();
  const id = fresh('conv');
  await receive(key, GIVEN['a member of a chat completion'] as Given, id, false);
  const body = { ...BODIES[CHAT], conversation_id: id };
  expect([(await call(key, CHAT, { ...body, model: 'cohere/command' })).status, sent]).toEqual([404, []]);
  answer = (response) => void response.writeHead(503).end();
  expect((await call(key, CHAT, { ...body, model: 'with-fallback' })).status).toBe(502);
  const models = () => new Set(sent.map((one) => JSON.parse(one).model));
  expect(models()).toEqual(new Set(['gpt-4o']));
  await call(key, CHAT, { ...BODIES[CHAT], model: 'with-fallback' });
  expect(models()).toEqual(new Set(['gpt-4o', 'command']));
});

test('an id that a request itself contains is not bound to its key', async () => {
  const [one, other] = [await keyOf(), await keyOf()];
  answersWith({ ...ANSWERS[CHAT], thread: { id: 'shared_2' } });
  expect((await call(one, CHAT, { ...BODIES[CHAT], thread_id: 'shared_2' })).status).toBe(200);
  expect((await call(other, CHAT, { ...BODIES[CHAT], thread_id: 'shared_2' })).status).toBe(200);
});

describe('a thread of Claude', () => {
  test('is listed as skipped and reserves the context of the model', async () => {
    const key = await keyOf({ tokenLimit: { tokens: 20_000, period: 'hour' } });
    const id = fresh('msg');
    await receive(key, GIVEN['a thread of Claude'] as Given, id, false);
    const body = { ...BODIES[MESSAGES], ...continued(id) };
    expect((await call(key, MESSAGES, body)).status).toBe(400);
    const large = await keyOf();
    await receive(large, GIVEN['a thread of Claude'] as Given, fresh('msg'), true);
    const own = fresh('msg');
    await receive(large, GIVEN['a thread of Claude'] as Given, own, false);
    const { status, skipped } = await call(large, MESSAGES, { ...BODIES[MESSAGES], ...continued(own) });
    expect([status, skipped]).toEqual([200, ['thread: earlier turns']]);
  });

  test('cannot be continued from a response that was blocked, and its client sends the conversation again', async () => {
    const key = await keyOf();
    const id = fresh('msg');
    streams([{ ...START, message: { ...START.message, id } }, ...end('Well. SVC-TEST-BLOCK-7f3a')]);
    const asks = {
      ...BODIES[MESSAGES],
      stream: true,
      thread: { type: 'create' },
      diagnostics: { previous_message_id: null },
    };
    expect((await call(key, MESSAGES, asks)).text).toContain('"stop_reason":"refusal"');
    answersWith(MESSAGE);
    sent = [];
    const { status, error } = await call(key, MESSAGES, { ...BODIES[MESSAGES], ...continued(id) });
    expect([status, error.details, sent]).toEqual([404, { error_code: 'thread_not_found' }, []]);
    // It may still be compared with, as clients do with each last response.
    const again = { ...BODIES[MESSAGES], thread: { type: 'create' }, diagnostics: { previous_message_id: id } };
    expect((await call(key, MESSAGES, again)).status).toBe(200);
  });

  test.each(['gpt-4o', 'gemini/gemini-2.5-flash'])(
    'is refused by name for %s, so that its client omits it',
    async (model) => {
      for (const thread of [{ type: 'create' }, { type: 'continue', previous_message_id: 'msg_1' }]) {
        const { status, error } = await call(await someKey(), MESSAGES, { ...BODIES[MESSAGES], model, thread });
        expect([status, error.param, error.details, sent]).toEqual([
          400,
          'thread',
          { error_code: 'thread_unsupported_request' },
          [],
        ]);
      }
    },
  );
});

const MODELS = { [CHAT]: 'gpt-4o', [MESSAGES]: 'claude-haiku-4-5', [GEMINI]: 'gemini-2.5-flash' };
const PAIRS = [CHAT, COMPLETIONS, RESPONSES, MESSAGES, GEMINI].flatMap((path) =>
  Object.entries(MODELS).flatMap(([api, model]) =>
    api === path || (api === CHAT && (path === RESPONSES || path === COMPLETIONS)) ? [] : [[path, model] as const],
  ),
);

test.each(PAIRS)('%s: with %s a reference is refused by name', async (path, model) => {
  const at = path === GEMINI ? path.replace('gemini-2.5-flash', model) : path;
  const body = { ...BODIES[path], ...(path !== GEMINI && { model }), memory_handle: 'shared_1' };
  const reply = await call(await someKey(), at, body);
  expect([reply.status, paramOf(reply), sent]).toEqual([400, 'memory_handle', []]);
});
