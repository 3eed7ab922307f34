import type { Contract } from '../contract/contract.ts';
import type { Reply } from '../contract/reply.ts';
import { eventually } from './eventually.ts';
import { type McpTestServer, startMcpServer } from './mcp-server.ts';

export const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The address of all servers. */
export const ALL = '';

interface Sending {
  readonly key: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly revision?: 'modern' | 'legacy';
  readonly id?: string | number;
}

/** A tool with one argument for each name. */
export function toolOf(name: string, description = `Runs ${name}.`, args: readonly string[] = ['text']) {
  const properties = Object.fromEntries(args.map((one) => [one, { type: 'string' }]));
  return { name, description, inputSchema: { type: 'object', properties } };
}

/** MCP servers behind a service, and the messages of a client that knows both revisions. */
export class McpWorld {
  private readonly contract: Contract;
  private readonly servers: McpTestServer[] = [];

  constructor(contract: Contract) {
    this.contract = contract;
  }

  /** A server that an administrator has added, with all its tools approved. */
  async add(
    name: string,
    tools: readonly object[],
    { settings = {}, approve = true, era = 'modern' as McpTestServer['era'] } = {},
  ): Promise<McpTestServer> {
    const server = await startMcpServer();
    this.servers.push(server);
    server.tools = [...tools];
    server.era = era;
    const made = await this.contract.admin('POST', '/mcp-servers', { name, url: server.url, ...settings });
    if (made.status !== 201) throw new Error(`not added: ${made.text}`);
    if (approve) for (const tool of tools) await this.approve(name, (tool as { readonly name: string }).name);
    return server;
  }

  async approve(server: string, tool: string): Promise<Reply> {
    const { json } = await this.contract.admin('GET', `/mcp-servers/${server}/tools`);
    const found = json.data.find((one: { readonly tool: string }) => one.tool === tool);
    return this.contract.admin('POST', `/mcp-servers/${server}/tools/${encodeURIComponent(tool)}/approve`, {
      digest: found.digest,
    });
  }

  send(server: string, method: string, params: object, { key, headers = {}, revision = 'modern', id = 7 }: Sending) {
    const isModern = revision === 'modern';
    const { uri, name = uri } = params as { readonly name?: string; readonly uri?: string };
    const mirrored = isModern
      ? { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...(name !== undefined && { 'mcp-name': name }) }
      : { 'mcp-protocol-version': '2025-11-25' };
    const whole = isModern ? { ...params, _meta: MODERN_META } : params;
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: whole });
    const accept = { accept: 'application/json, text/event-stream' };
    return this.contract.call(server === ALL ? '/mcp' : `/mcp/${server}`, body, {
      key,
      headers: { ...accept, ...mirrored, ...headers },
    });
  }

  call(server: string, name: string, args: object, sending: Sending): Promise<Reply> {
    return this.send(server, 'tools/call', { name, arguments: args }, sending);
  }

  /** Names of the tools that a key sees. */
  async names(server: string, sending: Sending): Promise<string[]> {
    const { json } = await this.send(server, 'tools/list', {}, sending);
    return (json?.result?.tools ?? []).map(({ name }: { readonly name: string }) => name);
  }

  /** Reads a resource, gets a prompt, or asks for another list than that of tools. */
  async result(server: string, method: string, params: object, sending: Sending) {
    const { json } = await this.send(server, method, params, sending);
    return json.result ?? json.error;
  }

  /** Waits until a list is in force: documents and lists are known for some seconds. */
  listed(server: string, expected: readonly string[], sending: Sending): Promise<string[]> {
    return eventually(
      () => this.names(server, sending),
      (names) => JSON.stringify(names) === JSON.stringify(expected),
    );
  }

  async stop(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.stop()));
  }
}

/** What an agent reads of a result. */
export function textOf({ json }: Reply): string {
  return (json.result.content as { readonly text: string }[]).map(({ text }) => text).join('\n');
}
