/** One gateway and one provider for the tests of a file that imports this. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { startLocalProcess } from '../../contract/local-process.ts';
import type { Service } from '../../contract/service.ts';
import { WITHOUT_EVENTS } from '../../support/quick-start.ts';

export type Json = Record<string, unknown>;

/** Acts as every provider. */
export let sent: string[] = [];
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
      ...WITHOUT_EVENTS,
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

export async function keyOf(more: Json = {}): Promise<string> {
  const permissions = ['chat_completions', 'completions', 'embeddings', 'images', 'audio'];
  const response = await fetch(`${service.adminUrl}/admin/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'ids', permissions, rateLimit: { requests: 1e6, period: 'hour' }, ...more }),
  });
  return ((await response.json()) as { key: string }).key;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly error: Json;
  readonly skipped: readonly string[];
}

export async function call(key: string, path: string, body: Json | FormData): Promise<Reply> {
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

export function answersWith(value: Json): void {
  answer = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };
}

export function streams(events: readonly Json[], end = ''): void {
  answer = (response) => {
    const lines = events.map((one) => `${one.type ? `event: ${one.type}\n` : ''}data: ${JSON.stringify(one)}\n\n`);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(lines.join('') + end);
  };
}

export function failsWith(status: number): void {
  answer = (response) => void response.writeHead(status).end();
}

/** The requests so far are counted no more. */
export function forgetSent(): void {
  sent = [];
}

export const CHAT = '/chat/completions';
export const COMPLETIONS = '/completions';
export const RESPONSES = '/responses';
export const MESSAGES = '/messages';
const COUNT = '/messages/count_tokens';
export const GEMINI = '/models/gemini-2.5-flash:generateContent';
const GEMINI_COUNT = '/models/gemini-2.5-flash:countTokens';
const EMBED = '/models/gemini-embedding-001:embedContent';
const EMBEDDINGS = '/embeddings';
const IMAGES = '/images/generations';
const SPEECH = '/audio/speech';
const RERANK = '/rerank';

export const USER = { role: 'user', content: 'Hi' };
export const CONTENTS = [{ role: 'user', parts: [{ text: 'Hi' }] }];
export const BODIES: Readonly<Record<string, Json>> = {
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
const USAGE = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
const CHOICE = { index: 0, message: { role: 'assistant', content: 'Yes' }, text: 'Yes', finish_reason: 'stop' };
export const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text: 'Yes' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: USAGE,
};
export const CANDIDATE = { index: 0, content: { role: 'model', parts: [{ text: 'Yes' }] }, finishReason: 'STOP' };
export const ANSWERS: Readonly<Record<string, Json>> = {
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
export const fresh = (prefix: string) => {
  made += 1;
  return `${prefix}_01ABCDEF${made.toString().padStart(6, '0')}`;
};

let shared: Promise<string> | undefined;
/** The same for every test that owns no ids. */
export function someKey(): Promise<string> {
  shared ??= keyOf();
  return shared;
}
