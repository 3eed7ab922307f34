import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { ALL, McpWorld, MODERN_META, textOf, toolOf } from '../support/mcp-client.ts';
import { type McpTestServer, TEXT } from '../support/mcp-server.ts';
import { Contract } from './contract.ts';
import { startLocalProcess } from './local-process.ts';

const SETTINGS = { SVC_WEBHOOK_ALLOW_LOOPBACK: 'true', SVC_PROVIDER_TIMEOUT_MS: '1500' };
const contract = new Contract((providers) => startLocalProcess(providers, SETTINGS), {});
const mcp = new McpWorld(contract);
const PROMPT = { name: 'review', description: 'Reviews code.', arguments: [{ name: 'code', required: true }] };
const TEMPLATE = { uriTemplate: 'file:///{path}', name: 'files', description: 'Files of the project.' };
const RESOURCE = { uri: 'file:///readme', name: 'readme' };
const LONG = `long_${'x'.repeat(70)}`;
const MESSAGES = { messages: [{ role: 'user', content: { type: 'text', text: 'Review this code.' } }] };
const CONTENTS = { contents: [{ uri: 'file:///readme', text: 'Read me.' }] };

let key: string;
let docs: McpTestServer;
let old: McpTestServer;
let plain: McpTestServer;

beforeAll(async () => {
  await contract.start();
  key = await contract.newKey({ permissions: ['mcp'] });
  docs = await mcp.add('docs', [toolOf('search'), toolOf(LONG)], { settings: { resources: 'on' } });
  old = await mcp.add('old', [toolOf('search')], { settings: { resources: 'on' }, era: 'sessions' });
  for (const [name, server] of [['docs', docs] as const, ['old', old] as const]) {
    server.prompts = [PROMPT];
    server.templates = [TEMPLATE];
    server.resources = [RESOURCE];
    await mcp.approve(name, 'prompt:review');
    await mcp.approve(name, 'template:file:///{path}');
  }
  plain = await mcp.add('plain', [toolOf('search')]);
  await mcp.listed('plain', ['search'], { key });
});
beforeEach(() => {
  for (const server of [docs, old, plain]) {
    server.result = TEXT('found');
    server.status = 200;
  }
});
afterAll(async () => {
  await contract.stop();
  await mcp.stop();
});

describe('the address of all servers', () => {
  const names = async (sending = { key }) => (await mcp.names(ALL, sending)).toSorted();

  test('lists the tools of all servers under names that say whose they are', async () => {
    const [first = '', ...others] = await names();
    expect(others).toEqual(['docs__search', 'old__search', 'plain__search']);
    expect([first.length, first]).toEqual([64, expect.stringMatching(/^docs__long_x+_[0-9a-f]{20}$/)]);
    const { json } = await mcp.send(ALL, 'tools/list', {}, { key });
    const { name: _, ...definition } = toolOf('search');
    const listed = json.result.tools.find(({ name }: { name: string }) => name === 'plain__search');
    expect(listed).toEqual({ ...definition, name: 'plain__search' });
    expect(json.result._meta).toBeUndefined();
  });

  test('calls a tool of each, whose server gets its own name of it', async () => {
    const shortened = (await names()).find((name) => name.length === 64) as string;
    for (const [name, server, own] of [
      ['docs__search', docs, 'search'],
      ['old__search', old, 'search'],
      [shortened, docs, LONG],
    ] as const) {
      for (const revision of ['modern', 'legacy'] as const)
        expect(textOf(await mcp.call(ALL, name, { text: 'x' }, { key, revision }))).toBe('found');
      expect(server.calls.at(-1)?.json.params?.name).toBe(own);
    }
    expect(docs.calls.at(-1)?.headers['mcp-name']).toBe(LONG);
  });

  test('a call has a record with its tool and this address', async () => {
    const { headers } = await mcp.call(ALL, 'docs__search', { text: 'x' }, { key });
    const { json } = await contract.settled(
      () => contract.analytics(`/requests/${headers.get('x-request-id')}`),
      ({ status }) => status === 200,
    );
    expect(json).toMatchObject({ route: '/v1/mcp', tool: 'docs/search', state: 'completed' });
  });

  test('a server that is down is named, and hides no other', async () => {
    await mcp.add('down', [toolOf('search')]).then((server) => server.stop());
    const result = await eventually(
      () => mcp.result(ALL, 'tools/list', {}, { key }),
      ({ _meta }) => _meta !== undefined,
    );
    expect(result._meta).toEqual({ 'svc/unavailable': ['down'] });
    expect(result.tools.map(({ name }: { name: string }) => name)).toContain('plain__search');
    const bounded = await contract.newKey({ permissions: ['mcp'], allowedTools: ['plain/*'] });
    expect(await mcp.result(ALL, 'tools/list', {}, { key: bounded })).toMatchObject({
      tools: [expect.objectContaining({ name: 'plain__search' })],
    });
    expect((await mcp.result(ALL, 'tools/list', {}, { key: bounded }))._meta).toBeUndefined();
    await contract.admin('DELETE', '/mcp-servers/down');
  });

  test('takes from the limit of a tool as the address of its server does, also under a shortened name', async () => {
    const toolLimits = [{ tools: 'long*', requests: 2, period: 'day' }];
    await contract.admin('PATCH', '/mcp-servers/docs', { toolLimits });
    const shortened = (await names()).find((name) => name.length === 64) as string;
    const statuses = await eventually(
      async () => {
        const one = await contract.newKey({ permissions: ['mcp'] });
        const call = (address: string, tool: string) => mcp.call(address, tool, { text: 'x' }, { key: one });
        const calls = [await call('docs', LONG), await call(ALL, shortened), await call(ALL, shortened)];
        return [...calls, await call('docs', LONG)].map(({ status }) => status);
      },
      // The limit may come into force between two calls.
      (all) => all.join() === '200,200,429,429',
    );
    expect(statuses).toEqual([200, 200, 429, 429]);
    await contract.admin('PATCH', '/mcp-servers/docs', { toolLimits: [] });
  });

  test('has tools alone, and says so', async () => {
    const { capabilities } = await mcp.result(ALL, 'server/discover', {}, { key });
    expect(capabilities).toEqual({ tools: {} });
    expect((await mcp.result(ALL, 'prompts/list', {}, { key })).code).toBe(-32601);
    expect((await mcp.result(ALL, 'resources/read', { uri: 'file:///readme' }, { key })).code).toBe(-32601);
  });

  test.each(['search', 'plain__nope', 'nowhere__search', 'plain__', '__search'])('does not know %s', async (name) => {
    const reply = await mcp.call(ALL, name, {}, { key });
    expect([reply.status, reply.json.error.code, reply.json.error.message]).toEqual([404, -32602, 'Unknown tool.']);
  });
});

describe.each(['docs', 'old'])('prompts and resources of the server %s', (name) => {
  const serverOf = () => (name === 'docs' ? docs : old);

  test('are listed as the server has them', async () => {
    for (const revision of ['modern', 'legacy'] as const) {
      const list = (method: string) => mcp.result(name, method, {}, { key, revision });
      expect((await list('prompts/list')).prompts).toEqual([PROMPT]);
      expect((await list('resources/list')).resources).toEqual([RESOURCE]);
      expect((await list('resources/templates/list')).resourceTemplates).toEqual([TEMPLATE]);
    }
  });

  test('a prompt is returned', async () => {
    serverOf().result = MESSAGES;
    for (const revision of ['modern', 'legacy'] as const) {
      const params = { name: 'review', arguments: { code: 'x = 1' } };
      expect(await mcp.result(name, 'prompts/get', params, { key, revision })).toMatchObject(MESSAGES);
    }
  });

  test('a resource is returned, to a new client with what says how long it may be kept', async () => {
    serverOf().result = { ...CONTENTS, ...(name === 'docs' && { ttlMs: 9_000, cacheScope: 'public' }) };
    const read = (revision: 'modern' | 'legacy') =>
      mcp.result(name, 'resources/read', { uri: 'file:///readme' }, { key, revision });
    expect(await read('legacy')).toMatchObject(CONTENTS);
    const ttlMs = name === 'docs' ? 9_000 : 0;
    expect(await read('modern')).toMatchObject({ ...CONTENTS, resultType: 'complete', ttlMs, cacheScope: 'private' });
  });

  test('an argument is completed', async () => {
    const completion = { values: ['python', 'perl'], total: 2, hasMore: false };
    serverOf().result = { completion };
    const argument = { name: 'code', value: 'p' };
    for (const ref of [
      { type: 'ref/prompt', name: 'review' },
      { type: 'ref/resource', uri: 'file:///{path}' },
    ])
      expect(await mcp.result(name, 'completion/complete', { ref, argument }, { key })).toMatchObject({ completion });
    const ref = { type: 'ref/prompt', name: 'other' };
    expect((await mcp.result(name, 'completion/complete', { ref, argument }, { key })).code).toBe(-32602);
  });
});

describe('what is not served', () => {
  test('a server without prompts has none, and resources are served where an administrator allows it', async () => {
    expect((await mcp.result('plain', 'prompts/list', {}, { key })).prompts).toEqual([]);
    const refused = await mcp.send('plain', 'resources/list', {}, { key });
    expect([refused.status, refused.json.error.code]).toEqual([404, -32601]);
    expect((await mcp.result('plain', 'server/discover', {}, { key })).capabilities).toEqual({
      tools: {},
      prompts: {},
      completions: {},
    });
  });

  test.each(['resources/subscribe', 'subscriptions/listen', 'logging/setLevel', 'tasks/get'])(
    '%s needs a session',
    async (method) => {
      const before = docs.requests.length;
      const reply = await mcp.send('docs', method, { uri: 'file:///readme' }, { key });
      expect([reply.status, reply.json.error.code, docs.requests.length]).toEqual([404, -32601, before]);
    },
  );

  test('the header with the name must be that of the prompt or the address of the resource', async () => {
    for (const [method, params] of [
      ['prompts/get', { name: 'review' }],
      ['resources/read', { uri: 'file:///readme' }],
    ] as const) {
      const reply = await mcp.send('docs', method, params, { key, headers: { 'mcp-name': 'other' } });
      expect([reply.status, reply.json.error.code]).toEqual([400, -32020]);
    }
  });
});

test('the administration names the kind of what is approved', async () => {
  const { json } = await contract.admin('GET', '/mcp-servers/docs/tools');
  expect(json.data.map(({ tool, kind, state }: Record<string, string>) => [tool, kind, state])).toEqual([
    [LONG, 'tool', 'approved'],
    ['prompt:review', 'prompt', 'approved'],
    ['search', 'tool', 'approved'],
    ['template:file:///{path}', 'template', 'approved'],
  ]);
});

test('a kind whose list fails is named, and hides no other kind', async () => {
  docs.broken = 'prompts/list';
  const { status, json } = await contract.admin('GET', '/mcp-servers/docs/tools');
  expect(status).toBe(200);
  expect(json.unavailable).toEqual([{ kind: 'prompt', message: expect.stringContaining('The MCP server docs') }]);
  // Nothing is reported as removed.
  const found = json.data.map(({ kind, state }: Record<string, string>) => `${kind} ${state}`);
  expect(found).toEqual(['tool approved', 'tool approved', 'template approved']);
  docs.broken = undefined;
});

test('an approval asks the server for that kind alone', async () => {
  const { json } = await contract.admin('GET', '/mcp-servers/docs/tools');
  const tool = json.data.find(({ kind }: Record<string, string>) => kind === 'tool');
  docs.broken = 'prompts/list';
  const before = docs.requests.length;
  const approved = await contract.admin('POST', `/mcp-servers/docs/tools/${tool.tool}/approve`, {
    digest: tool.digest,
  });
  expect([approved.status, approved.json]).toEqual([200, { ...tool, state: 'approved' }]);
  const lists = docs.requests.slice(before).filter(({ json: { method } }) => method.endsWith('/list'));
  expect(lists.map(({ json: { method } }) => method)).toEqual(['tools/list']);
  docs.broken = undefined;
});

test('a read has a record without the address, which the client chose', async () => {
  docs.result = CONTENTS;
  const { headers } = await mcp.send('docs', 'resources/read', { uri: 'file:///planted-name' }, { key });
  const { json, text } = await contract.settled(
    () => contract.analytics(`/requests/${headers.get('x-request-id')}`),
    ({ status }) => status === 200,
  );
  expect(json).toMatchObject({ route: '/v1/mcp/{server}', tool: 'docs/resource:*', state: 'completed' });
  expect(text).not.toContain('planted-name');
});

test('a list is asked for a second time if its server failed, a call is not', async () => {
  const server = await mcp.add('flaky', [toolOf('search')], { settings: { onChange: 'off' }, approve: false });
  await eventually(
    () => mcp.result('flaky', 'server/discover', {}, { key }),
    ({ capabilities }) => capabilities !== undefined,
  );
  server.failures = 1;
  expect(await mcp.names('flaky', { key })).toEqual(['search']);
  server.failures = 1;
  const before = server.calls.length;
  const reply = await mcp.call('flaky', 'search', {}, { key });
  expect([reply.status, server.calls.length]).toEqual([502, before + 1]);
});

describe('input that a server asks for', () => {
  const ELICITATION = { method: 'elicitation/create', params: { message: 'Which city?', requestedSchema: {} } };
  const asking = (inputRequests: object) => ({ resultType: 'input_required', inputRequests, requestState: 'opaque' });
  const callWith = (clientCapabilities: object, more: object = {}) => {
    const _meta = { ...MODERN_META, 'io.modelcontextprotocol/clientCapabilities': clientCapabilities };
    const body = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'search', ...more, _meta } };
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'search' };
    return contract.call('/mcp/docs', JSON.stringify(body), { key, headers });
  };

  test('reaches a client that declares it, and what the client gives reaches the server', async () => {
    docs.result = asking({ city: ELICITATION });
    const { json } = await callWith({ elicitation: {} });
    expect(json.result).toEqual(asking({ city: ELICITATION }));
    docs.result = TEXT('12 degrees');
    const inputResponses = { city: { action: 'accept', content: { city: 'Bern' } } };
    const reply = await callWith({ elicitation: {} }, { inputResponses, requestState: 'opaque' });
    expect(textOf(reply)).toBe('12 degrees');
    expect(docs.calls.at(-1)?.json.params).toMatchObject({ inputResponses, requestState: 'opaque' });
  });

  test.each<[string, object, object]>([
    ['a capability that the client lacks', {}, { city: ELICITATION }],
    ['another method', { elicitation: {} }, { city: { ...ELICITATION, method: 'tools/call' } }],
    ['no request', { elicitation: {} }, { city: 'Which city?' }],
    ['a list', { elicitation: {} }, [ELICITATION]],
  ])('is refused if it needs %s', async (_, capabilities, inputRequests) => {
    docs.result = asking(inputRequests);
    const reply = await callWith(capabilities);
    expect([reply.status, reply.json.error.data.code]).toEqual([502, 'provider_error']);
    expect(reply.json.error.message).toContain('MCP server docs');
  });
});

test('a key that is bound to a folder of resources does not leave it', async () => {
  const bounded = await contract.newKey({ permissions: ['mcp'], allowedTools: ['docs/resource:file:///public/*'] });
  docs.result = CONTENTS;
  const read = (uri: string) => mcp.result('docs', 'resources/read', { uri }, { key: bounded });
  expect(await read('file:///public/a..b/readme')).toMatchObject(CONTENTS);
  for (const uri of ['/../hr/x', '/%2e%2E/hr/x', '/a/..%2fhr/x', '\\..\\hr', '/a/..'].map(
    (path) => `file:///public${path}`,
  )) {
    expect([uri, (await read(uri)).message]).toEqual([uri, expect.stringContaining('Unknown')]);
  }
});
