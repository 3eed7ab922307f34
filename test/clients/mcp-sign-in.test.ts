import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthTokens,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { decodeJwt } from 'jose';
import { Contract } from '../contract/contract.ts';
import { startLocalProcess } from '../contract/local-process.ts';
import { eventually } from '../support/eventually.ts';
import { Browser, CLIENT_ID, IdentityProvider } from '../support/identity-provider.ts';
import { McpWorld, toolOf } from '../support/mcp-client.ts';
import { TEXT } from '../support/mcp-server.ts';

const contract = new Contract((providers) => startLocalProcess(providers, { SVC_WEBHOOK_ALLOW_LOOPBACK: 'true' }), {});
const mcp = new McpWorld(contract);
const provider = new IdentityProvider();

/** What an MCP client keeps of its sign-in. It knows nothing but the address of the server. */
class Person implements OAuthClientProvider {
  readonly redirectUrl = 'http://127.0.0.1/callback';
  readonly clientMetadata = {
    client_name: 'test',
    redirect_uris: [this.redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  sentBack = new URLSearchParams();
  kept: { client?: OAuthClientInformationMixed; tokens?: OAuthTokens; verifier?: string } = {};

  clientInformation = () => this.kept.client;
  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.kept.client = client;
  }
  tokens = () => this.kept.tokens;
  saveTokens(tokens: OAuthTokens): void {
    this.kept.tokens = tokens;
  }
  saveCodeVerifier(verifier: string): void {
    this.kept.verifier = verifier;
  }
  codeVerifier = () => this.kept.verifier ?? '';
  async redirectToAuthorization(url: URL): Promise<void> {
    const { away, text } = await new Browser().visit(url.href);
    if (away === undefined) throw new Error(`the provider shows ${text.slice(-500)}`);
    this.sentBack = new URL(away).searchParams;
  }
}

const addressOf = (server: string) => new URL(`${contract.service.baseUrl}/mcp/${server}`);
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function setAudience(audience: readonly string[]): Promise<void> {
  const rules = [{ id: 'all', match: { sub: ['*'] }, permissions: ['mcp', 'chat_completions'] }];
  const signIn = { clientId: CLIENT_ID, token: 'access_token', scope: 'openid models' };
  const issuer = { issuer: provider.issuer, audience, algorithms: ['ES256'], signIn, rules };
  const { headers } = await contract.admin('GET', '/identity');
  const reply = await contract.call('/admin/identity', JSON.stringify({ issuers: [issuer] }), {
    key: contract.service.adminKey,
    method: 'PUT',
    headers: { 'if-match': headers.get('etag') ?? '"0"' },
  });
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
}

async function signIn(server: string): Promise<Person> {
  const person = new Person();
  const transport = new StreamableHTTPClientTransport(addressOf(server), { authProvider: person });
  await expect(new Client({ name: 'test', version: '1' }).connect(transport)).rejects.toThrow('Unauthorized');
  await transport.finishAuth(person.sentBack);
  return person;
}

beforeAll(async () => {
  for (const level of ['info', 'warn'] as const) jest.spyOn(console, level).mockImplementation(() => {});
  await provider.start();
  await contract.start();
  const key = await contract.newKey({ permissions: ['mcp'] });
  for (const name of ['crm', 'mail']) {
    (await mcp.add(name, [toolOf('say')])).result = TEXT('done');
    await mcp.listed(name, ['say'], { key });
  }
  await setAudience([addressOf('crm').href, addressOf('mail').href]);
  await eventually(
    () => fetch(addressOf('crm'), { method: 'POST', body: '{}' }),
    (response) => response.headers.has('www-authenticate'),
  );
});
afterAll(async () => {
  await contract.stop();
  await mcp.stop();
  provider.stop();
});

test('a client that knows only the address finds the issuer, registers, signs in and calls a tool', async () => {
  const person = await signIn('crm');
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(addressOf('crm'), { authProvider: person }));
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['say']);
  const result = await client.callTool({ name: 'say', arguments: { text: 'Hello' } });
  expect(result.content).toEqual([{ type: 'text', text: 'done' }]);
  await client.close();
  expect(decodeJwt(person.kept.tokens?.access_token ?? '').aud).toBe(addressOf('crm').href);
});

test('a token for one server is refused by another, and by all that is no MCP server', async () => {
  const token = (await signIn('crm')).kept.tokens?.access_token ?? '';
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const list = (server: string) =>
    contract.call(`/mcp/${server}`, JSON.stringify(body), { key: token, headers: bearer(token) });
  expect((await list('crm')).status).toBe(200);
  const other = await list('mail');
  expect([other.status, other.json.error.message]).toEqual([401, expect.stringContaining('another MCP server')]);
  expect(other.headers.get('www-authenticate')).toContain('/oauth-protected-resource/v1/mcp/mail"');
  const chat = { model: 'echo', messages: [{ role: 'user', content: 'Hello' }] };
  const chatted = await contract.call('/chat/completions', JSON.stringify(chat), { key: token });
  expect([chatted.status, chatted.json.error.code]).toEqual([403, 'insufficient_permissions']);
});

test('the metadata is open to anyone, and names no server, rule or other audience', async () => {
  const read = (name: string) =>
    fetch(new URL(`/.well-known/oauth-protected-resource/v1/mcp/${name}`, contract.service.baseUrl));
  expect(await (await read('crm')).json()).toEqual({
    resource: addressOf('crm').href,
    authorization_servers: [provider.issuer],
    bearer_methods_supported: ['header'],
    scopes_supported: ['openid', 'models'],
  });
  expect((await read('unknown')).status).toBe(404);
  const all = new URL('/v1/mcp', contract.service.baseUrl).href;
  await setAudience([all, 'internal']);
  const { resource } = await eventually(
    async () => (await (await read('unknown')).json()) as { resource?: string },
    (metadata) => metadata.resource !== undefined,
  );
  expect(resource).toBe(all);
});

test('with one audience for all servers a client signs in to each', async () => {
  for (const server of ['crm', 'mail']) {
    const person = await signIn(server);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(addressOf(server), { authProvider: person }));
    expect((await client.listTools()).tools.length).toBe(1);
    await client.close();
  }
});
