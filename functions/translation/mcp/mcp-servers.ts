import type { McpServersDocument, StoredMcpServer } from '../../kernel/configuration/index.ts';
import { GatewayError, StoreUnavailable } from '../../kernel/errors/index.ts';
import type { HttpClient } from '../../kernel/http/index.ts';
import { isObject, type JsonDocument } from '../../kernel/json/index.ts';
import { type Clock, runInSlices, type Scheduler, type Steps } from '../../kernel/tasks/index.ts';
import { type McpAnswer, McpConnections, type McpEndpoint, type McpRequest } from './mcp-connection.ts';
import { listOf, type McpItem, type McpKind, readMcpItem } from './mcp-item.ts';
import { METHOD_NOT_FOUND, modernMeta } from './mcp-message.ts';

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
  /** The operator's keys, which no message of a server may contain. */
  readonly keys: ConstructorParameters<typeof McpConnections>[0]['keys'];
  readonly timeoutMs: number;
  /** For all pages of a list, with the access token; 30 s if absent. */
  readonly listMs?: number;
}

/** What a server lists of one kind, by id. Definitions that break the protocol or are too long, or whose id occurs twice, are not in it. */
export type McpList = ReadonlyMap<string, McpItem>;

interface KnownList {
  readonly list: Promise<McpList>;
  until: number;
}

/** Of all pages of a list: a model reads a small part of it. */
const MAX_LIST_CHARS = 4 * 1024 * 1024;
const MAX_PAGES = 20;
const MAX_ITEMS = 512;
/** A list is believed as long as the server says, within these bounds. */
const SHORTEST_MS = 5_000;
const USUAL_MS = 30_000;
const LONGEST_MS = 60_000;
const LIST_MS = 30_000;

/** The MCP servers in force, what they list, and how they are called. */
export class McpServers {
  private readonly deps: McpServersDeps;
  private readonly connections: McpConnections;
  private readonly lists = new Map<string, KnownList>();

  constructor(deps: McpServersDeps) {
    this.deps = deps;
    this.connections = new McpConnections(deps);
  }

  /** All active servers. @throws StoreUnavailable */
  async all(): Promise<readonly StoredMcpServer[]> {
    const { servers } = await this.deps.settings();
    return servers.filter(({ state }) => state === 'active');
  }

  /** What a server lists now, or listed a moment ago, to its credential. The first of concurrent callers asks. @throws GatewayError */
  async list(server: StoredMcpServer, kind: McpKind): Promise<McpList> {
    const { clock } = this.deps;
    const key = `${kind} ${server.name} ${server.url} ${JSON.stringify(server.auth)}`;
    const known = this.lists.get(key);
    if (known !== undefined && clock.monotonic() < known.until) return known.list;
    const asked: KnownList = {
      until: clock.monotonic() + LIST_MS,
      list: this.ask(server, kind).then(({ items, ttlMs }) => {
        asked.until = clock.monotonic() + Math.min(Math.max(ttlMs ?? USUAL_MS, SHORTEST_MS), LONGEST_MS);
        return items;
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
  private async ask(
    server: StoredMcpServer,
    kind: McpKind,
  ): Promise<{ readonly items: McpList; readonly ttlMs: number | undefined }> {
    const items = new Map<string, McpItem>();
    const twice = new Set<string>();
    let ttlMs: number | undefined;
    let cursor: string | undefined;
    const signal = AbortSignal.timeout(this.deps.listMs ?? LIST_MS);
    const { method, member } = listOf(kind);
    let chars = 0;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { result, length } = await this.page(server, method, cursor, signal);
      chars += length;
      if (chars > MAX_LIST_CHARS) throw listFault(server, method, 'a list that is larger than 4 MiB');
      const values = result[member];
      for (const item of await runInSlices(readItems(kind, values), this.deps.scheduler)) {
        if (items.has(item.id)) twice.add(item.id);
        else if (items.size < MAX_ITEMS) items.set(item.id, item);
      }
      if (typeof result.ttlMs === 'number') ttlMs = Math.min(ttlMs ?? result.ttlMs, result.ttlMs);
      cursor = typeof result.nextCursor === 'string' && result.nextCursor !== '' ? result.nextCursor : undefined;
      if (cursor === undefined) break;
    }
    // Of two definitions with one name, a client could take either.
    for (const id of twice) items.delete(id);
    return { items, ttlMs };
  }

  /** A page of a list. A server that does not know the method has nothing of this kind. */
  private async page(
    server: StoredMcpServer,
    method: string,
    cursor: string | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly result: Readonly<Record<string, unknown>>; readonly length: number }> {
    const at = cursor === undefined ? {} : { cursor };
    const request: McpRequest = {
      id: 'list',
      method,
      text: (isModern) => {
        const params = isModern ? { ...at, _meta: modernMeta() } : at;
        return JSON.stringify({ jsonrpc: '2.0', id: 'list', method, params });
      },
    };
    const { text, value } = await this.response(server, request, signal)
      .catch((thrown) => {
        // A list has no effect, so that it may be asked for again.
        if (!mayRetry(thrown) || signal.aborted) throw thrown;
        return this.response(server, request, signal);
      })
      .catch((thrown) => {
        throw signal.aborted && isServerFault(thrown) ? lateList(server, method) : thrown;
      });
    const { result, error } = value as { readonly result?: unknown; readonly error?: unknown };
    const { length } = text;
    if (isObject(result)) return { result, length };
    if (isObject(error) && error.code === METHOD_NOT_FOUND) return { result: {}, length };
    throw listFault(server, method, 'an error instead of a list');
  }

  private async response(server: StoredMcpServer, request: McpRequest, signal: AbortSignal): Promise<JsonDocument> {
    let last: JsonDocument | undefined;
    for await (const { document } of (await this.send(server, request, signal)).messages) last = document;
    // The last message of a server is its response.
    return last as JsonDocument;
  }
}

function* readItems(kind: McpKind, values: unknown): Steps<McpItem[]> {
  const items: McpItem[] = [];
  for (const value of Array.isArray(values) ? values : []) {
    const item = readMcpItem(kind, value);
    if (item !== undefined) items.push(item);
    yield;
  }
  return items;
}

function listFault({ name }: StoredMcpServer, method: string, what: string): GatewayError {
  return new GatewayError('provider_error', `The MCP server ${name} returned ${what}.`, {
    internal: `mcp server ${name}: ${what} for ${method}`,
  });
}

function lateList({ name }: StoredMcpServer, method: string): GatewayError {
  return new GatewayError('provider_timeout', `The MCP server ${name} did not list in time.`, {
    headers: { 'x-should-retry': 'false' },
    internal: `mcp server ${name}: late for ${method}`,
  });
}

/** A server that refuses the credential or responds too late would do so again. */
function mayRetry(thrown: unknown): boolean {
  return thrown instanceof GatewayError && isServerFault(thrown) && thrown.headers['x-should-retry'] !== 'false';
}

/** Whether an error of a server counts against it: not one of the gateway's own stores. */
export function isServerFault(thrown: unknown): boolean {
  if (thrown instanceof StoreUnavailable) return false;
  return thrown instanceof GatewayError && (thrown.code === 'provider_error' || thrown.code === 'provider_timeout');
}
