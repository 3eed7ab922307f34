import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { McpWorld, MODERN_META, textOf, toolOf } from '../support/mcp-client.ts';
import { type McpTestServer, TEXT } from '../support/mcp-server.ts';
import { Contract } from './contract.ts';
import { startLocalProcess } from './local-process.ts';

const SETTINGS = { SVC_WEBHOOK_ALLOW_LOOPBACK: 'true', SVC_PROVIDER_TIMEOUT_MS: '1500' };
const contract = new Contract((providers) => startLocalProcess(providers, SETTINGS), {});
const mcp = new McpWorld(contract);
const CREDENTIAL = `planted-mcp-${'t0ken'.repeat(5)}`;
const WEATHER = toolOf('weather', 'Reads the weather.', ['city']);
const HEADED = {
  name: 'query',
  description: 'Runs a query.',
  inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
};

let key: string;
let modern: McpTestServer;
let legacy: McpTestServer;
let sessions: McpTestServer;
let closed: McpTestServer;
let breaking: McpTestServer;
let wide: McpTestServer;

beforeAll(async () => {
  await contract.start();
  key = await contract.newKey({ permissions: ['mcp'] });
  modern = await mcp.add('modern', [WEATHER, HEADED]);
  legacy = await mcp.add('legacy', [WEATHER], { era: 'legacy' });
  sessions = await mcp.add('sessions', [WEATHER], { era: 'sessions' });
  breaking = await mcp.add('breaking', [WEATHER]);
  const credential = {
    name: 'm',
    provider: 'mcp',
    hosts: [new URL(breaking.url).host],
    value: CREDENTIAL,
    skipTest: true,
  };
  const { json } = await contract.admin('POST', '/credentials', { ...credential, keysOnly: true });
  closed = await mcp.add('closed', [WEATHER]);
  const auth = { type: 'credential', credentialId: json.id };
  const refused = await contract.admin('PATCH', '/mcp-servers/closed', { auth });
  expect([refused.status, refused.json.error.param]).toEqual([400, 'auth.credentialId']);
  expect((await contract.admin('PATCH', '/mcp-servers/breaking', { auth })).status).toBe(200);
  await eventually(
    () => mcp.call('breaking', 'weather', {}, { key }),
    () => breaking.calls.at(-1)?.headers.authorization !== undefined,
  );
  wide = await mcp.add('wide', [WEATHER], { settings: { onChange: 'off' }, approve: false });
  await mcp.listed('closed', ['weather'], { key });
});
beforeEach(() => {
  for (const server of [modern, legacy, sessions, closed, breaking]) {
    server.result = TEXT('12 degrees');
    server.status = 200;
    server.callStatus = 200;
    server.notifications = undefined;
    server.rawType = undefined;
  }
});
afterAll(async () => {
  await contract.stop();
  await mcp.stop();
});

describe('messages pass as they are', () => {
  test('a request and a response of one revision are byte-identical', async () => {
    const params = `{"name":"weather", "arguments":{"city":"Bern","n":1.0},"_meta":${JSON.stringify(MODERN_META)}}`;
    const body = `{ "jsonrpc":"2.0","id":"a-1","method":"tools/call","params":${params}}`;
    const answer =
      '{"jsonrpc" : "2.0","id":"a-1","result":{"resultType":"complete","content":[ {"type":"text","text":"\\u0031"} ],"n":1.00}}';
    modern.result = () => answer;
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'weather' };
    const reply = await contract.call('/mcp/modern', body, { key, headers });
    expect([reply.status, reply.text]).toEqual([200, answer]);
    expect(modern.calls.at(-1)?.body).toBe(body);
  });

  test('the definition of a tool is listed as its server has it', async () => {
    const { json } = await mcp.send('modern', 'tools/list', {}, { key });
    expect(json.result.tools).toEqual([WEATHER, HEADED]);
    expect(json.result).toMatchObject({ resultType: 'complete', cacheScope: 'private', ttlMs: 10_000 });
  });

  test('a stream stays a stream, with its notifications before the response', async () => {
    const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 0.5 } };
    modern.notifications = [progress, { jsonrpc: '2.0', method: 'notifications/other', params: {} }];
    const reply = await mcp.call('modern', 'weather', { city: 'Bern' }, { key });
    expect(reply.headers.get('content-type')).toContain('text/event-stream');
    const events = reply.text.split('\n\n').filter((event) => event !== '');
    const messages = events.map((event) => JSON.parse(event.replace(/^event: message\ndata: /, '')));
    expect(messages).toEqual([
      progress,
      { jsonrpc: '2.0', id: 7, result: { resultType: 'complete', ...TEXT('12 degrees') } },
    ]);
  });
});

describe('revisions', () => {
  test.each(['modern', 'legacy', 'sessions'])('clients of both revisions call the %s server', async (name) => {
    for (const revision of ['modern', 'legacy'] as const) {
      const reply = await mcp.call(name, 'weather', { city: 'Bern' }, { key, revision });
      expect([reply.status, textOf(reply)]).toEqual([200, '12 degrees']);
      if (revision === 'modern') expect(reply.json.result.resultType).toBe('complete');
    }
  });

  test('a server with sessions gets one for each call, which is ended', async () => {
    const ended = () =>
      eventually(
        async () => sessions.openSessions.size,
        (open) => open === 0,
      );
    await ended();
    const before = sessions.requests.length;
    await mcp.call('sessions', 'weather', { city: 'Bern' }, { key, revision: 'legacy' });
    await ended();
    const methods = sessions.requests.slice(before).map(({ json }) => json.method);
    expect(methods).toEqual(['initialize', 'notifications/initialized', 'tools/call', 'DELETE']);
  });

  test('a server without sessions gets the call alone', async () => {
    await mcp.call('legacy', 'weather', { city: 'Bern' }, { key });
    const before = legacy.requests.length;
    await mcp.call('legacy', 'weather', { city: 'Bern' }, { key });
    expect(legacy.requests.slice(before).map(({ json }) => json.method)).toEqual(['tools/call']);
    expect(legacy.requests.at(-1)?.headers['mcp-protocol-version']).toBe('2025-11-25');
  });

  test('an older client of a new server gets the members of `_meta` that the server needs', async () => {
    const params = { name: 'weather', arguments: {}, _meta: { progressToken: 5 } };
    await mcp.send('modern', 'tools/call', params, { key, revision: 'legacy' });
    const sent = modern.calls.at(-1);
    expect(sent?.json.params?._meta).toMatchObject({ progressToken: 5, ...MODERN_META });
    expect([sent?.headers['mcp-method'], sent?.headers['mcp-name']]).toEqual(['tools/call', 'weather']);
  });

  test('the gateway responds to what begins a session, and to notifications, itself', async () => {
    const before = modern.requests.length;
    const started = await mcp.send(
      'modern',
      'initialize',
      { protocolVersion: '2025-06-18', capabilities: {} },
      { key, revision: 'legacy' },
    );
    expect(started.json.result).toMatchObject({ protocolVersion: '2025-06-18', capabilities: { tools: {} } });
    expect(started.headers.get('mcp-session-id')).toBeNull();
    const ready = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect((await contract.call('/mcp/modern', ready, { key })).status).toBe(202);
    expect((await mcp.send('modern', 'ping', {}, { key, revision: 'legacy' })).json.result).toEqual({});
    const { json } = await mcp.send('modern', 'server/discover', {}, { key });
    expect(json.result.supportedVersions).toEqual(['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26']);
    expect(modern.requests.length).toBe(before);
  });

  test('an older client cannot give the input that a tool asks for, and gets an error that says so', async () => {
    modern.result = { resultType: 'input_required', inputRequests: {} };
    const reply = await mcp.call('modern', 'weather', {}, { key, revision: 'legacy' });
    expect([reply.json.result.isError, textOf(reply)]).toEqual([true, expect.stringContaining('asks for more input')]);
  });
});

describe('errors', () => {
  const raw = (body: string, headers: Record<string, string> = {}, path = '/mcp/modern') =>
    contract.call(path, body, { key, headers });
  const message = (fields: object) => JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'ping', ...fields });
  const NEW = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'weather' };
  const CALL = { method: 'tools/call', params: { name: 'weather', arguments: {}, _meta: MODERN_META } };

  test.each<[string, string, Record<string, string>, number, number]>([
    ['no JSON', '{', {}, 400, -32700],
    ['a duplicate member', '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', {}, 400, -32700],
    ['a batch', '[]', {}, 400, -32600],
    ['another version of JSON-RPC', '{"jsonrpc":"1.0","id":1,"method":"ping"}', {}, 400, -32600],
    ['an unknown member', message({ extra: 1 }), {}, 400, -32600],
    ['an id that is a fraction', message({ id: 1.5 }), {}, 400, -32600],
    ['an id that could hold text', message({ id: 'x y' }), {}, 400, -32600],
    ['an unknown method', message({ method: 'tools/steal' }), {}, 404, -32601],
    ['resources of a server that serves none', message({ method: 'resources/list' }), {}, 404, -32601],
    ['an unknown revision', message({}), { 'mcp-protocol-version': '1900-01-01' }, 400, -32022],
    ['a missing header', message(CALL), { 'mcp-protocol-version': '2026-07-28' }, 400, -32020],
    ['another method in the header', message(CALL), { ...NEW, 'mcp-method': 'ping' }, 400, -32020],
    [
      'an unknown revision in the header alone',
      message(CALL),
      { ...NEW, 'mcp-protocol-version': '1900-01-01' },
      400,
      -32020,
    ],
    [
      'a name in the header that is no base64',
      message(CALL),
      { ...NEW, 'mcp-name': '=?base64?d2VhdGhlcg?=' },
      400,
      -32020,
    ],
    [
      'what begins a session, of the new revision',
      message({ method: 'initialize', params: { _meta: MODERN_META } }),
      { ...NEW, 'mcp-method': 'initialize' },
      404,
      -32601,
    ],
    ['another tool in the header', message(CALL), { ...NEW, 'mcp-name': 'other' }, 400, -32020],
    ['another revision in the header', message(CALL), { ...NEW, 'mcp-protocol-version': '2025-11-25' }, 400, -32020],
    [
      'no capabilities',
      message({ ...CALL, params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } } }),
      NEW,
      400,
      -32602,
    ],
    [
      'an unknown tool',
      message({ ...CALL, params: { ...CALL.params, name: 'nope' } }),
      { ...NEW, 'mcp-name': 'nope' },
      404,
      -32602,
    ],
    ['arguments that are a list', message({ ...CALL, params: { ...CALL.params, arguments: [] } }), NEW, 400, -32602],
  ])('%s', async (_, body, headers, status, code) => {
    const before = modern.calls.length;
    const reply = await raw(body, headers);
    expect([reply.status, reply.json.error.code]).toEqual([status, code]);
    expect(reply.json.error.message).toMatch(/\S/);
    expect(modern.calls.length).toBe(before);
  });

  test('an encoded name in a header is compared with the decoded one', async () => {
    const encoded = { ...NEW, 'mcp-name': `=?base64?${Buffer.from('weather').toString('base64')}?=` };
    expect((await raw(message(CALL), encoded)).status).toBe(200);
  });

  test('headers that repeat arguments must agree, and the server gets those of the body', async () => {
    const call = (headers: Record<string, string>) =>
      mcp.call('modern', 'query', { region: 'Zürich' }, { key, headers });
    const right = `=?base64?${Buffer.from('Zürich').toString('base64')}?=`;
    for (const headers of [{}, { 'mcp-param-region': 'Bern' }])
      expect((await call(headers)).json.error.code).toBe(-32020);
    expect((await call({ 'mcp-param-region': right })).status).toBe(200);
    expect(modern.calls.at(-1)?.headers['mcp-param-region']).toBe(right);
  });

  test('an unknown and a disabled server is a 404, without a key a 401', async () => {
    const unknown = await raw(message(CALL), NEW, '/mcp/nowhere');
    expect([unknown.status, unknown.json.id, unknown.json.error.data.code]).toEqual([404, 3, 'not_found']);
    const withoutKey = await contract.call('/mcp/modern', message(CALL), { key: '', headers: NEW });
    expect([withoutKey.status, withoutKey.json.jsonrpc, withoutKey.json.error.code]).toEqual([401, '2.0', 401]);
    expect((await contract.call('/mcp/modern', undefined, { key })).status).toBe(405);
  });

  test.each<[string, string]>([
    ['no JSON', 'nope'],
    ['another id', '{"jsonrpc":"2.0","id":8,"result":{}}'],
    ['a result and an error', '{"jsonrpc":"2.0","id":7,"result":{},"error":{}}'],
    ['a duplicate member', '{"jsonrpc":"2.0","id":7,"result":{"content":[],"content":[]}}'],
    ['an unknown member', '{"jsonrpc":"2.0","id":7,"result":{},"note":"hidden"}'],
    ['deep JSON', `{"jsonrpc":"2.0","id":7,"result":{"a":${'['.repeat(70)}${']'.repeat(70)}}}`],
    ['a request to the client', '{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{}}'],
  ])('a server that breaks the protocol is named: %s', async (_, body) => {
    modern.result = () => body;
    const reply = await mcp.call('modern', 'weather', {}, { key });
    expect([reply.status, reply.json.error.data.code]).toEqual([502, 'provider_error']);
    expect(reply.json.error.message).toContain('MCP server modern');
    modern.result = TEXT('well again');
    expect(textOf(await mcp.call('modern', 'weather', {}, { key }))).toBe('well again');
  });
});

test('an error of a server keeps its status, which clients of the new revision read', async () => {
  const error = { code: -32021, message: 'Missing capability', data: { requiredCapabilities: { sampling: {} } } };
  modern.result = () => JSON.stringify({ jsonrpc: '2.0', id: 7, error });
  modern.callStatus = 400;
  const statuses = [];
  for (const revision of ['modern', 'legacy'] as const) {
    const reply = await mcp.call('modern', 'weather', {}, { key, revision });
    expect(reply.json.error).toEqual(error);
    statuses.push(reply.status);
  }
  expect(statuses).toEqual([400, 200]);
  const blocked = { code: -32021, message: 'SVC-TEST-BLOCK-7f3a' };
  modern.result = () => JSON.stringify({ jsonrpc: '2.0', id: 7, error: blocked });
  const reply = await mcp.call('modern', 'weather', {}, { key });
  expect([reply.status, reply.json.result.isError]).toEqual([200, true]);
});

/** Bodies with a second member that another parser could take. */
const SECOND: readonly (readonly [string, string])[] = [
  ['a result and an error', '{"jsonrpc":"2.0","id":7,"result":{"content":[]},"error":{"code":1,"message":"POISON"}}'],
  ['an error and a result', '{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"x"},"result":{"content":"POISON"}}'],
  ['an error beside a result that is null', '{"jsonrpc":"2.0","id":7,"result":null,"error":"POISON"}'],
  ['two results', '{"jsonrpc":"2.0","id":7,"result":{"content":[]},"result":{"content":"POISON"}}'],
  ['two results, one with an escape', '{"jsonrpc":"2.0","id":7,"result":{"content":[]},"r\\u0065sult":{"a":"POISON"}}'],
  ['two errors', '{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"x"},"error":{"code":1,"message":"POISON"}}'],
  ['two ids', '{"jsonrpc":"2.0","id":7,"id":8,"result":{"content":"POISON"}}'],
  ['a member in capitals', '{"jsonrpc":"2.0","id":7,"result":{"content":[]},"Result":{"content":"POISON"}}'],
  ['a method beside a result', '{"jsonrpc":"2.0","id":7,"method":"notifications/message","result":{"a":"POISON"}}'],
  ['a result in a notification', '{"jsonrpc":"2.0","method":"notifications/message","params":{},"result":"POISON"}'],
  ['a batch', '[{"jsonrpc":"2.0","id":7,"result":{"content":"POISON"}}]'],
  ['a batch of two', '[{"jsonrpc":"2.0","id":7,"result":{}},{"jsonrpc":"2.0","id":7,"result":{"a":"POISON"}}]'],
  ['an id of another type', '{"jsonrpc":"2.0","id":"7","result":{"content":"POISON"}}'],
  ['an id that is a list', '{"jsonrpc":"2.0","id":[7],"result":{"content":"POISON"}}'],
  ['an id that is null', '{"jsonrpc":"2.0","id":null,"result":{"content":"POISON"}}'],
  ['no id', '{"jsonrpc":"2.0","result":{"content":"POISON"}}'],
  ['no version', '{"id":7,"result":{"content":"POISON"}}'],
  ['a result that is a text', '{"jsonrpc":"2.0","id":7,"result":"POISON"}'],
  ['a result that is a list', '{"jsonrpc":"2.0","id":7,"result":["POISON"]}'],
  ['two documents', '{"jsonrpc":"2.0","id":7,"result":{}}{"jsonrpc":"2.0","id":7,"result":{"a":"POISON"}}'],
];

describe.each(['whole', 'streamed'] as const)('a %s response with a second member reaches no client', (form) => {
  test.each(SECOND)('%s', async (_, body) => {
    modern.result = () => body;
    modern.rawType = form === 'whole' ? undefined : 'text/event-stream';
    for (const revision of ['modern', 'legacy'] as const) {
      const reply = await mcp.call('modern', 'weather', {}, { key, revision });
      expect(reply.json?.error?.data?.code ?? reply.text).toBe('provider_error');
      expect(reply.text).not.toContain('POISON');
      modern.result = TEXT('well again');
      modern.rawType = undefined;
      expect(textOf(await mcp.call('modern', 'weather', {}, { key }))).toBe('well again');
      modern.result = () => body;
      modern.rawType = form === 'whole' ? undefined : 'text/event-stream';
    }
  });
});

test('what follows a response in a stream reaches no client', async () => {
  const [first, second] = ['first', 'POISON'].map((text) =>
    JSON.stringify({ jsonrpc: '2.0', id: 7, result: { resultType: 'complete', ...TEXT(text) } }),
  );
  modern.result = () => `${first}\n\ndata: ${second}`;
  modern.rawType = 'text/event-stream';
  const { text } = await mcp.call('modern', 'weather', {}, { key });
  expect([text.includes('first'), text.includes('POISON')]).toEqual([true, false]);
});

describe('a list', () => {
  test('of more than 4 MiB is refused, however many pages it has, and the server is named', async () => {
    const page = Array.from({ length: 10 }, (_, at) => toolOf(`big${at}`, 'x'.repeat(60_000)));
    wide.tools = page;
    wide.pages = 12;
    const before = wide.requests.length;
    const reply = await eventually(
      () => mcp.send('wide', 'tools/list', {}, { key }),
      ({ status }) => status !== 200,
    );
    expect([reply.status, reply.json.error.data.code]).toEqual([502, 'provider_error']);
    expect(reply.json.error.message).toBe('The MCP server wide returned a list that is larger than 4 MiB.');
    expect(wide.requests.slice(before).filter(({ json }) => json.method === 'tools/list').length).toBeLessThan(20);
    wide.pages = 1;
  });

  test('has no definition of more than 256 KiB', async () => {
    wide.tools = [toolOf('long', 'x'.repeat(270_000)), WEATHER];
    expect(await mcp.listed('wide', ['weather'], { key })).toEqual(['weather']);
  });
});

describe('a server', () => {
  test('may not return its credential in a list, a resource, a prompt, a notification or an error', async () => {
    const said = `The key is ${CREDENTIAL}.`;
    const escaped = CREDENTIAL.replace('t', '\\u0074');
    breaking.tools = [WEATHER, toolOf('leak', said)];
    breaking.prompts = [{ name: 'leak', description: said }];
    breaking.resources = [{ uri: 'file:///a', name: CREDENTIAL }];
    await contract.admin('PATCH', '/mcp-servers/breaking', { resources: 'on', onChange: 'off' });
    await mcp.listed('breaking', ['weather', 'leak'], { key });
    const replies = [
      await mcp.send('breaking', 'tools/list', {}, { key }),
      await mcp.send('breaking', 'prompts/list', {}, { key }),
      await mcp.send('breaking', 'resources/list', {}, { key }),
      await contract.admin('GET', '/mcp-servers/breaking/tools'),
    ];
    breaking.result = { contents: [{ uri: 'file:///a', text: said }] };
    replies.push(await mcp.send('breaking', 'resources/read', { uri: 'file:///a' }, { key }));
    breaking.result = { messages: [{ role: 'user', content: { type: 'text', text: said } }] };
    replies.push(await mcp.send('breaking', 'prompts/get', { name: 'leak' }, { key }));
    breaking.result = () => `{"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"${escaped}"}}`;
    replies.push(await mcp.call('breaking', 'weather', {}, { key }));
    breaking.result = TEXT(said);
    breaking.notifications = [
      { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: said } },
    ];
    replies.push(await mcp.call('breaking', 'weather', {}, { key }));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    for (const { text } of replies) {
      expect(text).not.toContain(CREDENTIAL);
      expect(text).not.toContain(escaped);
    }
    await contract.admin('PATCH', '/mcp-servers/breaking', { resources: 'off', onChange: 'block' });
    breaking.tools = [WEATHER];
  });

  test('gets its own credential, at its host only, and may not return it', async () => {
    breaking.result = ({ headers }) => TEXT(`called with ${headers.authorization}`);
    const reply = await mcp.call('breaking', 'weather', {}, { key });
    expect(breaking.calls.at(-1)?.headers.authorization).toBe(`Bearer ${CREDENTIAL}`);
    expect(reply.status).toBe(200);
    expect(reply.text).not.toContain(CREDENTIAL);
  });

  test.each([
    'http://127.0.0.1.nip.example:1/x?y=1',
    'ftp://a.example/',
    'http://10.0.0.1/',
    'http://user:pw@a.example/',
  ])('may not be at %s', async (url) => {
    const reply = await contract.admin('POST', '/mcp-servers', { name: 'bad', url });
    expect([reply.status, reply.json.error.param]).toEqual([400, 'url']);
  });

  test('is not followed to another address', async () => {
    const other = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1');
    await once(other, 'listening');
    let visits = 0;
    other.on('request', () => {
      visits += 1;
    });
    const to = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
    const away = createServer((_, response) => response.writeHead(307, { location: to }).end()).listen(0, '127.0.0.1');
    await once(away, 'listening');
    const url = `http://127.0.0.1:${(away.address() as AddressInfo).port}/mcp`;
    await contract.admin('POST', '/mcp-servers', { name: 'away', url });
    const reply = await contract.admin('GET', '/mcp-servers/away/tools');
    expect([reply.status, reply.json.error.code, visits]).toEqual([502, 'provider_error', 0]);
    other.close();
    away.close();
  });

  test('that fails five times in a row is not called for a while', async () => {
    closed.status = 500;
    for (let at = 0; at < 5; at += 1) expect((await mcp.call('closed', 'weather', {}, { key })).status).toBe(502);
    const before = closed.requests.length;
    expect((await contract.admin('GET', '/mcp-servers/closed')).json.circuit).toBe('open');
    const reply = await mcp.call('closed', 'weather', {}, { key });
    expect([reply.status, reply.headers.get('retry-after'), closed.requests.length]).toEqual([502, '15', before]);
  });
});

test('the limit of tools is of each key: further calls are a 429 of JSON-RPC that says when to try again', async () => {
  const toolLimits = [{ tools: 'wea*', requests: 2, period: 'day' }];
  expect((await contract.admin('PATCH', '/mcp-servers/sessions', { toolLimits })).json.toolLimits).toEqual(toolLimits);
  const limited = await eventually(
    async () => {
      const one = await contract.newKey({ permissions: ['mcp'] });
      const call = () => mcp.call('sessions', 'weather', { city: 'Bern' }, { key: one });
      return [await call(), await call(), await call()] as const;
    },
    ([, , { status }]) => status === 429,
  );
  const [first, second, third] = limited;
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(third.json).toMatchObject({
    jsonrpc: '2.0',
    id: 7,
    error: {
      code: 429,
      data: {
        code: 'rate_limit_exceeded',
        details: { limit: 2, remaining: 0, resetTime: expect.any(String) },
      },
    },
  });
  expect(third.json.error.message).toContain("the tools 'sessions/wea*'");
  expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
  const other = await contract.newKey({ permissions: ['mcp'] });
  expect((await mcp.call('sessions', 'weather', { city: 'Bern' }, { key: other })).status).toBe(200);
  await contract.admin('PATCH', '/mcp-servers/sessions', { toolLimits: [] });
});

test('a call has a record with its tool, and none of its text', async () => {
  modern.result = TEXT('12 degrees');
  const { headers } = await mcp.call('modern', 'weather', { city: 'Planted-Town' }, { key });
  const id = headers.get('x-request-id');
  const { json, text } = await contract.settled(
    () => contract.analytics(`/requests/${id}`),
    ({ status }) => status === 200,
  );
  expect(json).toMatchObject({ route: '/v1/mcp/{server}', tool: 'modern/weather', state: 'completed', status: 200 });
  expect(json.toolCalls[0]).toMatchObject({ tool: 'modern/weather', action: 'allow' });
  expect(text).not.toContain('Planted-Town');
  const { json: listed } = await contract.analytics('/requests?tool=modern/*&limit=1');
  expect(listed.data.map((one: { tool: string }) => one.tool)).toEqual(['modern/weather']);
});

test('a webhook hears once of a changed definition, and of nothing in its text', async () => {
  const heard: { readonly type: string; readonly data: object }[] = [];
  const receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      heard.push(JSON.parse(body));
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const made = await contract.admin('POST', '/webhooks', { url, events: ['mcp.tool_changed'] });
  expect(made.status).toBe(201);
  const { json } = await contract.admin('GET', '/mcp-servers/legacy/tools');
  legacy.tools = [toolOf('weather', 'Planted-Description.', ['city'])];
  expect(await mcp.listed('legacy', [], { key })).toEqual([]);
  await mcp.names('legacy', { key });
  await eventually(
    async () => heard.length,
    (length) => length > 0,
  );
  const changed = await contract.admin('GET', '/mcp-servers/legacy/tools');
  expect(heard).toEqual([
    expect.objectContaining({
      type: 'mcp.tool_changed',
      data: {
        server: 'legacy',
        tool: 'weather',
        digest: changed.json.data[0].digest,
        approvedDigest: json.data[0].approvedDigest,
        fields: ['description'],
      },
    }),
  ]);
  expect(JSON.stringify(heard)).not.toContain('Planted');
  legacy.tools = [];
  await eventually(
    async () => {
      await mcp.names('legacy', { key });
      return heard.length;
    },
    (length) => length > 1,
  );
  const { approvedDigest } = json.data[0];
  const gone = { server: 'legacy', tool: 'weather', digest: null, approvedDigest, fields: [] };
  expect(heard.slice(1).map(({ data }) => data)).toEqual([gone]);
  // Alerts are about these figures.
  const { json: summary } = await eventually(
    () => contract.analytics('/summary?groupBy=provider'),
    (reply) => reply.json.toolChanges >= 2,
  );
  const ofServer = summary.groups.find(({ group }: { readonly group: string }) => group === 'mcp:legacy');
  expect([summary.toolChanges, ofServer.toolChanges]).toEqual([2, 2]);
  const { json: records } = await contract.analytics(
    '/requests?provider=mcp:legacy&from=2020-01-01T00:00:00Z&limit=100',
  );
  const changes = records.data.flatMap(({ toolChange }: { readonly toolChange?: string }) => toolChange ?? []);
  expect(changes).toContain('removed');
  receiver.close();
});

test('servers are a document with versions: stale writes are refused, old versions restored, changes audited', async () => {
  const { headers } = await contract.admin('GET', '/mcp-servers');
  const stale = { 'if-match': '"1"' };
  const body = JSON.stringify({ state: 'disabled' });
  const admin = { key: contract.service.adminKey };
  const refused = await contract.call('/admin/mcp-servers/away', body, { ...admin, method: 'PATCH', headers: stale });
  expect(refused.status).toBe(412);
  const current = { 'if-match': headers.get('etag') as string };
  const changed = await contract.call('/admin/mcp-servers/away', body, { ...admin, method: 'PATCH', headers: current });
  expect([changed.status, changed.json.state]).toEqual([200, 'disabled']);
  const version = Number(current['if-match'].slice(1, -1));
  const restored = await contract.admin('POST', '/mcp-servers/rollback', { version });
  expect(restored.json.servers.find(({ name }: { name: string }) => name === 'away').state).toBe('active');
  expect((await contract.admin('DELETE', '/mcp-servers/away')).json.deleted).toBe(true);
  expect((await contract.admin('DELETE', '/mcp-servers/modern/tools/query')).json.withdrawn).toBe(true);
  const { json } = await contract.admin('GET', '/audit?limit=2');
  expect(json.data.map(({ action, target }: { action: string; target: object }) => [action, target])).toEqual([
    ['mcp_tool.withdrawn', { type: 'mcp_tool', id: 'modern/query' }],
    ['mcp_servers.updated', { type: 'mcp_servers', id: expect.any(String) }],
  ]);
  const { json: credentials } = await contract.admin('GET', '/credentials');
  expect((await contract.admin('DELETE', `/credentials/${credentials.data[0].id}`)).status).toBe(409);
});
