import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Contract, saying } from '../../contract/contract.ts';
import { startLocalProcess } from '../../contract/local-process.ts';
import type { Reply } from '../../contract/reply.ts';
import { PLANTED } from '../../contract/service.ts';
import { WITHOUT_EVENTS } from '../../support/quick-start.ts';

const LAB_KEY = `sk-planted-lab-${'m3Xc7'.repeat(6)}`;
const KEYS = [PLANTED.openaiKey, PLANTED.anthropicKey, LAB_KEY];

/** `lab` is a server of the settings with a key. */
const contract = new Contract(
  (providers) =>
    startLocalProcess(providers, {
      ...WITHOUT_EVENTS,
      SVC_PROVIDERS: 'lab',
      LAB_BASE_URL: String(providers.OPENAI_BASE_URL),
      LAB_API_KEY: LAB_KEY,
    }),
  {},
);
/** Where an administrator who wants the keys sends requests: it responds to everything, and notes what it got. */
let other: Server;
let otherUrl: string;
const received: { path: string; headers: IncomingHttpHeaders; body: string }[] = [];

beforeAll(async () => {
  other = createServer((request, response) => {
    let body = '';
    request.on('data', (bytes) => {
      body += bytes;
    });
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body });
      const choices = [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }];
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ id: 'x', object: 'chat.completion', created: 1, model: 'm', choices }));
    });
  }).listen(0, '127.0.0.1');
  await Promise.all([once(other, 'listening'), contract.start()]);
  otherUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
});
afterAll(async () => {
  other.closeAllConnections();
  other.close();
  await contract.stop();
});
beforeEach(() => {
  received.length = 0;
  contract.upstream.reset();
});

const change = async (method: string, path: string, body?: object): Promise<Reply> => {
  const reply = await contract.admin(method, `/providers${path}`, body);
  expect([200, 201]).toContain(reply.status);
  return reply;
};
/** The first response for the model that the other server gave: a change takes effect within 10 s. */
const untilReceived = (model: string) =>
  contract.settled(
    () => contract.chat(saying('Hi', model)),
    () => received.some(({ path }) => !path.endsWith('/models')),
  );

describe('a caller with the right to change a base URL', () => {
  test.each([
    ['openai', 'openai', 'gpt-4o-mini'],
    ['openai', 'anthropic', 'gpt-4o-mini'],
    ['anthropic', 'anthropic', 'claude-haiku-4-5'],
    ['anthropic', 'gemini', 'claude-haiku-4-5'],
    ['lab', 'openai', 'lab/llama'],
    ['lab', 'azure', 'lab/llama'],
  ])('receives no key of the settings: %s with the protocol %s', async (name, protocol, model) => {
    await change('PATCH', `/${name}`, { protocol, baseUrl: `${otherUrl}/v1` });
    await untilReceived(model);
    await contract.call('/models', undefined);
    await change('POST', `/${name}/test`, { model: 'm' });
    const text = JSON.stringify(received);
    for (const key of KEYS) expect(text).not.toContain(key);
    await change('DELETE', `/${name}`);
  });

  test.each(['openai-', 'azure-openai', 'lab-2'])('receives none by the name %s', async (name) => {
    await change('POST', '', { name, protocol: 'openai', baseUrl: `${otherUrl}/v1` });
    const { json } = await untilReceived(`${name}/m`);
    expect(json.choices[0].message.content).toBe('Hi');
    for (const key of KEYS) expect(JSON.stringify(received)).not.toContain(key);
    await change('DELETE', `/${name}`);
  });

  test('cannot make the gateway call private addresses', async () => {
    for (const baseUrl of [
      'http://169.254.169.254/latest',
      'https://10.0.0.1/v1',
      'http://[fd00:ec2::254]/v1',
      'https://192.168.1.1:8443/v1',
    ]) {
      const { status, json } = await contract.admin('POST', '/providers', { name: 'x', protocol: 'openai', baseUrl });
      expect([status, json.error.param]).toEqual([400, 'baseUrl']);
    }
  });
});

test('the key of the settings goes on to their host after other changes', async () => {
  await change('PATCH', '/openai', { models: ['mine-*'] });
  await contract.settled(
    () => contract.chat(saying('Hi', 'mine-1')),
    ({ status }) => status === 200,
  );
  expect(contract.sent.headers.authorization).toBe(`Bearer ${PLANTED.openaiKey}`);
  await change('DELETE', '/openai');
});
