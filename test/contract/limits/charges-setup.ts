/** A provider and a service with known prices for the tests of a file that imports this. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { WITHOUT_EVENTS } from '../../support/quick-start.ts';
import { Contract } from '../contract.ts';
import { startLocalProcess } from '../local-process.ts';

export type Json = Record<string, unknown>;

/** All providers at one address, by path. Each responds with the next body: JSON, or the events of a stream. */
export const provider: { answer: Json | readonly Json[] } = { answer: {} };
export const sent: Json[] = [];
const server = createServer(async (request, response) => {
  if (request.method === 'POST') sent.push(JSON.parse(await text(request)));
  const isStream = Array.isArray(provider.answer);
  response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
  if (!isStream) return response.end(JSON.stringify(provider.answer));
  for (const event of provider.answer as readonly Json[]) {
    const name = typeof event.type === 'string' ? `event: ${event.type}\n` : '';
    response.write(`${name}data: ${JSON.stringify(event)}\n\n`);
  }
  response.end(
    sent.at(-1)?.stream === true && !JSON.stringify(provider.answer).includes('"type"') ? 'data: [DONE]\n\n' : '',
  );
});

export const contract = new Contract((providers) => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return startLocalProcess(providers, {
    ...{ OPENAI_API_KEY: 'planted-openai', OPENAI_BASE_URL: `${url}/openai/v1` },
    ...{ ANTHROPIC_API_KEY: 'planted-anthropic', ANTHROPIC_BASE_URL: url },
    ...{ GEMINI_API_KEY: 'planted-gemini', GEMINI_BASE_URL: url },
    ...{ XAI_API_KEY: 'planted-xai', XAI_BASE_URL: `${url}/xai/v1` },
    ...{ OPENROUTER_API_KEY: 'planted-openrouter', OPENROUTER_BASE_URL: `${url}/openrouter/v1` },
    ...{ DEEPSEEK_API_KEY: 'planted-deepseek', DEEPSEEK_BASE_URL: `${url}/deepseek/v1` },
    ...{ MISTRAL_API_KEY: 'planted-mistral', MISTRAL_BASE_URL: `${url}/mistral/v1` },
    ...WITHOUT_EVENTS,
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

export const EVERY = ['chat_completions'];
export const hi = [{ role: 'user', content: 'Hi' }];
export const completion = (usage: Json, fields: Json = {}) => ({
  ...{ id: 'c-1', object: 'chat.completion', created: 1, model: 'm' },
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  ...{ usage, ...fields },
});
export const chunks = (usage: Json, fields: Json = {}) => {
  const head = { id: 'c-1', object: 'chat.completion.chunk', created: 1, model: 'm', ...fields };
  return [
    { ...head, choices: [{ index: 0, delta: { role: 'assistant', content: 'Hello' }, finish_reason: null }] },
    { ...head, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { ...head, choices: [], usage },
  ];
};
export const message = (usage: Json) => ({
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn', stop_sequence: null },
  ...{ content: [{ type: 'text', text: 'Hello' }], usage },
});
export const messageEvents = (usage: Json) => [
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
export async function made(path: string, body: Json, fields: Json = {}): Promise<Made> {
  const { id, key } = await contract.createKey({ permissions: EVERY, ...fields });
  const reply = await contract.call(path, JSON.stringify(body), { key });
  const { json } = await contract.settled(
    () => contract.analytics(`/requests?keyId=${id}`),
    ({ json }) => json.data.length > 0,
  );
  return { status: reply.status, json: reply.json as Json, record: json.data[0] };
}

/** What a request takes from its key's budget. Settlements are background tasks. */
export async function spent(
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
