import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { type Deployment, startDeployment } from './deployment.ts';
import { putAdminKey } from './put-admin-key.ts';
import { toRestApiEvent } from './rest-api-event.ts';

const word = (letter: string) => letter.repeat(64);
const SECRETS = { sent: word('a'), next: word('b'), before: word('c') };
const VIEWER = '203.0.113.7';

interface Caller {
  readonly deployment: Deployment;
  readonly key: string;
}

async function start(...options: Parameters<typeof startDeployment>): Promise<Caller> {
  const deployment = await startDeployment(...options);
  return { deployment, key: await putAdminKey(deployment) };
}

/** The headers with which the distribution passes a request on. */
const through = (secret: string, address = VIEWER) => ({
  'X-Svc-Origin-Secret': secret,
  'X-Svc-Viewer-Address': address,
});

async function ask(url: string, key: string, headers: Record<string, string>, body?: object) {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
}

const hello = { model: 'echo', messages: [{ role: 'user', content: 'Hello' }] };

async function keyFor(
  { deployment, key }: Caller,
  ipWhitelist: string[],
  headers: Record<string, string>,
): Promise<string> {
  const fields = { name: 'k', ipWhitelist, permissions: ['chat_completions', 'analytics'] };
  const made = await ask(`${deployment.adminUrl}/admin/keys`, key, headers, fields);
  expect(made.status).toBe(201);
  return made.json().key;
}

describe.each([true, false])('behind a distribution, others refused: %s', (only) => {
  let caller: Caller;
  let provider: Server;
  /** Headers with which it was called. */
  const called: string[][] = [];
  let viewersKey = '';
  let neighboursKey = '';
  beforeAll(async () => {
    provider = createServer(({ rawHeaders }, response) => {
      called.push(rawHeaders);
      const choices = [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }];
      const answer = { id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'gpt-4o', choices };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    }).listen(0, '127.0.0.1');
    await once(provider, 'listening');
    const { port } = provider.address() as AddressInfo;
    const providers = { OPENAI_API_KEY: 'planted', OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` };
    const distribution = { secret: JSON.stringify(SECRETS), only };
    caller = await start(providers, {}, { instances: 1, distribution });
    viewersKey = await keyFor(caller, [VIEWER], through(SECRETS.sent));
    neighboursKey = await keyFor(caller, ['127.0.0.1'], through(SECRETS.sent));
  });
  afterAll(async () => {
    await caller?.deployment.stop();
    provider?.close();
  });
  const chat = (key: string, headers: Record<string, string>, body: object = hello) =>
    ask(`${caller.deployment.baseUrl}/chat/completions`, key, headers, body);
  const usage = (key: string, headers: Record<string, string>) =>
    ask(`${caller.deployment.adminUrl}/analytics/summary`, key, headers);

  test.each(Object.entries(SECRETS))(
    'the secret that is %s has the viewer believed, by both functions',
    async (_, secret) => {
      expect((await chat(viewersKey, through(secret))).status).toBe(200);
      expect((await usage(viewersKey, through(secret))).status).toBe(200);
      expect((await chat(viewersKey, through(secret, '2001:db8::1'))).status).toBe(403);
      expect((await chat(neighboursKey, through(secret))).status).toBe(403);
      expect((await usage(neighboursKey, through(secret))).status).toBe(403);
    },
  );

  test.each([
    ['no secret', { 'X-Svc-Viewer-Address': VIEWER, 'X-Forwarded-For': VIEWER }],
    ["another deployment's secret", through(word('d'))],
    ['the right one without an address', { 'X-Svc-Origin-Secret': SECRETS.sent, 'X-Forwarded-For': VIEWER }],
    ['the right one with what is no address', through(SECRETS.sent, `${VIEWER}:46532`)],
  ])('%s: nobody is taken for another', async (_, headers: Record<string, string>) => {
    for (const answer of [await chat(viewersKey, headers), await usage(viewersKey, headers)]) {
      expect([answer.status, answer.json().error.code]).toEqual([403, 'insufficient_permissions']);
    }
  });

  test("past the distribution the caller is the connecting address, or is refused in the API's format", async () => {
    const expected = only ? 403 : 200;
    expect((await chat(neighboursKey, {})).status).toBe(expected);
    expect((await usage(neighboursKey, {})).status).toBe(expected);
    const origin = new URL(caller.deployment.baseUrl).origin;
    expect((await ask(`${origin}/healthz`, '', {})).status).toBe(200);
    expect((await ask(`${origin}/openapi.json`, '', {})).status).toBe(expected);
    if (!only) return;
    const messages = await ask(`${caller.deployment.baseUrl}/messages`, neighboursKey, {}, {});
    expect(messages.json()).toMatchObject({ type: 'error', error: { type: 'permission_error' } });
    const gemini = await ask(`${origin}/v1beta/models/echo:generateContent`, neighboursKey, {}, {});
    expect(gemini.json()).toMatchObject({ error: { code: 403, status: 'PERMISSION_DENIED' } });
  });

  test('the secret is in no provider request, record, response or log', async () => {
    const answer = await chat(viewersKey, through(SECRETS.sent), { ...hello, model: 'gpt-4o' });
    expect([answer.status, called.length]).toEqual([200, 1]);
    const id = answer.headers.get('x-request-id') as string;
    const records = await eventually(async () => {
      const listed = await ask(`${caller.deployment.adminUrl}/analytics/requests`, viewersKey, through(SECRETS.sent));
      return listed.text.includes(id) ? listed : undefined;
    });
    const told = [answer.text, ...answer.headers.values(), records.text, caller.deployment.logs(), called];
    for (const secret of Object.values(SECRETS)) expect(JSON.stringify(told)).not.toContain(secret);
    expect(JSON.stringify(called).toLowerCase()).not.toContain('x-svc-viewer-address');
  });
});

describe('behind a REST API that streams', () => {
  let caller: Caller;
  beforeAll(async () => {
    const distribution = { secret: JSON.stringify(SECRETS), only: true };
    caller = await start({}, {}, { instances: 1, distribution, toEvent: toRestApiEvent });
  });
  afterAll(() => caller?.deployment.stop());
  const chat = (body: object, headers: Record<string, string> = {}) =>
    ask(`${caller.deployment.baseUrl}/chat/completions`, caller.key, headers, body);

  test('the gateway responds, whole and streamed', async () => {
    const answer = await chat(hello);
    expect([answer.status, answer.json().choices[0].message.content]).toEqual([200, 'Hello']);
    expect(answer.headers.get('x-svc-request-id')).toMatch(/^req_/);
    const stream = await chat({ ...hello, stream: true });
    expect([stream.status, stream.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^text\/event-stream/),
    ]);
    expect(stream.text).toMatch(/^data: \{.*"role":"assistant"/);
    expect(stream.text).toMatch(/data: \[DONE\]\n\n$/);
  });

  test('the admin API responds, also with queries', async () => {
    const made = await ask(`${caller.deployment.adminUrl}/admin/keys`, caller.key, {}, { name: 'ü&=?' });
    expect(made.status).toBe(201);
    const listed = await ask(`${caller.deployment.adminUrl}/admin/keys?limit=1`, caller.key, {});
    expect(listed.json().data).toHaveLength(1);
    const wrong = await ask(`${caller.deployment.adminUrl}/admin/keys?limit=x`, caller.key, {});
    expect([wrong.status, wrong.json().error.param]).toEqual([400, 'limit']);
  });

  test('a form, which arrives in base64, is parsed', async () => {
    const form = new FormData();
    form.set('model', 'echo');
    form.set('file', new Blob([new Uint8Array([0, 255, 128, 10])]), 'a.wav');
    const response = await fetch(`${caller.deployment.baseUrl}/audio/transcriptions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${caller.key}` },
      body: form,
    });
    expect(await response.json()).toMatchObject({ text: 'Hello from the echo model.' });
  });

  test('the caller is the address that connects to API Gateway, with any headers and secrets', async () => {
    const key = await keyFor(caller, ['127.0.0.1'], {});
    const named = await keyFor(caller, [VIEWER], {});
    const headers = { ...through(SECRETS.sent), 'X-Forwarded-For': VIEWER };
    const as = (one: string) => ask(`${caller.deployment.baseUrl}/chat/completions`, one, headers, hello);
    expect([(await as(key)).status, (await as(named)).status]).toEqual([200, 403]);
  });
});
