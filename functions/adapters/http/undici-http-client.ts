import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { Dispatcher } from 'undici';
import {
  type HttpClient,
  HttpFailure,
  type HttpFailureReason,
  type HttpRequest,
  type HttpResponse,
} from '../../kernel/http/index.ts';
import { IncomingBody } from './incoming-body.ts';
import type { Connection, Connector, KeptConnections } from './kept-connections.ts';

/** Of calls that set none: AWS WAF and other firewalls refuse requests without it. */
const USER_AGENT = { 'user-agent': 'svc/1' };

/** HTTP/1.1 over kept-alive undici connections: less than half of the CPU time of Node's own client. */
export class UndiciHttpClient implements HttpClient {
  private readonly connections = new Map<string, KeptConnections>();
  private readonly allows: ((address: string) => boolean) | undefined;
  private kept: typeof import('./kept-connections.ts') | undefined;
  private connect: Connector | undefined;

  /** @param allows the IP addresses that may be called; all if absent */
  constructor(allows?: (address: string) => boolean) {
    this.allows = allows;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    // Imports undici lazily: a start need not wait for it, and some functions never use it.
    this.kept ??= await import('./kept-connections.ts');
    if (request.signal?.aborted) throw new HttpFailure('aborted', false);
    const { origin, hostname, pathname, search } = new URL(request.url);
    const path = pathname + search;
    const address = hostname.replace(/^\[|\]$/g, '');
    if (this.allows !== undefined) {
      // Connections to an address look up no name.
      if (isIP(address) !== 0 && !this.allows(address)) throw new HttpFailure('connect', false);
      this.connect ??= this.kept.connectorTo(this.allows);
    }
    const connections = this.connections.get(origin) ?? new this.kept.KeptConnections(origin, this.connect);
    this.connections.set(origin, connections);
    try {
      return await attempt(request, path, connections, connections.take());
    } catch (error) {
      // The server may have closed a kept connection just now: a call that was probably not received is repeated once.
      if (!(error instanceof StaleConnection) || (request.once && error.sent)) throw error;
      return attempt(request, path, connections, connections.open());
    }
  }
}

function attempt(
  request: HttpRequest,
  path: string,
  connections: KeptConnections,
  connection: Connection,
): Promise<HttpResponse> {
  return new Promise((onHead, onFailure) => {
    const { method, body = null } = request;
    const headers = { ...USER_AGENT, ...request.headers };
    const onWhole = () => connections.giveBack(connection);
    const call = new OutgoingCall({ request, connection, onHead, onWhole, onFailure });
    connection.dispatch({ path, method, headers, body }, call);
    if (!connection.isUsed) request.onSent?.();
  });
}

type Controller = Dispatcher.DispatchController;

/** A kept connection was closed by the server before a response; a fresh one may be tried. */
class StaleConnection extends HttpFailure {}

const CLOSED_CODES = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

interface OutgoingCallOptions {
  readonly request: HttpRequest;
  readonly connection: Connection;
  readonly onHead: (response: HttpResponse) => void;
  /** The connection can carry another call. */
  readonly onWhole: () => void;
  /** There is no response head and will be none. */
  readonly onFailure: (error: Error) => void;
}

/** One call on one connection: turns undici's events into a response or a failure. */
class OutgoingCall implements Dispatcher.DispatchHandler {
  private readonly options: OutgoingCallOptions;
  private readonly headTimer: ReturnType<typeof setTimeout>;
  private controller: Controller | undefined;
  private body: IncomingBody | undefined;
  /** Why the call was abandoned, if it ended before it had a connection. */
  private givenUp: HttpFailure | undefined;
  private wasKept = false;

  constructor(options: OutgoingCallOptions) {
    this.options = options;
    const { headTimeoutMs, signal } = options.request;
    this.headTimer = setTimeout(() => this.giveUp('timeout'), headTimeoutMs);
    signal?.addEventListener('abort', this.onAbort, { once: true });
  }

  onRequestStart(controller: Controller): void {
    const { connection } = this.options;
    this.controller = controller;
    this.wasKept = connection.isUsed;
    connection.use();
    // The rest of this turn writes it. undici lets the event loop turn before it uses an idle connection.
    this.options.request.onSent?.();
    if (this.givenUp !== undefined) controller.abort(this.givenUp);
  }

  onResponseStart(controller: Controller, status: number, headers: IncomingHttpHeaders): void {
    // Informational responses, such as 103.
    if (status < 200) return;
    clearTimeout(this.headTimer);
    this.body = new IncomingBody(controller, this.options.request.idleTimeoutMs);
    this.options.onHead(new UndiciHttpResponse(status, headers, this.body));
  }

  onResponseData(_: Controller, bytes: Buffer): void {
    this.body?.take(bytes);
  }

  onResponseEnd(): void {
    this.leaveSignal();
    this.body?.end();
    this.options.onWhole();
  }

  onResponseError(_: unknown, error: Error): void {
    clearTimeout(this.headTimer);
    this.leaveSignal();
    // Dropping the connection of an abandoned call reports a second error first.
    const failure = this.givenUp ?? this.toFailure(error);
    this.options.connection.drop();
    if (this.body === undefined) this.options.onFailure(failure);
    else this.body.end(failure);
  }

  private readonly onAbort = (): void => this.giveUp('aborted');

  private giveUp(reason: HttpFailureReason): void {
    const failure = new HttpFailure(reason, this.controller !== undefined);
    if (this.controller !== undefined) {
      // Comes back as the call's error.
      this.controller.abort(failure);
      return;
    }
    this.givenUp = failure;
    this.onResponseError(undefined, failure);
  }

  private leaveSignal(): void {
    this.options.request.signal?.removeEventListener('abort', this.onAbort);
  }

  private toFailure(error: Error & { readonly code?: string }): Error {
    // A mistake of the caller, such as an invalid header, is not a connection failure.
    if (error instanceof HttpFailure || error.code === 'UND_ERR_INVALID_ARG') return error;
    const sent = this.controller !== undefined;
    const kept = sent ? this.wasKept : this.options.connection.isUsed;
    if (kept && CLOSED_CODES.has(error.code ?? '')) return new StaleConnection('reset', sent, { cause: error });
    return new HttpFailure(sent ? 'reset' : 'connect', sent, { cause: error });
  }
}

/** If a server repeats one of these, the first value counts, as in Node's own client; others are joined. */
const SINGLE = new Set([
  'age',
  'content-length',
  'content-type',
  'etag',
  'expires',
  'last-modified',
  'location',
  'retry-after',
  'server',
]);

class UndiciHttpResponse implements HttpResponse {
  readonly status: number;
  readonly body: IncomingBody;
  private readonly received: IncomingHttpHeaders;

  constructor(status: number, received: IncomingHttpHeaders, body: IncomingBody) {
    this.status = status;
    this.received = received;
    this.body = body;
  }

  /** Computed on demand: headers of most responses are never read. */
  get headers(): Record<string, string> {
    return Object.fromEntries(
      Object.entries(this.received).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, Array.isArray(value) ? joined(name, value) : value]],
      ),
    );
  }
}

function joined(name: string, values: readonly string[]): string {
  return SINGLE.has(name) ? (values[0] ?? '') : values.join(', ');
}
