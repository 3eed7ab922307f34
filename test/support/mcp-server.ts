import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface McpReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly json: {
    readonly id?: unknown;
    readonly method: string;
    readonly params?: Readonly<Record<string, unknown>>;
  };
}

const CALLS = new Set(['tools/call', 'prompts/get', 'resources/read', 'completion/complete']);

type Result = object | ((request: McpReceivedRequest) => object | string | undefined);

/** A scripted MCP server. It may break the protocol, which no SDK's server does. */
export interface McpTestServer {
  readonly url: string;
  readonly requests: McpReceivedRequest[];
  /** Calls that have arrived, of tools and others. */
  readonly calls: McpReceivedRequest[];
  tools: object[];
  /** Undefined: the server knows no method for them. */
  prompts: object[] | undefined;
  resources: object[] | undefined;
  templates: object[] | undefined;
  /** The result of `tools/call`; a text is the whole body. */
  result: Result;
  /** Notifications before the response, which is then an event stream. */
  notifications: object[] | undefined;
  /** What the response waits for after the notifications. */
  held: Promise<unknown> | undefined;
  /** `2026-07-28`, or an older revision: without sessions, or with one for each `initialize`. */
  era: 'modern' | 'legacy' | 'sessions';
  status: number;
  /** So many requests besides `server/discover` are refused with a 500 from now on. */
  failures: number;
  /** A method whose response is a 500. */
  broken: string | undefined;
  /** Of a response that `result` writes as text. */
  callStatus: number;
  /** Its type; that of JSON if undefined. As an event stream, the text is the data of one event. */
  rawType: 'text/event-stream' | undefined;
  /** Pages of each list, all of them the same. */
  pages: number;
  /** Its metadata as a protected resource. */
  metadata: object | undefined;
  /** Whether it refuses the `Authorization` of a request with 401. */
  refuses: (authorization: string | undefined) => boolean;
  readonly openSessions: Set<string>;
  stop(): Promise<void>;
}

export const TEXT = (text: string) => ({ content: [{ type: 'text', text }] });

export async function startMcpServer(): Promise<McpTestServer> {
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', async () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const { method = '', headers, url: path = '' } = incoming;
      const json = body === '' ? { method: 'DELETE' } : JSON.parse(body);
      const request = { method, path, headers, body, json };
      state.requests.push(request);
      const answered = answer(state, request);
      outgoing.writeHead(answered.status, answered.headers);
      if (answered.before !== undefined) {
        outgoing.write(answered.before);
        await state.held;
      }
      outgoing.end(answered.body);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const state: McpTestServer = {
    url: `http://127.0.0.1:${port}/mcp`,
    requests: [],
    get calls() {
      return state.requests.filter(({ json }) => CALLS.has(json.method));
    },
    tools: [],
    prompts: undefined,
    resources: undefined,
    templates: undefined,
    result: TEXT('done'),
    notifications: undefined,
    held: undefined,
    era: 'modern',
    status: 200,
    broken: undefined,
    callStatus: 200,
    rawType: undefined,
    pages: 1,
    metadata: undefined,
    refuses: () => false,
    failures: 0,
    openSessions: new Set(),
    async stop() {
      server.closeAllConnections();
      server.close();
    },
  };
  return state;
}

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** Events that are sent before. */
  readonly before?: string;
  readonly body: string;
}

let sessions = 0;
const LISTS: Readonly<Record<string, string>> = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
};

function answer(state: McpTestServer, request: McpReceivedRequest): Answer {
  const { json, headers } = request;
  const plain = { 'content-type': 'application/json' };
  const reply = (result: object, more: Record<string, string> = {}): Answer => ({
    status: 200,
    headers: { ...plain, ...more },
    body: JSON.stringify({ jsonrpc: '2.0', id: json.id, result }),
  });
  const refuse = (status: number): Answer => ({ status, headers: plain, body: '{}' });
  if (request.method === 'GET') {
    const isFound = state.metadata !== undefined && request.path === '/.well-known/oauth-protected-resource/mcp';
    return isFound ? { status: 200, headers: plain, body: JSON.stringify(state.metadata) } : refuse(404);
  }
  if (state.status !== 200) return refuse(state.status);
  if (state.refuses(headers.authorization)) return refuse(401);
  if (state.failures > 0 && json.method !== 'server/discover') {
    state.failures -= 1;
    return refuse(500);
  }
  if (json.method === state.broken) return refuse(500);
  const session = headers['mcp-session-id'];
  if (request.method === 'DELETE') {
    state.openSessions.delete(String(session));
    return refuse(200);
  }
  if (state.era === 'modern') {
    if (headers['mcp-protocol-version'] !== '2026-07-28' || headers['mcp-method'] !== json.method) return refuse(400);
    if (json.method === 'server/discover')
      return reply({ resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} } });
  } else {
    if (json.method === 'server/discover') return refuse(400);
    if (json.method === 'initialize') {
      sessions += 1;
      const id = `session-${sessions}`;
      if (state.era === 'sessions') state.openSessions.add(id);
      const info = {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 's', version: '1' },
      };
      return reply(info, state.era === 'sessions' ? { 'mcp-session-id': id } : {});
    }
    if (state.era === 'sessions' && !state.openSessions.has(String(session))) return refuse(404);
    if (json.id === undefined) return { status: 202, headers: {}, body: '' };
  }
  const lists: Readonly<Record<string, object[] | undefined>> = {
    tools: state.tools,
    prompts: state.prompts,
    resources: state.resources,
    resourceTemplates: state.templates,
  };
  const listed = LISTS[json.method];
  if (listed !== undefined) {
    const at = Number(json.params?.cursor ?? 1);
    const next = at < state.pages ? { nextCursor: String(at + 1) } : {};
    const more = state.era === 'modern' ? { resultType: 'complete', ttlMs: 0, cacheScope: 'public' } : {};
    if (lists[listed] !== undefined) return reply({ [listed]: lists[listed], ...next, ...more });
    const error = { code: -32601, message: 'Method not found' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: json.id, error });
    return { status: state.era === 'modern' ? 404 : 200, headers: plain, body };
  }
  const made = typeof state.result === 'function' ? state.result(request) : state.result;
  if (typeof made === 'string') {
    const { callStatus: status, rawType } = state;
    if (rawType === undefined) return { status, headers: plain, body: made };
    return { status, headers: { 'content-type': rawType }, body: `data: ${made}\n\n` };
  }
  const result = state.era === 'modern' ? { resultType: 'complete', ...made } : made;
  if (state.notifications === undefined) return reply(result ?? {});
  const toEvent = (message: object) => `data: ${JSON.stringify(message)}\n\n`;
  const before = state.notifications.map(toEvent).join('');
  const body = toEvent({ jsonrpc: '2.0', id: json.id, result });
  return { status: 200, headers: { 'content-type': 'text/event-stream' }, before, body };
}
