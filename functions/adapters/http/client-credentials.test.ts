import { beforeEach, expect, it } from '@jest/globals';
import type { HttpClient, HttpRequest, HttpResponse } from '../../kernel/http/index.ts';
import { type ClientSecret, createClientCredentials, type TokenServer } from './client-credentials.ts';

const NOW = Date.UTC(2026, 10, 30);
const SECRET = 'planted secret/with:signs';
const URL_OF_SERVER = 'https://tools.example.com/crm/mcp';
const RESOURCE = 'https://tools.example.com/.well-known/oauth-protected-resource/crm/mcp';
const ISSUER = 'https://login.example.com/tenant';
const METADATA = 'https://login.example.com/.well-known/oauth-authorization-server/tenant';
const TOKEN_URL = 'https://login.example.com/tenant/token';
const auth = { type: 'clientCredentials', credentialId: 'cred_1', clientId: 'svc gateway' } as const;
const server: TokenServer = { name: 'crm', url: URL_OF_SERVER, auth };
const TOKEN = { access_token: 'planted-token', token_type: 'Bearer', expires_in: 600 };

let replies: Record<string, { readonly status?: number; readonly json: unknown }>;
let sent: HttpRequest[];
let hosts: string[];

beforeEach(() => {
  sent = [];
  hosts = ['login.example.com'];
  replies = {
    [RESOURCE]: { json: { resource: URL_OF_SERVER, authorization_servers: [ISSUER] } },
    [METADATA]: { json: { issuer: ISSUER, token_endpoint: TOKEN_URL } },
    [TOKEN_URL]: { json: TOKEN },
  };
});

const http: HttpClient = {
  async send(request): Promise<HttpResponse> {
    sent.push(request);
    const { status = 200, json } = replies[request.url] ?? { status: 404, json: {} };
    const text = typeof json === 'string' ? json : JSON.stringify(json);
    return { status, headers: {}, body: [new TextEncoder().encode(text)] as unknown as HttpResponse['body'] };
  },
};
const secret = async (): Promise<ClientSecret> => ({ value: SECRET, hosts: new Set(hosts) });
const exchange = createClientCredentials({ http, secret, clock: { now: () => NOW, monotonic: () => 0 } });
const failed = (of: TokenServer = server) => exchange(of).catch((error: unknown) => error as Error);
const lastForm = () => Object.fromEntries(new URLSearchParams(sent.at(-1)?.body as string));

it('finds the token endpoint by the metadata of the server, and gets a token for this server', async () => {
  expect(await exchange(server)).toEqual({ value: 'planted-token', expiresAt: NOW + 600_000 });
  expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
    `GET ${RESOURCE}`,
    `GET ${METADATA}`,
    `POST ${TOKEN_URL}`,
  ]);
  expect(lastForm()).toEqual({ grant_type: 'client_credentials', resource: URL_OF_SERVER });
  const basic = Buffer.from('svc+gateway:planted+secret%2Fwith%3Asigns').toString('base64');
  expect(sent.at(-1)?.headers.authorization).toBe(`Basic ${basic}`);
});

it('uses the token endpoint that is set, with the scope', async () => {
  await exchange({ ...server, auth: { ...auth, tokenUrl: TOKEN_URL, scope: 'a b' } });
  expect(sent.length).toBe(1);
  expect(lastForm()).toEqual({ grant_type: 'client_credentials', resource: URL_OF_SERVER, scope: 'a b' });
});

it('sends the secret in the body only where the endpoint takes it nowhere else', async () => {
  const supported = { token_endpoint_auth_methods_supported: ['client_secret_post'] };
  replies[METADATA] = { json: { issuer: ISSUER, token_endpoint: TOKEN_URL, ...supported } };
  await exchange(server);
  expect(lastForm()).toMatchObject({ client_id: 'svc gateway', client_secret: SECRET });
  expect(sent.at(-1)?.headers.authorization).toBeUndefined();
});

it('falls back to the metadata of the whole host, and to that of OpenID Connect', async () => {
  const root = 'https://tools.example.com/.well-known/oauth-protected-resource';
  replies = {
    [root]: { json: { resource: 'https://tools.example.com/', authorization_servers: [ISSUER] } },
    [`${ISSUER}/.well-known/openid-configuration`]: { json: { issuer: ISSUER, token_endpoint: TOKEN_URL } },
    [TOKEN_URL]: { json: TOKEN },
  };
  expect((await exchange(server)).value).toBe('planted-token');
  expect(lastForm().resource).toBe('https://tools.example.com/');
});

it.each([
  'https://tools.example.com',
  'https://tools.example.com/',
  'https://TOOLS.example.com:443/crm',
  'https://tools.example.com/crm/',
  URL_OF_SERVER,
  `${URL_OF_SERVER}/`,
])('asks for a token for %s, of which the server is a part', async (resource) => {
  replies[RESOURCE] = { json: { resource, authorization_servers: [ISSUER] } };
  await exchange(server);
  expect(lastForm().resource).toBe(resource);
});

it.each([
  'https://other.example.com/crm/mcp',
  'https://example.com/',
  'https://tools.example.com.evil.example/',
  'https://tools.example.com@evil.example/crm/mcp',
  'https://user@tools.example.com/crm/mcp',
  'http://tools.example.com/crm/mcp',
  'https://tools.example.com:8443/crm/mcp',
  'https://tools.example.com/cr',
  'https://tools.example.com/crm/mcp/admin',
  'https://tools.example.com/crm/mcp2',
  'https://tools.example.com/other/../crm2',
  `${URL_OF_SERVER}?tenant=1`,
  `${URL_OF_SERVER}#part`,
  'urn:crm',
  'null',
  '',
])('asks for no token for %j, which is not the server', async (resource) => {
  replies[RESOURCE] = { json: { resource, authorization_servers: [ISSUER] } };
  expect(await failed()).toMatchObject({ name: 'ExchangeFailure', isRefused: true });
  expect(sent.every(({ method }) => method === 'GET')).toBe(true);
});

it.each<[string, () => void]>([
  [
    'a token endpoint at a host that the credential is not for',
    () => {
      hosts = ['login.other.example'];
    },
  ],
  [
    'metadata of the server that names an attacker',
    () => {
      const issuer = 'https://evil.example';
      replies[RESOURCE] = { json: { resource: URL_OF_SERVER, authorization_servers: [issuer] } };
      const found = { issuer, token_endpoint: 'https://evil.example/token' };
      replies['https://evil.example/.well-known/oauth-authorization-server'] = { json: found };
    },
  ],
  [
    'metadata of another resource',
    () => {
      replies[RESOURCE] = { json: { resource: 'https://tools.example.com/crm/mcp2', authorization_servers: [ISSUER] } };
    },
  ],
  [
    'metadata of another issuer',
    () => {
      replies[METADATA] = { json: { issuer: 'https://login.example.com/other', token_endpoint: TOKEN_URL } };
    },
  ],
  [
    'a token endpoint without https',
    () => {
      const url = 'http://login.example.com/tenant/token';
      replies[METADATA] = { json: { issuer: ISSUER, token_endpoint: url } };
    },
  ],
  [
    'a token endpoint that is no address',
    () => {
      replies[METADATA] = { json: { issuer: ISSUER, token_endpoint: 'file:///etc/passwd' } };
    },
  ],
  [
    'no metadata',
    () => {
      replies = {};
    },
  ],
])('sends the secret nowhere with %s', async (_, change) => {
  change();
  expect(await failed()).toMatchObject({ name: 'ExchangeFailure', isRefused: true });
  expect(sent.every(({ method }) => method === 'GET')).toBe(true);
});

it.each<[string, number, unknown, boolean]>([
  ['a refusal', 401, { error: 'invalid_client', error_description: SECRET }, true],
  ['a failure', 503, SECRET, false],
  ['no JSON', 200, SECRET, false],
  ['no token', 200, { ...TOKEN, access_token: '' }, false],
  ['a token that is no bearer token', 200, { ...TOKEN, token_type: 'DPoP' }, false],
  ['a response that is too large', 200, 'x'.repeat(70_000), false],
])('%s is a failure without any text of the response', async (_, status, json, isRefused) => {
  replies[TOKEN_URL] = { status, json };
  const failure = await failed();
  expect(failure).toMatchObject({ name: 'ExchangeFailure', isRefused });
  expect((failure as Error).message).not.toContain('planted');
});
