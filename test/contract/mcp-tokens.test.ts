import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { eventually } from '../support/eventually.ts';
import { IdentityProvider, MACHINE_ID, MACHINE_SECRET } from '../support/identity-provider.ts';
import { McpWorld, textOf, toolOf } from '../support/mcp-client.ts';
import { type McpTestServer, TEXT } from '../support/mcp-server.ts';
import { Contract } from './contract.ts';
import { startLocalProcess } from './local-process.ts';

const contract = new Contract((providers) => startLocalProcess(providers, { SVC_WEBHOOK_ALLOW_LOOPBACK: 'true' }), {});
const mcp = new McpWorld(contract);
const provider = new IdentityProvider();
let one: McpTestServer;
let two: McpTestServer;
let key: string;
let credentialId: string;

const credential = async (host: string) => {
  const fields = { name: host, provider: 'mcp', hosts: [host], value: MACHINE_SECRET, keysOnly: true, skipTest: true };
  return (await contract.admin('POST', '/credentials', fields)).json.id as string;
};
const tokenOf = (server: McpTestServer) => String(server.calls.at(-1)?.headers.authorization).replace(/^Bearer /, '');

beforeAll(async () => {
  for (const level of ['info', 'warn'] as const) jest.spyOn(console, level).mockImplementation(() => {});
  await provider.start();
  await contract.start();
  key = await contract.newKey({ permissions: ['mcp'] });
  credentialId = await credential(new URL(provider.url).host);
  for (const name of ['one', 'two']) {
    const server = await mcp.add(name, [toolOf('say')]);
    server.metadata = { resource: server.url, authorization_servers: [provider.issuer] };
    server.refuses = (authorization) => authorization === undefined;
    const auth = { type: 'clientCredentials', credentialId, clientId: MACHINE_ID };
    expect((await contract.admin('PATCH', `/mcp-servers/${name}`, { auth })).json.auth).toEqual(auth);
    await mcp.listed(name, ['say'], { key });
    if (name === 'one') one = server;
    else two = server;
  }
});
beforeEach(() => {
  for (const server of [one, two]) server.result = TEXT('done');
});
afterAll(async () => {
  await contract.stop();
  await mcp.stop();
  provider.stop();
});

test('a server gets an access token that is for it alone, once for all calls', async () => {
  provider.asked = [];
  for (let at = 0; at < 3; at += 1) {
    expect(textOf(await mcp.call('one', 'say', {}, { key }))).toBe('done');
    expect(textOf(await mcp.call('two', 'say', {}, { key }))).toBe('done');
  }
  expect([decodeJwt(tokenOf(one)).aud, decodeJwt(tokenOf(two)).aud]).toEqual([one.url, two.url]);
  expect(decodeJwt(tokenOf(one))).toMatchObject({ iss: provider.issuer, client_id: MACHINE_ID });
  expect(provider.asked).toEqual([]);
});

test('neither the token nor the client secret comes back to an agent', async () => {
  one.result = ({ headers }) => TEXT(`${headers.authorization} ${MACHINE_SECRET}`);
  const reply = await mcp.call('one', 'say', {}, { key });
  expect(reply.status).toBe(200);
  expect(reply.text).not.toContain(tokenOf(one));
  expect(reply.text).not.toContain(MACHINE_SECRET);
});

test('a token that a server refuses is not replaced at once: a server could make the gateway ask for ever', async () => {
  one.refuses = () => true;
  provider.asked = [];
  for (let at = 0; at < 3; at += 1) {
    const { status, json } = await mcp.call('one', 'say', {}, { key });
    expect([status, json.error.data.code]).toEqual([502, 'provider_error']);
  }
  expect(provider.asked.filter((asked) => asked === 'POST /token')).toEqual([]);
  one.refuses = () => false;
});

test('the secret goes to no token endpoint that the credential is not for, whatever the metadata of a server says', async () => {
  const other = await credential('login.example.com');
  const auth = { type: 'clientCredentials', credentialId: other, clientId: MACHINE_ID };
  provider.asked = [];
  expect((await contract.admin('PATCH', '/mcp-servers/two', { auth })).status).toBe(200);
  const listed = await contract.admin('GET', '/mcp-servers/two/tools');
  expect([listed.status, listed.json.error.message]).toEqual([
    502,
    expect.stringContaining('The credential is not for the host 127.0.0.1'),
  ]);
  const reply = await eventually(
    () => mcp.call('two', 'say', {}, { key }),
    ({ status }) => status === 502,
  );
  expect(reply.json.error.message).toBe('The gateway gets no access token for the MCP server two.');
  expect(provider.asked).not.toContain('POST /token');
});

test.each([
  ['http://10.0.0.1/token', 'auth.tokenUrl'],
  ['https://login.other.example/token', 'auth.credentialId'],
])('a token endpoint at %s is refused', async (tokenUrl, param) => {
  const auth = { type: 'clientCredentials', credentialId, clientId: MACHINE_ID, tokenUrl };
  const { status, json } = await contract.admin('PATCH', '/mcp-servers/one', { auth });
  expect([status, json.error.param]).toEqual([400, param]);
});

test('a credential that is a client secret cannot be deleted', async () => {
  expect((await contract.admin('DELETE', `/credentials/${credentialId}`)).status).toBe(409);
});
