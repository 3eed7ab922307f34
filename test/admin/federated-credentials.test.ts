import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { webIdentityTokens } from '../../functions/adapters/aws/web-identity.ts';
import { BoundHttpClient } from '../../functions/adapters/http/bound-http-client.ts';
import { createTokenExchange } from '../../functions/adapters/http/token-exchange.ts';
import { UndiciHttpClient } from '../../functions/adapters/http/undici-http-client.ts';
import type { HttpClient } from '../../functions/kernel/http/index.ts';
import { type AdminApp, startAdminApp } from '../support/admin-app.ts';
import { FEDERATIONS, TokenEndpoints } from '../support/token-endpoints.ts';

const { openai, google, azure } = FEDERATIONS;
const endpoints = new TokenEndpoints();
const credentials = { accessKeyId: 'AKID', secretAccessKey: 'planted' };
const real = new UndiciHttpClient();
const settings = {
  AZURE_OPENAI_BASE_URL: 'https://lab.openai.azure.com',
  GEMINI_BASE_URL: 'https://generativelanguage.googleapis.com',
};

let admin: AdminApp;
let provider: Server;
/** The keys that the providers got, with their header, and the replies of the admin API. */
const seen: string[] = [];
const replies: string[] = [];
let status = 200;
let hasCredentials = true;

beforeAll(async () => {
  await endpoints.start();
  provider = createServer((request, response) => {
    const { authorization, 'api-key': azureKey, 'x-goog-api-key': googleKey } = request.headers;
    seen.push(`${authorization}${azureKey ?? ''}${googleKey ?? ''}`);
    request.resume();
    const body = { data: [{ id: 'm' }], models: [{ name: 'm' }], error: { message: `refused ${authorization}` } };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(provider, 'listening');
  const at = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const toProvider: HttpClient = {
    send: (request) => {
      const { protocol, pathname, search } = new URL(request.url);
      if (protocol !== 'https:') throw new Error('a token was sent without https');
      return real.send({ ...request, url: `${at}${pathname}${search}` });
    },
  };
  const identityTokens = webIdentityTokens({ endpoint: endpoints.url, region: 'eu-central-1', credentials });
  const clock = { now: Date.now, monotonic: () => 0 };
  const exchange = createTokenExchange({ http: endpoints.client(real), identityTokens, clock });
  admin = await startAdminApp((deps) => ({
    ...deps,
    exchange,
    get hasAwsIdentity() {
      return hasCredentials;
    },
    upstream: {
      ...deps.upstream,
      settings: async () => settings,
      connections: async () => ({
        http: new BoundHttpClient(toProvider, () => undefined),
        publicHttp: new BoundHttpClient(toProvider, () => undefined),
        bedrockRuntime: () => undefined as never,
      }),
    },
  }));
});
afterAll(async () => {
  endpoints.stop();
  provider.closeAllConnections();
  provider.close();
  await admin.stop();
});
beforeEach(() => {
  endpoints.reset();
  seen.length = 0;
  [status, hasCredentials] = [200, true];
});

async function call(method: string, path: string, body?: unknown) {
  const reply = await admin.call(method, path, { body });
  replies.push(JSON.stringify(reply.json));
  return reply;
}
const create = (more: object) =>
  call('POST', '/credentials', { name: 'One', provider: 'openai', type: 'federation', federation: openai, ...more });

describe('a credential by federation', () => {
  it('is exchanged and tested, stored without a token, and shown with its identity', async () => {
    const { status: made, json } = await create({});
    expect([made, json]).toMatchObject([
      201,
      {
        ...{ type: 'federation', hosts: ['api.openai.com'], last4: null, previous: null, state: 'active' },
        federation: { ...openai, audience: 'https://api.openai.com/v1' },
      },
    ]);
    expect([endpoints.called, seen]).toEqual([['auth.openai.com'], [`Bearer ${endpoints.tokens[1]}`]]);
    expect((await call('GET', `/credentials/${json.id}`)).json).toEqual(json);
    const [record] = (await call('GET', '/audit?limit=1')).json.data;
    expect(record).toMatchObject({ action: 'credential.created', after: { federation: json.federation } });
    const rotation = await call('POST', `/credentials/${json.id}/rotate`, { value: 'sk-planted-value' });
    expect([rotation.status, rotation.json.error.message]).toEqual([400, expect.stringContaining('has no value')]);
    expect((await call('DELETE', `/credentials/${json.id}`)).status).toBe(200);
  });

  it.each([
    [
      'gemini',
      google,
      'generativelanguage.googleapis.com',
      { audience: expect.stringContaining('/workloadIdentityPools/') },
    ],
    [
      'azure',
      azure,
      'lab.openai.azure.com',
      { audience: 'api://AzureADTokenExchange', scope: 'https://ai.azure.com/.default' },
    ],
  ])('for %s sends its tokens as bearer tokens, not as keys', async (name, federation, host, more) => {
    const { status: made, json } = await create({ provider: name, federation });
    expect([made, json.hosts, json.federation]).toEqual([201, [host], { ...federation, ...more }]);
    const test = await call('POST', `/credentials/${json.id}/test`);
    // Azure lists no models, and no route names one.
    expect(test.json).toMatchObject(name === 'azure' ? { code: 'model_unknown' } : { result: 'ok' });
    for (const header of seen) expect(header).toMatch(/^Bearer ya29\.c\.planted-access-\S+$/);
    expect(seen).toHaveLength(name === 'azure' ? 0 : 2);
  });

  it('that AWS or the provider refuses is not stored, and the reason is said in words', async () => {
    endpoints.stsError = 'OutboundWebIdentityFederationDisabledException';
    const { json: disabled } = await create({});
    expect(disabled.error).toMatchObject({ code: 'invalid_value', param: 'federation' });
    expect(disabled.error.message).toMatch(/Run once: aws iam enable-outbound-web-identity-federation\. Nothing was/);
    endpoints.reset();
    endpoints.claims = { sub: 'arn:aws:iam::1:role/other' };
    const { json: refused } = await create({ provider: 'azure', federation: azure });
    expect(refused.error).toMatchObject({ code: 'invalid_value', param: 'federation' });
    expect(refused.error.message).toContain('AADSTS700213: no federated credential of the application has the subject');
    // The exchange works, and the provider refuses its token.
    endpoints.reset();
    status = 401;
    expect((await create({})).json.error).toMatchObject({
      param: 'federation',
      message: expect.stringContaining('The provider refuses the credential.'),
    });
    status = 200;
    endpoints.instead.set('auth.openai.com', [500, {}]);
    const { status: made, json } = await create({ name: 'Later' });
    expect(made).toBe(201);
    expect((await call('POST', `/credentials/${json.id}/test`)).json).toMatchObject({
      ...{ result: 'failed', code: 'exchange_failed' },
      message: 'The token endpoint of OpenAI has failed (status 500).',
    });
    endpoints.reset();
    endpoints.claims = { aud: 'other' };
    expect((await call('POST', `/credentials/${json.id}/test`)).json).toMatchObject({
      ...{ result: 'refused', code: 'exchange_refused' },
      message: expect.stringContaining('OpenAI refuses the exchange'),
    });
    expect((await call('GET', '/credentials')).json.data.map(({ name }: { name: string }) => name)).toEqual([
      ...['One', 'One', 'Later'],
    ]);
  });

  it('needs AWS credentials', async () => {
    hasCredentials = false;
    for (const more of [{}, { skipTest: true }, { state: 'disabled' }]) {
      const { status: made, json } = await create(more);
      expect([made, json.error.param, json.error.message]).toEqual([
        ...[400, 'type'],
        "The type 'federation' needs AWS credentials, which this process does not have.",
      ]);
    }
  });

  it.each([
    [{ federation: undefined }, 'federation'],
    [{ value: 'sk-planted-value' }, 'value'],
    [{ type: 'sealed', value: 'sk-planted-value' }, 'federation'],
    [{ type: 'secret' }, 'secretArn'],
    [{ federation: { kind: 'vertex' } }, 'federation.kind'],
    [{ federation: { kind: 'openai', identityProviderId: 'wip_1' } }, 'federation.serviceAccountId'],
    [{ federation: { ...openai, tenantId: azure.tenantId } }, 'federation.tenantId'],
    [{ federation: { ...openai, scope: 'https://ai.azure.com/.default' } }, 'federation.scope'],
    [{ federation: { ...openai, token: 'x' } }, 'federation.token'],
    [{ federation: { ...openai, audience: 'two words' } }, 'federation.audience'],
    [{ federation: { ...openai, identityProviderId: 'a/../b' } }, 'federation.identityProviderId'],
    [{ federation: { ...azure, tenantId: 'common/../x' } }, 'federation.tenantId'],
    [{ federation: { kind: 'azure', tenantId: azure.tenantId } }, 'federation.clientId'],
    [{ federation: { ...azure, scope: 'https://management.azure.com/.default' } }, 'federation.scope'],
    [{ federation: { ...google, workloadProvider: 'projects/lab/providers/x' } }, 'federation.workloadProvider'],
    [{ federation: { ...google, serviceAccount: 'a@evil.example' } }, 'federation.serviceAccount'],
    [{ federation: { kind: 'google', serviceAccount: google.serviceAccount } }, 'federation.workloadProvider'],
    // The owner of a host could use the tokens that it gets.
    [{ hosts: ['api.openai.com', 'evil.example'] }, 'hosts'],
    [{ provider: 'lab', hosts: ['api.openai.com.evil.example'] }, 'hosts'],
    [{ provider: 'lab', hosts: ['api.openai.com:8443'] }, 'hosts'],
    [{ provider: 'lab', hosts: ['lab.openai.azure.com'] }, 'hosts'],
    [{ provider: 'lab', federation: google, hosts: ['bucket.storage.googleapis.com'] }, 'hosts'],
    [{ provider: 'lab', federation: azure, hosts: ['lab.azure.com'] }, 'hosts'],
  ])('%j is refused with the field', async (more, param) => {
    const { status: made, json } = await create(more);
    expect([made, json.error.param]).toEqual([400, param]);
    expect(endpoints.called).toEqual([]);
  });

  it.each([
    [openai, ['eu.api.openai.com']],
    [
      google,
      ['aiplatform.googleapis.com', 'europe-west4-aiplatform.googleapis.com', 'aiplatform.eu.rep.googleapis.com'],
    ],
    [azure, ['lab.services.ai.azure.com', 'lab.cognitiveservices.azure.com']],
  ])('may be for other hosts of its kind: %#', async (federation, hosts) => {
    expect((await create({ provider: 'lab', federation, hosts })).status).toBe(201);
  });
});

describe('the key of a Google service account', () => {
  const sealed = { provider: 'gemini', type: 'sealed', federation: undefined };

  it('is exchanged, tested, and stored without AWS credentials; only the end of its id is shown', async () => {
    hasCredentials = false;
    const key = await endpoints.serviceAccountKey();
    const { status: made, json } = await create({ ...sealed, value: JSON.stringify(key, null, 2) });
    expect([made, json]).toMatchObject([201, { hosts: ['generativelanguage.googleapis.com'], last4: 'a1a1' }]);
    expect([endpoints.called, seen]).toEqual([['oauth2.googleapis.com'], [`Bearer ${endpoints.tokens[0]}`]]);
    expect((await call('POST', `/credentials/${json.id}/test`)).json).toMatchObject({ result: 'ok' });
    const other = { ...key, private_key_id: 'b2'.repeat(20) };
    const rotation = await call('POST', `/credentials/${json.id}/rotate`, { value: JSON.stringify(other) });
    expect(rotation.json.error).toMatchObject({
      param: 'value',
      message: expect.stringContaining(
        'Google refuses the exchange (status 400 invalid_grant). Check that the service',
      ),
    });
    const again = await call('POST', `/credentials/${json.id}/rotate`, { value: JSON.stringify(key) });
    expect([again.status, again.json.previous]).toEqual([200, expect.objectContaining({ last4: 'a1a1' })]);
  });

  it('of another form is refused', async () => {
    const key = await endpoints.serviceAccountKey();
    for (const more of [
      ...[{ type: 'authorized_user' }, { private_key: 'none' }, { client_email: 'a@evil.example' }],
      ...[{ private_key_id: 'a b' }, { universe_domain: 'evil.example' }],
    ]) {
      const { status: made, json } = await create({ ...sealed, value: JSON.stringify({ ...key, ...more }) });
      expect([made, json.error?.param]).toEqual([400, 'value']);
    }
    const unreadable = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n';
    const { json } = await create({ ...sealed, value: JSON.stringify({ ...key, private_key: unreadable }) });
    expect(json.error.message).toContain('The private key of the service account cannot be read.');
    expect(endpoints.called).toEqual([]);
  });

  it('is for hosts of Google only', async () => {
    const value = JSON.stringify(await endpoints.serviceAccountKey());
    const { status: made, json } = await create({ ...sealed, provider: 'lab', hosts: ['evil.example'], value });
    expect([made, json.error.param]).toEqual([400, 'hosts']);
  });
});

it('no response, audit record or stored item has a token', async () => {
  const { ScanCommand } = await import('@aws-sdk/lib-dynamodb');
  const { Items = [] } = await admin.dynamo.send(new ScanCommand({ TableName: 'policies' }));
  const all = [...replies, JSON.stringify(Items), JSON.stringify((await call('GET', '/audit?limit=100')).json)].join();
  expect(all).toContain('wip_planted');
  expect(all).not.toContain('planted-access');
  expect(all).not.toContain('eyJhbGciOi');
  expect(all).not.toContain('PRIVATE KEY');
});
