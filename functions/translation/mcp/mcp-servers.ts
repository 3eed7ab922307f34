import type { McpServersDocument, StoredMcpServer } from '../../kernel/configuration/index.ts';
import { GatewayError, StoreUnavailable } from '../../kernel/errors/index.ts';
import type { HttpClient } from '../../kernel/http/index.ts';
import { isObject } from '../../kernel/json/index.ts';
import type { Clock, Scheduler } from '../../kernel/tasks/index.ts';
import { type McpAnswer, McpConnections, type McpEndpoint, type McpRequest } from './mcp-connection.ts';
import { modernMeta } from './mcp-message.ts';
import { type McpTool, readMcpTool } from './mcp-tool.ts';

interface McpServersDeps {
  /** Calls public addresses only. */
  readonly http: HttpClient;
  readonly settings: () => Promise<McpServersDocument>;
  /** What a server is called with; undefined if it needs nothing. */
  readonly token: (server: StoredMcpServer) => Promise<string | undefined>;
  /** Whether there is another one after the server refused one. Never throws. */
  readonly renewToken: (server: StoredMcpServer, refused: string) => Promise<boolean>;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly timeoutMs: number;
}

/** The tools of a server as it lists them. */
export interface McpToolList {
  readonly tools: ReadonlyMap<string, McpTool>;
  /** Definitions that break the protocol, or whose name occurs twice. */
  readonly invalid: number;
  readonly isModern: boolean;
}

interface KnownList {
  readonly list: Promise<McpToolList>;
  until: number;
}

const MAX_PAGES = 20;
export const MAX_MCP_TOOLS = 512;
/** A list is believed as long as the server says, within these bounds. */
const SHORTEST_MS = 5_000;
const USUAL_MS = 30_000;
const LONGEST_MS = 60_000;
const LIST_MS = 30_000;

/** The MCP servers in force, their tools as they list them, and how they are called. */
export class McpServers {
  private readonly deps: McpServersDeps;
  private readonly connections: McpConnections;
  private readonly lists = new Map<string, KnownList>();

  constructor(deps: McpServersDeps) {
    this.deps = deps;
    this.connections = new McpConnections(deps);
  }

  /** An active server. @throws GatewayError `not_found`; StoreUnavailable */
  async find(name: string): Promise<StoredMcpServer> {
    const { servers } = await this.deps.settings();
    const found = servers.find((one) => one.name === name && one.state === 'active');
    if (found === undefined) throw new GatewayError('not_found', 'There is no such MCP server.', { param: 'server' });
    return found;
  }

  /** The tools that a server lists now, or a moment ago. The first of concurrent callers asks. @throws GatewayError */
  async tools(server: StoredMcpServer): Promise<McpToolList> {
    const { clock } = this.deps;
    const key = `${server.name} ${server.url} ${JSON.stringify(server.auth)}`;
    const known = this.lists.get(key);
    if (known !== undefined && clock.monotonic() < known.until) return known.list;
    const asked: KnownList = {
      until: clock.monotonic() + LIST_MS,
      list: this.ask(server).then(({ ttlMs, ...list }) => {
        asked.until = clock.monotonic() + Math.min(Math.max(ttlMs ?? USUAL_MS, SHORTEST_MS), LONGEST_MS);
        return list;
      }),
    };
    // Lists of servers that were changed or removed.
    for (const [one, { until }] of this.lists) if (clock.monotonic() >= until) this.lists.delete(one);
    this.lists.set(key, asked);
    asked.list.catch(() => this.lists.delete(key));
    return asked.list;
  }

  /** Sends a request of a client. @throws GatewayError that names the server */
  send(server: StoredMcpServer, request: McpRequest, signal: AbortSignal): Promise<McpAnswer> {
    return this.connections.send(this.endpointOf(server), request, signal);
  }

  private endpointOf(server: StoredMcpServer): McpEndpoint {
    const { token, renewToken } = this.deps;
    let used: string | undefined;
    return {
      name: server.name,
      url: server.url,
      token: async () => {
        used = await token(server);
        return used;
      },
      renewToken: async () => used !== undefined && renewToken(server, used),
    };
  }

  /** Reads all pages. No caller's signal ends it: others may wait for it too. */
  private async ask(server: StoredMcpServer): Promise<McpToolList & { readonly ttlMs: number | undefined }> {
    const tools = new Map<string, McpTool>();
    const twice = new Set<string>();
    let [invalid, isModern] = [0, false];
    let ttlMs: number | undefined;
    let cursor: string | undefined;
    const signal = AbortSignal.timeout(LIST_MS);
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { result, ...read } = await this.page(server, cursor, signal);
      isModern = read.isModern;
      for (const value of Array.isArray(result.tools) ? result.tools : []) {
        const tool = readMcpTool(value);
        if (tool === undefined) invalid += 1;
        else if (tools.has(tool.name)) twice.add(tool.name);
        else if (tools.size < MAX_MCP_TOOLS) tools.set(tool.name, tool);
      }
      if (typeof result.ttlMs === 'number') ttlMs = Math.min(ttlMs ?? result.ttlMs, result.ttlMs);
      cursor = typeof result.nextCursor === 'string' && result.nextCursor !== '' ? result.nextCursor : undefined;
      if (cursor === undefined) break;
    }
    // Of two definitions with one name, a client could take either.
    for (const name of twice) tools.delete(name);
    return { tools, invalid: invalid + twice.size, isModern, ttlMs };
  }

  private async page(server: StoredMcpServer, cursor: string | undefined, signal: AbortSignal) {
    const at = cursor === undefined ? {} : { cursor };
    const request: McpRequest = {
      id: 'list',
      method: 'tools/list',
      text: (isModern) => {
        const params = isModern ? { ...at, _meta: modernMeta() } : at;
        return JSON.stringify({ jsonrpc: '2.0', id: 'list', method: 'tools/list', params });
      },
    };
    const { isModern, messages } = await this.send(server, request, signal);
    for await (const { document, isResponse } of messages) {
      const { value } = document;
      if (!isResponse || !isObject(value)) continue;
      if (isObject(value.result)) return { isModern, result: value.result };
      break;
    }
    const { name } = server;
    throw new GatewayError('provider_error', `The MCP server ${name} returned no list of its tools.`, {
      internal: `mcp server ${name}: error for tools/list`,
    });
  }
}

/** Whether an error of a server counts against it: not one of the gateway's own stores. */
export function isServerFault(thrown: unknown): boolean {
  if (thrown instanceof StoreUnavailable) return false;
  return thrown instanceof GatewayError && (thrown.code === 'provider_error' || thrown.code === 'provider_timeout');
}
