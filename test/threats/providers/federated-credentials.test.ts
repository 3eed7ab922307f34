import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startLocalProcess } from '../../contract/local-process.ts';
import type { ProviderSettings, Service } from '../../contract/service.ts';
import { testOfLocalRun } from '../../stores/local-run.ts';
import { eventually } from '../../support/eventually.ts';
import { httpsLeadsTo } from '../../support/https-hook.ts';
import { WITHOUT_EVENTS } from '../../support/quick-start.ts';
import { FEDERATIONS, TokenEndpoints } from '../../support/token-endpoints.ts';

const endpoints = new TokenEndpoints();
/** By host: the keys that the providers got. */
const used: [host: string, key: string][] = [];
let accepts = (_key: string) => true;
let folder: string;
let service: Service;
const replies: string[] = [];
const logs: string[] = [];

/** A provider that writes the token that it got into its response. */
function echo(request: IncomingMessage, response: ServerResponse): void {
  const key = request.headers.authorization?.replace('Bearer ', '') ?? 'none';
  used.push([String(request.headers.host), key]);
  request.resume();
  response.writeHead(accepts(key) ? 200 : 401, { 'content-type': 'application/json', 'x-request-id': key });
  if (!accepts(key)) return void response.end(JSON.stringify({ error: { message: `Incorrect API key: ${key}` } }));
  if (request.url?.endsWith('/models')) return void response.end(JSON.stringify({ data: [{ id: 'gpt-4o-mini' }] }));
  const message = { role: 'assistant', content: `Your token is ${key}, backwards ${[...key].reverse().join('')}.` };
  const usage = { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  response.end(JSON.stringify({ id: 'x', object: 'chat.completion', created: 1, model: 'm', choices, usage }));
}

const AWS = { AWS_ACCESS_KEY_ID: 'AKIAPLANTED', AWS_SECRET_ACCESS_KEY: 'planted-secret', AWS_REGION: 'eu-central-1' };

/** The same data folder after each start, and no token in memory. */
const start = (settings: Readonly<Record<string, string>> = AWS) =>
  startLocalProcess({} as ProviderSettings, {
    SVC_DATA_DIR: folder,
    AZURE_OPENAI_BASE_URL: 'https://lab.openai.azure.com',
    AWS_ENDPOINT_URL_STS: endpoints.url,
    ...httpsLeadsTo(endpoints.url),
    ...WITHOUT_EVENTS,
    ...settings,
  });

async function restart(settings?: Readonly<Record<string, string>>): Promise<void> {
  logs.push(service.logs());
  await service.stop();
  service = await start(settings);
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'svc-federated-'));
  endpoints.others = echo;
  await endpoints.start();
  service = await start();
});
afterAll(async () => {
  await service.stop();
  endpoints.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

async function call(method: string, at: string, body?: object) {
  const response = await fetch(`${service.baseUrl}${at}`, {
    method,
    headers: { authorization: `Bearer ${service.adminKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  replies.push(text, JSON.stringify([...response.headers]));
  // biome-ignore lint/suspicious/noExplicitAny: its shape is what is tested
  return { status: response.status, headers: response.headers, json: JSON.parse(text) as any };
}
const chat = (model = 'gpt-4o-mini') =>
  call('POST', '/chat/completions', { model, messages: [{ role: 'user', content: 'Hi' }] });
const federated = (provider: string, federation: object) =>
  call('POST', '/admin/credentials', { name: provider, provider, type: 'federation', federation });

describe('a credential by federation', () => {
  let id: string;

  it('is exchanged once for requests at the same time, and named in their records', async () => {
    const made = await federated('openai', FEDERATIONS.openai);
    expect(made.status).toBe(201);
    id = made.json.id;
    const uses = ['azure', FEDERATIONS.azure] as const;
    expect((await federated(...uses)).status).toBe(201);
    await eventually(chat, ({ status }) => status === 200);
    await restart();
    endpoints.called.length = 0;
    used.length = 0;
    const [one, two] = await Promise.all([chat(), chat()]);
    expect([one.status, two.status, endpoints.called]).toEqual([200, 200, ['auth.openai.com']]);
    expect(new Set(used.map(([host, key]) => `${host} ${key}`))).toEqual(
      new Set([`api.openai.com ${endpoints.tokens.at(-1)}`]),
    );
    const record = await eventually(
      () => call('GET', `/analytics/requests/${one.headers.get('x-request-id')}`),
      ({ status }) => status === 200,
    );
    expect(record.json.credentialId).toBe(id);
    expect((await chat()).status).toBe(200);
    expect(endpoints.called).toHaveLength(1);
  });

  it('is a bearer token at Azure too', async () => {
    used.length = 0;
    expect((await chat('azure/lab')).status).toBe(200);
    expect(used).toEqual([['lab.openai.azure.com', endpoints.tokens.at(-1)]]);
  });

  it('is exchanged again if the provider refuses a token, but not for each request', async () => {
    accepts = () => false;
    endpoints.called.length = 0;
    for (const { status, json } of [await chat(), await chat()]) {
      expect([status, json.error.code]).toEqual([502, 'provider_error']);
    }
    // The token is younger than a minute.
    expect(endpoints.called).toEqual([]);
    accepts = () => true;
  });

  it('that is refused fails requests with a clear error, and their fallbacks work', async () => {
    const routes = [
      {
        models: 'safe',
        targets: [{ provider: 'openai', model: 'gpt-4o-mini' }],
        fallbacks: [{ provider: 'echo', model: 'echo' }],
      },
    ];
    const { headers } = await call('GET', '/admin/routes');
    const put = await fetch(`${service.baseUrl}/admin/routes`, {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${service.adminKey}`,
        'content-type': 'application/json',
        'if-match': headers.get('etag') ?? '',
      },
      body: JSON.stringify({ routes }),
    });
    expect(put.status).toBe(200);
    await eventually(
      () => chat('safe'),
      ({ status }) => status === 200,
    );
    endpoints.claims = { aud: 'other' };
    await restart();
    endpoints.called.length = 0;
    for (const { status, json } of [await chat(), await chat()]) {
      expect([status, json.error]).toEqual([
        502,
        expect.objectContaining({
          ...{ type: 'provider_error', code: 'provider_error' },
          message: 'The gateway gets no access token for the provider openai.',
        }),
      ]);
    }
    const fallback = await chat('safe');
    expect([fallback.status, fallback.headers.get('x-svc-route')]).toEqual([200, expect.stringContaining('echo')]);
    // Three requests within a second or a few: the pause between attempts grows.
    expect(endpoints.called.length).toBeLessThanOrEqual(3);
    expect(service.logs()).toContain('"no access token"');
    expect(service.logs()).toContain('OpenAI refuses the exchange (status 401 invalid_grant).');
  });

  it('without a token endpoint is a 503', async () => {
    endpoints.reset();
    endpoints.instead.set('auth.openai.com', [500, {}]);
    await restart();
    const { status, headers, json } = await chat();
    expect([status, json.error.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '5']);
    endpoints.reset();
    expect(await eventually(chat, (reply) => reply.status === 200)).toMatchObject({ status: 200 });
  });

  testOfLocalRun('needs AWS credentials', async () => {
    await restart({});
    expect((await federated('openai', FEDERATIONS.openai)).json.error).toMatchObject({
      ...{ code: 'invalid_value', param: 'type' },
      message: "The type 'federation' needs AWS credentials, which this process does not have.",
    });
    expect((await chat()).json.error.message).toBe('The gateway gets no access token for the provider openai.');
    await eventually(
      async () => service.logs(),
      (text) => text.includes('Federation needs AWS credentials'),
    );
  });

  it('never leaves: no response, log, record, audit record or file has a token', async () => {
    const at = ['/admin/credentials', '/admin/audit', '/admin/providers', '/admin/settings', '/analytics/requests'];
    for (const place of at) await call('GET', place);
    const files = await Promise.all(
      (await readdir(folder, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => readFile(path.join(entry.parentPath, entry.name), 'latin1')),
    );
    const all = [...replies, ...logs, service.logs(), ...files].join('\n');
    for (const text of ['planted-access', 'eyJhbGciOi', AWS.AWS_SECRET_ACCESS_KEY]) {
      expect(all).not.toContain(text);
      expect(all).not.toContain([...text].reverse().join(''));
    }
    // The responses did have it.
    expect(replies.join()).toContain('[REDACTED_PROVIDER_KEY]');
  });
});
