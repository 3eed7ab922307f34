import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { type Deployment, startDeployment } from './deployment.ts';
import { putAdminKey } from './put-admin-key.ts';

const AT_ONCE = 8;

/**
 * A provider that responds only after all requests arrived: with the prompt, in one piece or by words. Concurrent calls from one
 * process show that no request waits for another.
 */
const waiting: (() => void)[] = [];
let provider: Server;
let deployment: Deployment;
let adminKey: string;

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { messages, stream } = JSON.parse(await text(request));
  await new Promise<void>((resolve) => {
    waiting.push(resolve);
    if (waiting.length === AT_ONCE) for (const go of waiting.splice(0)) go();
  });
  const said: string = messages.at(-1).content;
  const common = { id: 'chatcmpl-1', created: 1, model: 'gpt-4o-mini' };
  if (!stream) {
    const choices = [{ index: 0, message: { role: 'assistant', content: said }, finish_reason: 'stop' }];
    const usage = { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 };
    const body = JSON.stringify({ ...common, object: 'chat.completion', choices, usage });
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (choice: object) => {
    const choices = [{ index: 0, finish_reason: null, ...choice }];
    response.write(`data: ${JSON.stringify({ ...common, object: 'chat.completion.chunk', choices })}\n\n`);
  };
  for (const word of said.split(/(?<= )/)) {
    send({ delta: { content: word } });
    await new Promise((resolve) => setImmediate(resolve));
  }
  send({ delta: {}, finish_reason: 'stop' });
  response.end('data: [DONE]\n\n');
}

beforeAll(async () => {
  provider = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(provider, 'listening');
  const OPENAI_BASE_URL = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`;
  const settings = { OPENAI_API_KEY: `sk-${'planted'.repeat(4)}`, OPENAI_BASE_URL };
  deployment = await startDeployment(settings, {}, { instances: 1, concurrency: AT_ONCE });
  adminKey = await putAdminKey(deployment);
});
afterAll(async () => {
  await deployment?.stop();
  provider?.closeAllConnections();
  provider?.close();
});

const post = (url: string, key: string, body: object, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

async function newKey(fields: object): Promise<{ id: string; key: string }> {
  const made = await post(`${deployment.adminUrl}/admin/keys`, adminKey, { name: 'app', ...fields });
  expect(made.status).toBe(201);
  return made.json() as Promise<{ id: string; key: string }>;
}

/** The response's text as the caller reads it. */
async function saidIn(response: Response, stream: boolean): Promise<string> {
  const body = await response.text();
  if (!stream) return JSON.parse(body).choices[0].message.content;
  const events = body.split('\n\n').filter((event) => event.startsWith('data: {'));
  return events.map((event) => JSON.parse(event.slice('data: '.length)).choices[0]?.delta?.content ?? '').join('');
}

test.each([
  ['JSON answers', () => false],
  ['streams', () => true],
  ['both', (at: number) => at % 2 === 0],
])('one process serves eight requests at once, %s, and mixes nothing of them', async (_name, streams) => {
  const asked = await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, at) => {
      const { id, key } = await newKey({ policy: { preset: 'strict' } });
      const secret = `mail${at}.${crypto.randomUUID().slice(0, 8)}@firma-${at}.de`;
      return { id, key, secret, session: `session-${at}`, stream: streams(at) };
    }),
  );
  const answers = await Promise.all(
    asked.map(async ({ key, secret, session, stream }) => {
      // Each has the same words but for what is its own, which is hidden from the provider and comes back.
      const content = `Please write a short letter to ${secret} about the garden, then one more to ${secret} again.`;
      const body = { model: 'gpt-4o-mini', stream, messages: [{ role: 'user', content }] };
      const response = await post(`${deployment.baseUrl}/chat/completions`, key, body, { 'x-session-id': session });
      return { status: response.status, headers: response.headers, content, said: await saidIn(response, stream) };
    }),
  );
  for (const [at, { status, headers, content, said }] of answers.entries()) {
    expect([status, said]).toEqual([200, content]);
    expect(headers.get('x-svc-session-id')).toBe(asked[at]?.session);
  }
  const ids = answers.map(({ headers }) => headers.get('x-request-id'));
  expect(new Set(ids).size).toBe(AT_ONCE);

  // The records say the same: each request is its own key's.
  const recorded = await eventually(async () => {
    const listed = await fetch(`${deployment.adminUrl}/analytics/requests?limit=100`, {
      headers: { authorization: `Bearer ${adminKey}` },
    });
    const { data } = (await listed.json()) as { data: { id: string; keyId: string; sessionId: string | null }[] };
    const found = ids.map((id) => data.find((record) => record.id === id));
    return found.every((record) => record !== undefined) ? found : undefined;
  });
  expect(recorded.map((record) => record?.keyId)).toEqual(asked.map(({ id }) => id));
  const logs = deployment.logs().join('\n');
  for (const { secret, key } of asked) expect([logs.includes(secret), logs.includes(key)]).toEqual([false, false]);
});

test('admits exactly as many concurrent requests of one process as a limit allows', async () => {
  const { key } = await newKey({ rateLimit: { requests: 5, period: 'hour' } });
  const body = { model: 'echo', messages: [{ role: 'user', content: 'Hello' }] };
  const statuses = await Promise.all(
    Array.from({ length: 4 * AT_ONCE }, async () => {
      const response = await post(`${deployment.baseUrl}/chat/completions`, key, body);
      await response.text();
      return response.status;
    }),
  );
  expect(statuses.filter((status) => status === 200)).toHaveLength(5);
  expect(statuses.filter((status) => status === 429)).toHaveLength(4 * AT_ONCE - 5);
});
