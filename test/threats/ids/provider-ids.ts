/** Two gateways and one provider for the tests of a file that imports this. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { startLocalProcess } from '../../contract/local-process.ts';
import type { Service } from '../../contract/service.ts';
import { WITHOUT_EVENTS } from '../../support/quick-start.ts';

export type Json = Record<string, unknown>;

/** Acts as every provider: responds with `answer`, whole or streamed, and records requests. */
export let sent: { path: string; body: string }[] = [];
let answer: (response: ServerResponse) => void;
const provider = createServer(async (request, response) => {
  sent.push({ path: request.url ?? '', body: await text(request) });
  answer(response);
});
export function answersWith(value: Json): void {
  answer = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };
}

export function streams(events: readonly Json[], end = ''): void {
  answer = (response) => {
    const named = (event: Json) => (typeof event.type === 'string' ? `event: ${event.type}\n` : '');
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`${events.map((one) => `${named(one)}data: ${JSON.stringify(one)}\n\n`).join('')}${end}`);
  };
}

/** The requests so far are counted no more. */
export function forgetSent(): void {
  sent = [];
}

/** By default no id made outside passes; `open` lets some prefixes through. */
const FOREIGN = 'file-, cachedContents/, resp_, files/,container_,gs://shared/';
export let closed: Service;
export let open: Service;
beforeAll(async () => {
  provider.listen(0, '127.0.0.1');
  await once(provider, 'listening');
  const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const providers = {
    OPENAI_API_KEY: 'k',
    OPENAI_BASE_URL: `${url}/v1`,
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_BASE_URL: url,
  };
  const more = { GEMINI_API_KEY: 'k', GEMINI_BASE_URL: url, ...WITHOUT_EVENTS };
  closed = await startLocalProcess(providers, more);
  open = await startLocalProcess(providers, { ...more, SVC_FOREIGN_IDS: FOREIGN });
});
afterAll(async () => {
  await closed?.stop();
  await open?.stop();
  provider.closeAllConnections();
  provider.close();
});
beforeEach(() => {
  sent = [];
  answersWith({});
});

export async function keyOf(service: Service, policy?: Json): Promise<string> {
  const response = await fetch(`${service.adminUrl}/admin/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'ids', rateLimit: { requests: 1e6, period: 'hour' }, ...(policy && { policy }) }),
  });
  return ((await response.json()) as { key: string }).key;
}

const someKeys = new Map<Service, Promise<string>>();
/** A key of this service, the same for every test that owns no ids. */
export function someKey(service: Service): Promise<string> {
  const key = someKeys.get(service) ?? keyOf(service);
  someKeys.set(service, key);
  return key;
}

interface Told {
  readonly status: number;
  readonly param: unknown;
  readonly code: unknown;
  readonly text: string;
}

export async function call(service: Service, key: string, path: string, body: Json): Promise<Told> {
  const response = await fetch(`${service.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answered = await response.text();
  let error: Json = {};
  try {
    error = (JSON.parse(answered) as { error?: Json }).error ?? {};
  } catch {
    // A stream.
  }
  return { status: response.status, param: error.param, code: error.code, text: answered };
}

export const RESPONSES = '/responses';
export const CHAT = '/chat/completions';
export const MESSAGES = '/messages';
export const GEMINI = '/models/gemini-2.5-flash:generateContent';

export const responses = (more: Json): Json => ({ model: 'gpt-4o', input: 'Hi', ...more });
export const inputOf = (item: Json): Json => responses({ input: [item, { role: 'user', content: 'Go on' }] });
export const said = (...parts: Json[]): Json => ({ model: 'gpt-4o', messages: [{ role: 'user', content: parts }] });
export const messages = (more: Json): Json => ({
  model: 'claude-haiku-4-5',
  max_tokens: 9,
  messages: [{ role: 'user', content: 'Hi' }],
  ...more,
});
export const blocks = (...content: Json[]): Json => messages({ messages: [{ role: 'user', content }] });
export const contents = (...parts: Json[]): Json => ({ contents: [{ role: 'user', parts }] });
export const hi = contents({ text: 'Hi' });
export const file = (id: string): Json => ({ type: 'file', file_id: id });

const USAGE = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };

export function wholeAnswer(path: string, more: Json): Json {
  switch (path) {
    case RESPONSES:
      return {
        id: fresh('resp_'),
        object: 'response',
        status: 'completed',
        model: 'gpt-4o',
        output: [],
        usage: USAGE,
        ...more,
      };
    case CHAT: {
      const message = { role: 'assistant', content: 'Yes', ...more };
      return {
        id: 'c',
        object: 'chat.completion',
        created: 1,
        model: 'm',
        choices: [{ index: 0, message, finish_reason: 'stop' }],
      };
    }
    case MESSAGES:
      return {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: 'end_turn',
        usage: USAGE,
        ...more,
      };
    default:
      return {
        candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'Yes' }] }, finishReason: 'STOP', ...more }],
      };
  }
}

let made = 0;
export const fresh = (prefix: string): string => {
  made += 1;
  return `${prefix}${made.toString().padStart(8, '0')}`;
};
export const citing = (annotation: Json): Json => ({
  type: 'message',
  id: fresh('msg_'),
  role: 'assistant',
  status: 'completed',
  content: [
    { type: 'output_text', text: 'See', annotations: [{ start_index: 0, end_index: 1, filename: 'a', ...annotation }] },
  ],
});
export const filesApi = (id: string) => `https://generativelanguage.googleapis.com/v1beta/${id}`;
