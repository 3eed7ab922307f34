import type { CallOf, ListId, OperationId, ResponseOf, RowOf } from '../../functions/contract/index.ts';
import { readServerSentEvents } from '../../functions/kernel/http/index.ts';
import { callOf } from '../entry.ts';
import operations from './operations.generated.json' with { type: 'json' };

const TIMEOUT_MS = 30_000;

/** A failed call of the admin API, with the API's message and the request's id. */
export class AdminApiError extends Error {
  /** undefined without a response. */
  readonly status: number | undefined;
  /** The API's error code. */
  readonly code: string | null;
  readonly requestId: string | null;

  constructor(
    message: string,
    { status, code, requestId }: { status?: number; code?: string | null; requestId?: string | null } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code ?? null;
    this.requestId = requestId ?? null;
  }
}

interface Page<T> {
  readonly data: readonly T[];
  readonly nextCursor: string | null;
}

type Call<Id extends OperationId> = CallOf<Id> & { readonly headers?: Readonly<Record<string, string>> };

/** A call without the types of its operation. */
interface LooseCall {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Query;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** With which paths begin, and the address of the API ends. */
const API = /^\/v1/;
/** The most entries that the API returns at once. */
const MAX_PAGE = 100;

/** Calls the admin and analytics API of a deployment or a local service. */
export class AdminClient {
  private readonly url: string;
  private readonly key: string;

  /** `url` ends in `/v1`. */
  constructor(url: string, key: string) {
    this.url = url.endsWith('/') ? url.slice(0, -1) : url;
    this.key = key;
  }

  /**
   * The response of an operation. Throws AdminApiError for a status other than 2xx and after 30 s without a response. Never retries: a
   * retry could create a second key.
   */
  async call<Id extends OperationId>(id: Id, call: Call<Id>): Promise<ResponseOf<Id>> {
    return jsonOf<ResponseOf<Id>>(await this.text(id, call));
  }

  /** The same as text. */
  async text<Id extends OperationId>(id: Id, call: Call<Id>): Promise<string> {
    const { params = {}, query = {}, body, headers = {} } = call as LooseCall;
    const { method, path } = operations[id];
    const place = path.replace(API, '').replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''));
    const { status, text, requestId } = await this.send(method, withQuery(place, query), body, headers);
    if (status >= 200 && status < 300) return text;
    const { code, message } = errorIn(text);
    const hint = HINTS[status] ?? (status >= 300 && status < 400 ? REDIRECTED : undefined);
    const words = [`${method} ${place}: ${status}`, message, hint, requestId && `(${requestId})`];
    throw new AdminApiError(words.filter(Boolean).join(' '), { status, code, requestId });
  }

  /** All entries of a list, or the first `limit` of its query. */
  async *list<Id extends ListId>(id: Id, call: Call<Id>): AsyncGenerator<RowOf<Id>, void> {
    const { query: { limit = Number.POSITIVE_INFINITY, ...query } = {}, ...rest } = call as LooseCall;
    let left = Number(limit);
    let cursor: string | undefined;
    do {
      const asked = { ...query, limit: Math.min(MAX_PAGE, left), cursor };
      const page = (await this.call(id, { ...rest, query: asked } as unknown as Call<Id>)) as Page<RowOf<Id>>;
      yield* page.data;
      left -= page.data.length;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined && left > 0);
  }

  /** Like `list`, as an array. */
  async all<Id extends ListId>(id: Id, call: Call<Id>): Promise<RowOf<Id>[]> {
    const all: RowOf<Id>[] = [];
    for await (const one of this.list(id, call)) all.push(one);
    return all;
  }

  /**
   * The response of an MCP server at the gateway to the call of a tool, with a token in place of the key. Throws AdminApiError like `call`, and
   * for an error in the response.
   */
  async callTool(server: string, params: object, token: string): Promise<ToolResponse> {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const place = `/mcp/${encodeURIComponent(server)}`;
    const { text, requestId } = await this.send('POST', place, message, {
      ...MCP_HEADERS,
      authorization: `Bearer ${token}`,
    });
    const response = jsonOf<{ result?: object; error?: object }>(await lastMessage(text));
    if (response.result !== undefined) return { result: response.result, requestId };
    const { message: why, code } = errorIn(JSON.stringify(response));
    throw new AdminApiError([why, requestId && `(${requestId})`].filter(Boolean).join(' '), { code, requestId });
  }

  private async send(method: string, path: string, body: unknown, headers: Readonly<Record<string, string>>) {
    try {
      const response = await fetch(`${this.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.key}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
        // A redirect's target must not get the key.
        redirect: 'manual',
      });
      const requestId = response.headers.get('x-request-id');
      return { status: response.status, text: await response.text(), requestId };
    } catch (error) {
      throw new AdminApiError(`${this.url} cannot be reached: ${reasonOf(error)}`);
    }
  }
}

/** A revision without headers that mirror arguments; any message may be in a stream. */
const MCP_HEADERS = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' };

interface ToolResponse {
  readonly result: object;
  readonly requestId: string | null;
}

/** The last message of a stream of events, or the text that is none. */
async function lastMessage(text: string): Promise<string> {
  if (text.trimStart().startsWith('{')) return text;
  let last = text;
  for await (const events of readServerSentEvents(new Blob([text]).stream())) last = events.at(-1)?.data ?? last;
  return last;
}

type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** The path with the parameters that have a value. */
function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    [value ?? []].flat().map((one) => [name, String(one)]),
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/** What the operator can do, by the status of a response. */
const HINTS: Readonly<Record<number, string>> = {
  401: `Set SVC_ADMIN_KEY to a valid key of this service; if it is lost, create one: ${callOf('admin-key')} --local, or in a deployment keys create-admin.`,
};
const REDIRECTED = 'The address redirects: set SVC_URL to the address of the API itself.';

/** By the code of the failure. */
const UNREACHED: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (ECONNREFUSED). Start the service, or correct SVC_URL.',
  ENOTFOUND: 'there is no such host (ENOTFOUND). Correct SVC_URL.',
  EAI_AGAIN: 'the host name cannot be resolved now (EAI_AGAIN). Check the network and SVC_URL.',
  TimeoutError: `no response within ${TIMEOUT_MS / 1_000} s.`,
  UND_ERR_SOCKET: 'the connection was closed without a response. Check http or https, and the port, of SVC_URL.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak TLS there. Use http in SVC_URL.',
};

function reasonOf(error: unknown): string {
  const { cause, message, name } = error as Error & { cause?: NodeJS.ErrnoException };
  const code = cause?.code ?? name;
  return UNREACHED[code] ?? `${cause?.code ?? cause?.message ?? message}.`;
}

function jsonOf<T>(text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new AdminApiError('The response is not JSON. Is this the address of the admin API, ending in /v1?');
  }
}

function errorIn(text: string): { message: string; code: string | null } {
  try {
    const { error } = JSON.parse(text) as { error: { message: string; param?: string | null; code?: string | null } };
    const { message, param, code } = error;
    const isNamed = typeof param !== 'string' || message.includes(`'${param}'`);
    return { message: isNamed ? message : `${message} (${param})`, code: code ?? null };
  } catch {
    return { message: 'without a message.', code: null };
  }
}
