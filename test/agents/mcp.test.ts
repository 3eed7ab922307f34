import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Contract } from '../contract/contract.ts';
import { startLocalProcess } from '../contract/local-process.ts';
import type { ProviderSettings } from '../contract/service.ts';
import { McpWorld, toolOf } from '../support/mcp-client.ts';
import { type McpTestServer, TEXT } from '../support/mcp-server.ts';
import { type Providers, startProviders } from '../support/start-providers.ts';
import { AGENTS, configure, type Launch, type Place } from './agents.ts';
import { readRequest } from './requests.ts';
import { baseEnv, runClient } from './session.ts';

const FOUND = 'planted result of the tool';
const CLOSING = 'The tool has responded.';

/** The recipes of docs/mcp.md. */
const RECIPES: Readonly<Record<string, (launch: Launch, place: Place) => Launch>> = {
  'Claude Code': ({ command, env = {} }, { origin }) => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Claude Code expands it
    const crm = { type: 'http', url: `${origin}/v1/mcp/crm`, headers: { Authorization: 'Bearer ${SVC_KEY}' } };
    const servers = JSON.stringify({ mcpServers: { crm } });
    const key = env.ANTHROPIC_API_KEY as string;
    return {
      command: [...command, '--mcp-config', servers, '--strict-mcp-config', '--allowedTools', 'mcp__crm__search'],
      // Else the model has to search for tools first.
      env: { ...env, SVC_KEY: key, ENABLE_TOOL_SEARCH: 'false' },
    };
  },
  Codex: (launch, { home, origin }) => {
    // Newer models search for tools of MCP servers first.
    const first = ['model = "gpt-4.1"', 'model_provider = "svc"', 'check_for_update_on_startup = false'];
    const svc = ['[model_providers.svc]', 'name = "svc"', `base_url = "${origin}/v1"`, 'env_key = "SVC_KEY"'];
    const crm = ['[mcp_servers.crm]', `url = "${origin}/v1/mcp/crm"`, 'bearer_token_env_var = "SVC_KEY"'];
    const lines = [...first, ...svc, 'wire_api = "responses"', ...crm, ''];
    configure(home, '.codex/config.toml', lines.join('\n'));
    return launch;
  },
  'Gemini CLI': (launch, { home, origin, key }) => {
    const headers = { Authorization: 'Bearer $SVC_KEY' };
    change(home, '.gemini/settings.json', { mcpServers: { crm: { httpUrl: `${origin}/v1/mcp/crm`, headers } } });
    return { ...launch, env: { ...launch.env, SVC_KEY: key } };
  },
};

/** Adds members to a configuration that the agent's own recipe has written. */
function change(home: string, file: string, members: object): void {
  configure(home, file, { ...JSON.parse(readFileSync(path.join(home, file), 'utf8')), ...members });
}

/** What agents call the tool `search` of `crm`, besides their own tools for searching. */
const isSearch = (name: string) => /^(?:mcp_*)?crm_+search$|^search$/.test(name);

let providers: Providers;
let server: McpTestServer;
let results: readonly string[] = [];
let root = '';
const contract = new Contract(
  () => startLocalProcess(providers.settings as ProviderSettings, { SVC_WEBHOOK_ALLOW_LOOPBACK: 'true' }),
  {},
);
const mcp = new McpWorld(contract);

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'svc-agent-mcp-'));
  providers = await startProviders((body) => {
    const { tools, results: known } = readRequest(body);
    if (known.length > 0) results = known;
    if (known.length > 0) return { text: CLOSING };
    const call = { name: tools.find(({ name }) => isSearch(name))?.name ?? '', arguments: '{"text":"Ada"}' };
    if (call.name !== '') return { text: '', toolCalls: [{ id: 'call_1', ...call }] };
    const { tools: declared = [] } = body as { readonly tools?: readonly { readonly name?: string }[] };
    // Codex declares the tools of a server as a namespace.
    if (!declared.some(({ name }) => name === 'mcp__crm')) return { text: CLOSING };
    const item = { id: 'fc_1', type: 'function_call', status: 'completed', call_id: 'call_1' };
    return { items: [{ ...item, ...call, namespace: 'mcp__crm', name: 'search' }] };
  });
  await contract.start();
  server = await mcp.add('crm', [toolOf('search', 'Searches customers.')]);
  server.result = TEXT(FOUND);
  await mcp.listed('crm', ['search'], { key: await contract.newKey({ permissions: ['mcp'] }) });
});
afterAll(async () => {
  await contract.stop();
  await mcp.stop();
  await providers.close();
  await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
});

test.each(Object.entries(RECIPES))('%s calls a tool through the gateway', async (name, recipe) => {
  const agent = AGENTS.find((one) => one.name === name);
  if (agent === undefined) throw new Error(`no agent ${name}`);
  const home = await mkdtemp(path.join(root, 'home-'));
  const key = await contract.newKey({ permissions: ['chat_completions', 'mcp'] });
  const origin = contract.service.baseUrl.replace(/\/v1$/, '');
  results = [];
  const before = server.calls.length;
  const place: Place = { home, repository: home, origin, key, model: agent.model };
  const { command, env = {} } = recipe(agent.launch(place), place);
  const { printed, exitCode } = await runClient(command, home, { ...baseEnv(home), ...env });
  const sent = server.calls.slice(before).map(({ json }) => json.params?.arguments);
  expect({ exitCode, sent, printed: printed.slice(-3000) }).toMatchObject({ exitCode: 0, sent: [{ text: 'Ada' }] });
  expect(results.join()).toContain(FOUND);
});
