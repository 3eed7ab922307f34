import { GatewayError } from '../../kernel/errors/index.ts';
import { type HttpClient, HttpFailure, type HttpResponse, readServerSentEvents } from '../../kernel/http/index.ts';
import { isObject, type JsonDocument, readJsonSteps } from '../../kernel/json/index.ts';
import { type Clock, runInSlices, type Scheduler, type Steps } from '../../kernel/tasks/index.ts';
import { readBounded } from '../providers/provider-failures.ts';
import { encodeHeader, LEGACY, type McpId, MODERN, modernMeta } from './mcp-message.ts';

/** Where an MCP server is, and what it is called with. */
export interface McpEndpoint {
  readonly name: string;
  readonly url: string;
  /** The value of its credential; undefined if it needs none. @throws GatewayError, StoreUnavailable */
  token(): Promise<string | undefined>;
  /** Whether there is another value after the server refused this one. Never throws. */
  renewToken(): Promise<boolean>;
}

/** A request to a server. */
export interface McpRequest {
  readonly id: McpId;
  readonly method: string;
  /** What `Mcp-Name` repeats. */
  readonly name?: string;
  /** The message for a server of the revision 2026-07-28, and for an older one. */
  text(isModern: boolean): string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A message of a server: its response, or a notification before it. */
export interface McpReceived {
  /** As the server wrote it, without the operator's keys. */
  readonly document: JsonDocument;
  readonly isResponse: boolean;
}

/** The response of a server: its messages as they arrive, the response last. */
export interface McpAnswer {
  /** Whether the server is of the revision 2026-07-28. */
  readonly isModern: boolean;
  readonly isStream: boolean;
  /** Of HTTP: 200, or that of an error of JSON-RPC. */
  readonly status: number;
  readonly messages: AsyncIterable<McpReceived>;
}

/** Keys that are removed from what servers send. */
interface OperatorKeys {
  inJson(json: string): Steps<string>;
}

interface ConnectionDeps {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** The operator's keys, which no message may contain; undefined if there are none. */
  readonly keys: () => OperatorKeys | undefined;
  /** Longest wait for the head of a response, and between its pieces. */
  readonly timeoutMs: number;
}

/** What a server speaks. */
type Era =
  | { readonly kind: 'modern' }
  /** `hasSessions`: it returned a session id, which each request needs. */
  | { readonly kind: 'legacy'; readonly version: string; readonly hasSessions: boolean };

/** How long it is believed. A server that was upgraded is asked again after a failure, too. */
const ERA_MS = 5 * 60_000;
/** Of `server/discover` and `initialize`, and of ending a session. */
const HANDSHAKE_MS = 10_000;
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
const NOTIFICATIONS: ReadonlySet<unknown> = new Set(['notifications/progress', 'notifications/message']);
const SESSION_ID = /^[\x21-\x7e]{1,256}$/;

/**
 * Calls MCP servers over Streamable HTTP. A server of the revision 2026-07-28 gets each request by itself. An older one gets `initialize`
 * before, unless it has shown that it needs no session; a session has one request, so that callers share none.
 */
export class McpConnections {
  private readonly deps: ConnectionDeps;
  private readonly eras = new Map<string, { readonly era: Era; readonly until: number }>();

  constructor(deps: ConnectionDeps) {
    this.deps = deps;
  }

  /** Sends a request once; again only if the server refused an access token, and there is a new one. @throws GatewayError that names the server */
  async send(server: McpEndpoint, request: McpRequest, signal: AbortSignal): Promise<McpAnswer> {
    try {
      return await this.sendOnce(server, request, signal);
    } catch (error) {
      if (!(error instanceof CredentialRefused)) throw error;
      const isRenewed = await unlessAborted(server.renewToken(), signal).catch(() => false);
      if (!isRenewed) throw error;
      return this.sendOnce(server, request, signal);
    }
  }

  private async sendOnce(server: McpEndpoint, request: McpRequest, signal: AbortSignal): Promise<McpAnswer> {
    try {
      const era = await this.eraOf(server, signal);
      if (era.kind === 'modern') {
        const answer = await this.post(server, request, { era, signal });
        return { isModern: true, ...answer };
      }
      const session = era.hasSessions ? await this.open(server, signal) : undefined;
      try {
        const answer = await this.post(server, request, { era, session, signal });
        return { isModern: false, ...answer, messages: this.thenEnd(server, session, answer.messages) };
      } catch (error) {
        this.endSession(server, session);
        throw error;
      }
    } catch (thrown) {
      this.eras.delete(keyOf(server));
      throw toMcpFailure(server.name, thrown);
    }
  }

  private async eraOf(server: McpEndpoint, signal: AbortSignal): Promise<Era> {
    const known = this.eras.get(keyOf(server));
    if (known !== undefined && this.deps.clock.monotonic() < known.until) return known.era;
    const era = (await this.isModern(server, signal))
      ? ({ kind: 'modern' } as const)
      : await this.legacyEra(server, signal);
    this.eras.set(keyOf(server), { era, until: this.deps.clock.monotonic() + ERA_MS });
    return era;
  }

  /** Whether a server responds to `server/discover` as the revision 2026-07-28 says. */
  private async isModern(server: McpEndpoint, signal: AbortSignal): Promise<boolean> {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 'discover',
      method: 'server/discover',
      params: { _meta: modernMeta() },
    });
    const headers = { 'mcp-protocol-version': MODERN, 'mcp-method': 'server/discover' };
    const response = await this.call(server, body, headers, signal, HANDSHAKE_MS);
    if (response.status === 401 || response.status === 403) throw refused(server.name, response.status);
    if (response.status !== 200) {
      await drop(response);
      return false;
    }
    const { value } = await this.responseIn(server.name, response, 'discover');
    const { result } = value as { readonly result?: { readonly supportedVersions?: readonly unknown[] } };
    return Array.isArray(result?.supportedVersions) && result.supportedVersions.includes(MODERN);
  }

  private async legacyEra(server: McpEndpoint, signal: AbortSignal): Promise<Era> {
    const session = await this.open(server, signal);
    this.endSession(server, session);
    return { kind: 'legacy', version: session.version, hasSessions: session.id !== undefined };
  }

  /** Begins a session with an older server. */
  private async open(server: McpEndpoint, signal: AbortSignal): Promise<Session> {
    const params = { protocolVersion: LEGACY[0], capabilities: {}, clientInfo: { name: 'svc', version: '1' } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 'initialize', method: 'initialize', params });
    const response = await this.call(server, body, {}, signal, HANDSHAKE_MS);
    if (response.status !== 200) {
      await drop(response);
      if (response.status === 401 || response.status === 403) throw refused(server.name, response.status);
      throw fault(server.name, `status ${response.status} for initialize`);
    }
    const id = response.headers['mcp-session-id'];
    if (id !== undefined && !SESSION_ID.test(id)) throw fault(server.name, 'invalid session id');
    const { value } = await this.responseIn(server.name, response, 'initialize');
    const { result } = value as { readonly result?: { readonly protocolVersion?: unknown } };
    const version = LEGACY.find((one) => one === result?.protocolVersion);
    if (version === undefined) throw fault(server.name, 'no common protocol version');
    const session = { version, id };
    const ready = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
    if (id !== undefined) await drop(await this.call(server, ready, headersOf(session), signal, HANDSHAKE_MS));
    return session;
  }

  /** Ends a session. Nothing waits for it: a server forgets sessions by itself too. */
  private endSession(server: McpEndpoint, session: Session | undefined): void {
    if (session?.id === undefined) return;
    const ended = async () => {
      const headers = { ...headersOf(session), ...(await authorization(server)) };
      const times = { headTimeoutMs: HANDSHAKE_MS, idleTimeoutMs: HANDSHAKE_MS };
      await drop(await this.deps.http.send({ method: 'DELETE', url: server.url, headers, ...times }));
    };
    ended().catch(() => {});
  }

  private async *thenEnd(
    server: McpEndpoint,
    session: Session | undefined,
    messages: AsyncIterable<McpReceived>,
  ): AsyncGenerator<McpReceived, void> {
    try {
      yield* messages;
    } finally {
      this.endSession(server, session);
    }
  }

  private async post(
    server: McpEndpoint,
    { id, method, name, text, headers }: McpRequest,
    {
      era,
      session,
      signal,
    }: { readonly era: Era; readonly session?: Session | undefined; readonly signal: AbortSignal },
  ): Promise<Omit<McpAnswer, 'isModern'>> {
    const isModern = era.kind === 'modern';
    const own = isModern
      ? {
          'mcp-protocol-version': MODERN,
          'mcp-method': method,
          ...(name !== undefined && { 'mcp-name': encodeHeader(name) }),
        }
      : headersOf(session ?? { version: era.version, id: undefined });
    const sent = { ...(isModern && headers), ...own };
    const response = await this.call(server, text(isModern), sent, signal, this.deps.timeoutMs);
    const { status } = response;
    if (status === 401 || status === 403) throw refused(server.name, status);
    const type = typeOf(response);
    // Servers report errors of JSON-RPC with a 4xx, too.
    const mayRespond = status === 200 || (status >= 400 && status < 500 && status !== 429 && type === JSON_TYPE);
    if (!mayRespond) {
      await drop(response);
      throw fault(server.name, `status ${status}`);
    }
    if (type === JSON_TYPE) return { isStream: false, status, messages: this.whole(server.name, response, id) };
    if (type === EVENTS_TYPE) return { isStream: true, status, messages: this.streamed(server.name, response, id) };
    await drop(response);
    throw fault(server.name, 'neither JSON nor an event stream');
  }

  private async call(
    server: McpEndpoint,
    body: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
    timeoutMs: number,
  ): Promise<HttpResponse> {
    return this.deps.http.send({
      method: 'POST',
      url: server.url,
      headers: {
        'content-type': JSON_TYPE,
        accept: `${JSON_TYPE}, ${EVENTS_TYPE}`,
        ...headers,
        ...(await unlessAborted(authorization(server), signal)),
      },
      body,
      headTimeoutMs: timeoutMs,
      idleTimeoutMs: timeoutMs,
      // A call of a tool may have an effect.
      once: true,
      signal,
    });
  }

  private async *whole(name: string, response: HttpResponse, id: McpId): AsyncGenerator<McpReceived, void> {
    try {
      const text = await readBounded(response.body, MAX_RESPONSE_BYTES + 1);
      const received = await this.read(name, text, id);
      if (received?.isResponse !== true) throw fault(name, 'no response');
      yield received;
    } catch (thrown) {
      throw toMcpFailure(name, thrown);
    }
  }

  private async *streamed(name: string, response: HttpResponse, id: McpId): AsyncGenerator<McpReceived, void> {
    try {
      let chars = 0;
      for await (const events of readServerSentEvents(response.body)) {
        for (const { data } of events) {
          chars += data.length;
          if (chars > MAX_RESPONSE_BYTES) throw fault(name, 'response larger than the limit');
          const received = data === '' ? undefined : await this.read(name, data, id);
          if (received !== undefined) yield received;
          if (received?.isResponse) return;
        }
      }
      throw fault(name, 'stream without a response');
    } catch (thrown) {
      throw toMcpFailure(name, thrown);
    }
  }

  /** The only response of a body, whatever its form. */
  private async responseIn(name: string, response: HttpResponse, id: McpId): Promise<JsonDocument> {
    const messages =
      typeOf(response) === EVENTS_TYPE ? this.streamed(name, response, id) : this.whole(name, response, id);
    for await (const { document, isResponse } of messages) if (isResponse) return document;
    throw fault(name, 'no response');
  }

  /** A message of a server; undefined for a notification that is not passed on. */
  private async read(name: string, text: string, id: McpId): Promise<McpReceived | undefined> {
    if (text.length > MAX_RESPONSE_BYTES) throw fault(name, 'response larger than the limit');
    const { scheduler, keys } = this.deps;
    const document = await runInSlices(readWithout(keys(), text), scheduler).catch(() => {
      throw fault(name, 'invalid JSON');
    });
    const { value } = document;
    if (!isObject(value) || value.jsonrpc !== '2.0') throw fault(name, 'no message of JSON-RPC');
    const has = (...members: string[]) => Object.keys(value).every((member) => members.includes(member));
    // Other members would reach the client without an inspection.
    if (!has('jsonrpc', 'id', 'result', 'error') && !has('jsonrpc', 'id', 'method', 'params'))
      throw fault(name, 'unknown members in a message');
    if (typeof value.method === 'string') {
      if (value.id !== undefined) throw asksClient(name);
      return NOTIFICATIONS.has(value.method) ? { document, isResponse: false } : undefined;
    }
    const given = [value.result, value.error].filter((member) => member != null);
    if (given.length !== 1 || !isObject(given[0]) || value.id !== id) throw fault(name, 'no response to the request');
    return { document, isResponse: true };
  }
}

function* readWithout(keys: OperatorKeys | undefined, text: string): Steps<JsonDocument> {
  return yield* readJsonSteps(keys === undefined ? text : yield* keys.inJson(text));
}

interface Session {
  readonly version: string;
  readonly id: string | undefined;
}

const JSON_TYPE = 'application/json';
const EVENTS_TYPE = 'text/event-stream';

function keyOf({ name, url }: McpEndpoint): string {
  return `${name} ${url}`;
}

function headersOf({ version, id }: Session): Record<string, string> {
  return { 'mcp-protocol-version': version, ...(id !== undefined && { 'mcp-session-id': id }) };
}

async function authorization(server: McpEndpoint): Promise<Record<string, string>> {
  const token = await server.token();
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

/** What comes before the caller has left, or its time is over. An exchange for an access token goes on for others who wait for it. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new HttpFailure('aborted', false));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function typeOf({ headers }: HttpResponse): string {
  return (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Closes the connection of a response whose body is not read. */
async function drop({ body }: HttpResponse): Promise<void> {
  await body[Symbol.asyncIterator]().return?.();
}

/** The server breaks the protocol. `what` is logged and must hold no content. */
function fault(name: string, what: string): GatewayError {
  const message = `The MCP server ${name} failed, or its response breaks the protocol: ${what}.`;
  return new GatewayError('provider_error', message, { internal: `mcp server ${name}: ${what}` });
}

class CredentialRefused extends GatewayError {}

function refused(name: string, status: number): CredentialRefused {
  return new CredentialRefused('provider_error', `The MCP server ${name} refused the gateway's credential.`, {
    headers: { 'x-should-retry': 'false' },
    internal: `mcp server ${name} refused our credential: status ${status}`,
  });
}

/** Older servers ask the client in requests that they make, which need a session. */
function asksClient(name: string): GatewayError {
  const message = `The MCP server ${name} asks the client for input, which needs a session. The gateway has none.`;
  return new GatewayError('provider_error', message, { internal: `mcp server ${name}: request to the client` });
}

const REASONS = {
  connect: 'could not be reached',
  reset: 'closed the connection before its response was complete',
  aborted: 'was interrupted',
} as const;

/** The GatewayError for what a call of a server threw. */
function toMcpFailure(name: string, thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  if (!(thrown instanceof HttpFailure)) return fault(name, thrown instanceof Error ? thrown.name : typeof thrown);
  const { reason, sent } = thrown;
  const internal = `mcp server ${name}: ${reason}, sent: ${sent}`;
  if (reason === 'timeout')
    return new GatewayError('provider_timeout', `The MCP server ${name} did not respond in time.`, {
      headers: { 'x-should-retry': 'false' },
      internal,
    });
  return new GatewayError('provider_error', `The MCP server ${name} ${REASONS[reason]}.`, { internal });
}
