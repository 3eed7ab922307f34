import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { type Deployment, startDeployment } from './deployment.ts';
import { putAdminKey } from './put-admin-key.ts';

const PLANTED = ['first', 'second', 'third'].map((name) => `sk-planted-${name}-${'h5Qe7'.repeat(5)}`);
const [FIRST, SECOND, THIRD] = PLANTED as [string, string, string];

/** A provider that takes one key and repeats any other in its refusal, as some do. */
let accepted = FIRST;
const asked: string[] = [];
let provider: Server;
let deployment: Deployment;
let adminKey: string;
let baseUrl: string;

beforeAll(async () => {
  provider = createServer((request, response) => {
    const key = request.headers.authorization?.replace('Bearer ', '') ?? '';
    asked.push(key);
    const json = { 'content-type': 'application/json' };
    if (key !== accepted) {
      const message = `Incorrect API key provided: ${key}`;
      response.writeHead(401, json).end(JSON.stringify({ error: { message, type: 'x', code: 'invalid_api_key' } }));
      return;
    }
    const choices = [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }];
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const answer = { id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'gpt-4o-mini', choices, usage };
    response.writeHead(200, json).end(JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  await once(provider, 'listening');
  baseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`;
  deployment = await startDeployment({
    OPENAI_API_KEY: FIRST,
    OPENAI_BASE_URL: baseUrl,
    ANTHROPIC_API_KEY: FIRST,
    ANTHROPIC_BASE_URL: 'no address',
  });
  adminKey = await putAdminKey(deployment);
});
afterAll(async () => {
  await deployment?.stop();
  provider?.close();
});

async function ask(model = 'gpt-4o-mini') {
  asked.length = 0;
  const response = await fetch(`${deployment.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
  });
  return { status: response.status, route: response.headers.get('x-svc-route'), text: await response.text() };
}

const rotateTo = (key: string) => deployment.rotateProviders({ OPENAI_API_KEY: key, OPENAI_BASE_URL: baseUrl });

test('a base URL that is no address fails the requests of its provider alone, and is logged by name', async () => {
  const { status, text } = await ask('claude-haiku-4-5');
  expect(status).toBe(502);
  expect(text).toContain('ANTHROPIC_BASE_URL must');
  expect([(await ask()).status, asked]).toEqual([200, [FIRST]]);
  await eventually(() => deployment.logs().find((line) => line.includes('ANTHROPIC_BASE_URL must')));
  expect(deployment.logs().join('\n')).not.toContain('no address');
});

/** Each function caches the secret separately, and the test cannot choose which of the two responds. */
test("a provider's key is rotated while the gateway runs, and no caller sees it", async () => {
  expect([(await ask()).status, asked]).toEqual([200, [FIRST]]);
  for (const key of [SECOND, THIRD]) {
    rotateTo(key);
    accepted = key;
    const routes: string[] = [];
    for (let count = 0; count < 6; count += 1) {
      const { status, route } = await ask();
      expect([status, asked.at(-1), asked.length <= 2]).toEqual([200, key, true]);
      routes.push(route ?? '');
    }
    const renewed = 'openai/gpt-4o-mini;provider_error, openai/gpt-4o-mini';
    const renewals = routes.filter((route) => route === renewed).length;
    // Once in each function that had the old key.
    expect([1, 2]).toContain(renewals);
    expect(routes.filter((route) => route === 'openai/gpt-4o-mini')).toHaveLength(routes.length - renewals);
  }
});

test('a secret that cannot be read leaves the last one in use, and is logged without its text', async () => {
  deployment.rotateProviders(`{"OPENAI_API_KEY":"${FIRST}`);
  accepted = SECOND;
  // Refused, it is read again; the key is what it was.
  expect([(await ask()).status, asked.at(-1)]).toEqual([502, THIRD]);
  await eventually(() => deployment.logs().find((line) => line.includes('is not a JSON object of strings')));
  accepted = THIRD;
  expect([(await ask()).status, asked]).toEqual([200, [THIRD]]);
  rotateTo(THIRD);
});

test('a key that the provider refuses is a 502, and is in no output', async () => {
  accepted = 'another';
  const answers = [await ask(), await ask(), await ask()];
  expect(answers.map(({ status }) => status)).toEqual([502, 502, 502]);
  expect(asked).toEqual([THIRD]);
  await eventually(() => deployment.logs().find((line) => line.includes('refused our credentials')));
  const shown = [...answers.map(({ text }) => text), ...deployment.logs()].join('\n');
  for (const key of PLANTED) expect(shown).not.toContain(key);
});
