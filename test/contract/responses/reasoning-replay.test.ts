import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { WITHOUT_EVENTS } from '../../support/quick-start.ts';
import { Contract } from '../contract.ts';
import { GITHUB_TOKEN } from '../inspection/planted-secret.ts';
import { startLocalProcess } from '../local-process.ts';
import type { ProviderSettings } from '../service.ts';

const THOUGHT = 'The user wants the weather at sea.';
const CALL = { id: 'call_1', name: 'look', arguments: '{"at":"sea"}' };
const SCHEMA = { type: 'object', properties: { at: { type: 'string' } } };

const settings = ({ OPENAI_BASE_URL }: ProviderSettings) => ({
  DEEPSEEK_API_KEY: 'planted-deepseek-key',
  DEEPSEEK_BASE_URL: OPENAI_BASE_URL,
  MISTRAL_API_KEY: 'planted-mistral-key',
  MISTRAL_BASE_URL: OPENAI_BASE_URL,
  FIREWORKS_API_KEY: 'planted-fireworks-key',
  FIREWORKS_BASE_URL: OPENAI_BASE_URL,
  TOGETHER_API_KEY: 'planted-together-key',
  TOGETHER_BASE_URL: OPENAI_BASE_URL,
  SVC_PROVIDERS: 'house',
  HOUSE_BASE_URL: OPENAI_BASE_URL,
});
const contract = new Contract(
  (providers) => startLocalProcess({ ...providers, ...settings(providers) } as ProviderSettings, WITHOUT_EVENTS),
  {},
);
let key: string;
beforeAll(async () => {
  await contract.start();
  key = await contract.newKey({ permissions: ['chat_completions'] });
});
afterAll(() => contract.stop());
beforeEach(() => contract.upstream.reset());

// biome-ignore lint/suspicious/noExplicitAny: four APIs' bodies
type Any = any;

/** A protocol's requests, and what its clients keep of a response. */
interface Client {
  readonly path: (model: string, stream: boolean) => string;
  readonly first: (model: string) => Any;
  /** The model's turn of a whole response, or of the events of a stream. */
  readonly turnOf: (whole: Any, events: readonly Any[]) => Any;
  readonly next: (first: Any, turn: Any) => Any;
}

const tool = { name: 'look', description: 'Looks.' };
const CLIENTS: Readonly<Record<string, Client>> = {
  'chat completions': {
    path: () => '/chat/completions',
    first: (model) => ({
      model,
      messages: [{ role: 'user', content: 'Hi' }],
      tools: [{ type: 'function', function: { ...tool, parameters: SCHEMA } }],
    }),
    turnOf: (whole, events) => whole?.choices[0].message ?? joinedChunks(events),
    next: (first, turn) => ({
      ...first,
      messages: [...first.messages, turn, { role: 'tool', tool_call_id: 'call_1', content: 'sunny' }],
    }),
  },
  responses: {
    path: () => '/responses',
    first: (model) => ({
      model,
      store: false,
      input: [{ role: 'user', content: 'Hi' }],
      tools: [{ type: 'function', ...tool, parameters: SCHEMA }],
    }),
    turnOf: (whole, events) => (whole ?? events.at(-1).response).output,
    next: (first, turn) => ({
      ...first,
      input: [...first.input, ...turn, { type: 'function_call_output', call_id: 'call_1', output: 'sunny' }],
    }),
  },
  messages: {
    path: () => '/messages',
    first: (model) => ({
      model,
      max_tokens: 500,
      messages: [{ role: 'user', content: 'Hi' }],
      tools: [{ ...tool, input_schema: SCHEMA }],
    }),
    turnOf: (whole, events) => whole?.content ?? joinedBlocks(events),
    next: (first, content) => ({
      ...first,
      messages: [
        ...first.messages,
        { role: 'assistant', content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'sunny' }] },
      ],
    }),
  },
  gemini: {
    path: (model, stream) =>
      `/v1beta/models/${encodeURIComponent(model)}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    first: () => ({
      contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
      tools: [{ functionDeclarations: [{ ...tool, parametersJsonSchema: SCHEMA }] }],
    }),
    turnOf: (whole, events) =>
      (whole === undefined ? events : [whole]).flatMap((one) => one.candidates.flatMap((c: Any) => c.content.parts)),
    next: (first, parts) => ({
      ...first,
      contents: [
        ...first.contents,
        { role: 'model', parts },
        { role: 'user', parts: [{ functionResponse: { name: 'look', response: { weather: 'sunny' } } }] },
      ],
    }),
  },
};
const NAMES = Object.keys(CLIENTS);
const OTHERS = NAMES.filter((name) => name !== 'chat completions');

function joinedChunks(events: readonly Any[]): Any {
  const deltas = events.flatMap(({ choices }) => choices.map(({ delta }: Any) => delta));
  const reasoning = deltas.map(({ reasoning_content: text = '' }) => text).join('');
  const calls = {
    tool_calls: [{ id: CALL.id, type: 'function', function: { name: 'look', arguments: CALL.arguments } }],
  };
  return { role: 'assistant', content: null, reasoning_content: reasoning, ...calls };
}

function joinedBlocks(events: readonly Any[]): Any {
  const blocks: Any[] = [];
  for (const { type, index, content_block, delta } of events) {
    if (type === 'content_block_start') blocks[index] = { ...content_block };
    if (delta?.type === 'thinking_delta') blocks[index].thinking += delta.thinking;
  }
  return blocks.map((block) => (block.type === 'tool_use' ? { ...block, input: { at: 'sea' } } : block));
}

async function ask(path: string, body: Any) {
  const base = path.startsWith('/v1beta') ? contract.service.baseUrl.replace(/\/v1$/, '') : contract.service.baseUrl;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(`${base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  const data = text.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []));
  const whole = data.length > 0 ? undefined : JSON.parse(text);
  return { status: response.status, text, whole, data };
}

/** The first turn of a tool loop at a model that reasons. @returns its request, and what the client keeps of the response */
async function firstTurn(client: Client, model: string, stream: boolean) {
  const { path, first, turnOf } = client;
  contract.upstream.next({ reasoning: THOUGHT, toolCalls: [CALL] });
  const body = { ...first(model), ...(stream && !path(model, true).includes('?') && { stream: true }) };
  const { status, whole, data } = await ask(path(model, stream), body);
  expect(status).toBe(200);
  return { body, turn: turnOf(whole, data) };
}

const sentMessages = () => JSON.parse(contract.sent.body).messages;
const REASONED = { role: 'assistant', reasoning_content: THOUGHT, tool_calls: [{ id: CALL.id }] };

describe.each(NAMES)('a tool loop of %s at a model that requires its reasoning back', (name) => {
  const client = CLIENTS[name] as Client;

  test.each([
    ['deepseek/deepseek-v4-pro', false],
    ['deepseek/deepseek-v4-pro', true],
    ['house/kimi-k2.6', false],
    ['house/kimi-k2.6', true],
    ['fireworks/accounts/fireworks/models/qwen3p8-max', false],
    ['together/moonshotai/Kimi-K3', true],
  ])('goes on: %s, streamed: %s', async (model, stream) => {
    const { body, turn } = await firstTurn(client, model, stream);
    const { status } = await ask(client.path(model, stream), client.next(body, turn));
    expect(status).toBe(200);
    // Gemini's calls have no ids of the provider.
    const calls = name === 'gemini' ? [{ function: { name: 'look' } }] : REASONED.tool_calls;
    expect(sentMessages()[1]).toMatchObject({ ...REASONED, tool_calls: calls });
  });

  test('goes on after another model began it, whose reasoning is unknown', async () => {
    contract.upstream.next({ toolCalls: [CALL] });
    const body = client.first('house/plain-model');
    const { whole } = await ask(client.path('house/plain-model', false), body);
    const next = client.next({ ...body, model: 'deepseek/deepseek-v4-pro' }, client.turnOf(whole, []));
    expect((await ask(client.path('deepseek/deepseek-v4-pro', false), next)).status).toBe(200);
    expect(sentMessages()[1].reasoning_content).toBe('.');
  });
});

test('a loop of Messages without thinking goes on without reasoning, and its provider does not think', async () => {
  const client = CLIENTS.messages as Client;
  contract.upstream.next({ toolCalls: [CALL] });
  const body = { ...client.first('deepseek/deepseek-v4-pro'), thinking: { type: 'disabled' } };
  const { whole } = await ask('/messages', body);
  const { status, whole: last } = await ask('/messages', client.next(body, client.turnOf(whole, [])));
  expect([status, last.svc.warnings]).toEqual([200, undefined]);
  expect(JSON.parse(contract.sent.body).thinking).toEqual({ type: 'disabled' });
  expect(contract.sent.body).not.toContain('reasoning');
});

test('reasoning that a client refers to by its id is found', async () => {
  const client = CLIENTS.responses as Client;
  const model = 'deepseek/deepseek-v4-pro';
  contract.upstream.next({ reasoning: THOUGHT, toolCalls: [CALL] });
  const { store: _, ...first } = client.first(model);
  const { whole } = await ask('/responses', first);
  const references = whole.output.map(({ id }: Any) => ({ type: 'item_reference', id }));
  expect((await ask('/responses', client.next(first, references))).status).toBe(200);
  expect(sentMessages()[1]).toMatchObject(REASONED);
});

test('an id of reasoning without its text is no error', async () => {
  const client = CLIENTS.responses as Client;
  const { body, turn } = await firstTurn(client, 'deepseek/deepseek-v4-pro', false);
  const bare = turn.map(({ content, ...item }: Any) => (item.type === 'reasoning' ? item : { ...item, content }));
  for (const model of ['deepseek/deepseek-v4-pro', 'gpt-4o-mini']) {
    expect((await ask('/responses', client.next({ ...body, model }, bare))).status).toBe(200);
    expect(contract.sent.body).not.toContain('"rs_');
  }
});

describe.each(OTHERS)('reasoning of another provider in a session of %s', (name) => {
  const client = CLIENTS[name] as Client;
  const OWN: Readonly<Record<string, string>> = { responses: 'gpt-4o-mini', messages: 'claude-sonnet-4-5' };

  test.each([false, true])('is left out for a model that takes none, with a warning; streamed: %s', async (stream) => {
    const { body, turn } = await firstTurn(client, 'deepseek/deepseek-v4-pro', stream);
    const model = OWN[name] ?? 'claude-sonnet-4-5';
    const next = client.next({ ...body, model, stream: undefined }, turn);
    const { status, whole } = await ask(client.path(model, false), next);
    expect(status).toBe(200);
    expect(contract.sent.body).not.toContain('wants the weather');
    expect(whole.svc.warnings).toMatchObject([{ code: 'field_dropped' }]);
    expect(whole.svc.warnings[0].field).toMatch(
      /^(?:input\[1\]|messages\[1\]\.content\[0\]|contents\[1\]\.parts\[0\])$/,
    );
  });
});

test('reasoning in a chat is left out for a server that refuses it, with a warning', async () => {
  const client = CLIENTS['chat completions'] as Client;
  const { body, turn } = await firstTurn(client, 'deepseek/deepseek-v4-pro', false);
  for (const model of ['mistral/mistral-large-2512', 'claude-sonnet-4-5']) {
    const { status, whole } = await ask('/chat/completions', client.next({ ...body, model }, turn));
    expect([model, status]).toEqual([model, 200]);
    expect(contract.sent.body).not.toContain('wants the weather');
    expect(whole.svc.warnings.map(({ field }: Any) => field)).toEqual(['messages[1].reasoning_content']);
  }
});

test.each(['deepseek/deepseek-v4-pro', 'fireworks/accounts/fireworks/models/qwen3p8-max'])(
  'another name of the reasoning in a chat becomes that of the server: %s',
  async (model) => {
    const client = CLIENTS['chat completions'] as Client;
    const { body, turn } = await firstTurn(client, model, false);
    const { reasoning_content: reasoning, ...rest } = turn;
    for (const turn of [
      { ...rest, reasoning },
      { ...rest, reasoning_details: [{ type: 'reasoning.text', text: THOUGHT, format: null }] },
      { ...rest, content: [{ type: 'thinking', thinking: [{ type: 'text', text: THOUGHT }] }] },
    ]) {
      expect((await ask('/chat/completions', client.next(body, turn))).status).toBe(200);
      expect(sentMessages()[1]).toMatchObject({ content: null, reasoning_content: THOUGHT });
    }
  },
);

test('reasoning in a chat becomes a part of its content for a model of Mistral that reasons, and is none for others', async () => {
  const client = CLIENTS['chat completions'] as Client;
  const { body, turn } = await firstTurn(client, 'deepseek/deepseek-v4-pro', false);
  const part = { type: 'thinking', thinking: [{ type: 'text', text: THOUGHT }] };
  const { reasoning_content: _, ...plain } = { ...turn, content: 'Well' };
  for (const replayed of [
    { ...turn, content: 'Well' },
    { ...plain, content: [part, { type: 'text', text: 'Well' }] },
  ]) {
    const next = (model: string) => client.next({ ...body, model }, replayed);
    expect((await ask('/chat/completions', next('mistral/magistral-medium-2509'))).status).toBe(200);
    expect(sentMessages()[1]).toEqual({ ...plain, content: [part, { type: 'text', text: 'Well' }] });
    expect((await ask('/chat/completions', next('mistral/mistral-large-2512'))).status).toBe(200);
    expect(contract.sent.body).not.toContain('wants the weather');
  }
});

describe.each(NAMES)('reasoning in %s', (name) => {
  const client = CLIENTS[name] as Client;

  test('is inspected in the history like any text', async () => {
    const { body, turn } = await firstTurn(client, 'deepseek/deepseek-v4-pro', false);
    const planted = JSON.parse(JSON.stringify(turn).replaceAll(THOUGHT, `Use ${GITHUB_TOKEN} there.`));
    const { text } = await ask(client.path('deepseek/deepseek-v4-pro', false), client.next(body, planted));
    expect(text).toContain('"category":"github_token"');
  });

  test.each([false, true])('is inspected in a response; streamed: %s', async (stream) => {
    contract.upstream.next({ reasoning: `I read ${GITHUB_TOKEN} there.`, text: 'Done.' });
    const model = 'deepseek/deepseek-v4-pro';
    const asked = { ...client.first(model), ...(stream && name !== 'gemini' && { stream: true }) };
    const { status, text } = await ask(client.path(model, stream), asked);
    expect(status).toBe(200);
    expect(text).toContain('"category":"github_token"');
  });
});
