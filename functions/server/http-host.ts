import http from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FrontDoor } from '../adapters/aws/front-door.ts';
import { GatewayError } from '../kernel/errors/index.ts';
import { type App, errorResponse, newRequestId, newTrace, type OutgoingResponse } from '../kernel/http/index.ts';
import type { BackgroundTasks } from '../kernel/tasks/index.ts';
import { LastRequest } from './last-request.ts';
import { headTooLarge, MAX_HEADERS, tooSlow, toRequest } from './read-request.ts';
import { type ResponsePace, writeResponse } from './write-response.ts';

export interface HttpHost {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** Requests that are being served, and those of them whose response streams. */
  running(): { readonly requests: number; readonly streams: number };
  /** Accepts no new requests, waits `graceMs` (default 0) for running ones, then cancels the rest. A second call may shorten the wait. */
  stop(graceMs?: number): Promise<void>;
}

export interface HttpHostOptions {
  readonly port: number;
  readonly host: string;
  /** A larger request body is refused while it is read. */
  readonly maxBodyBytes: number;
  readonly patience?: Patience;
  /** Determines the client's address; the connecting address if absent. */
  readonly client?: ClientOf;
  /** How long an idle connection stays open. */
  readonly keepAliveMs?: number;
  /** Set if the platform may freeze an idle process: the last response ends after these tasks. */
  readonly frozenAfter?: BackgroundTasks;
}

/** Determines the client of a request from its headers (lower-case names) and the connecting address. */
export type ClientOf = (
  headers: Readonly<Record<string, string | undefined>>,
  address: string,
) => ReturnType<FrontDoor>;

/** Deadlines for slow clients, milliseconds. */
export interface Patience {
  /** For the whole head of a request. */
  readonly headMs: number;
  /** For its body, extended by `SLOWEST_BYTES_PER_MS` for received bytes. */
  readonly bodyMs: number;
  /** For a client that reads nothing of a response. */
  readonly readerMs: number;
}

/** A slow client occupies a connection and its request's reservation. */
const PATIENCE: Patience = { headMs: 20_000, bodyMs: 50_000, readerMs: 60_000 };
/** Above the 60 seconds of load balancers and pools: the client closes an idle connection, so no request meets a closed one. */
const KEEP_ALIVE_MS = 65_000;
/** Interval of the check for late heads. */
const LOOK_EVERY_MS = 5_000;
/** Node's default, and Lambda's function URLs take no more than 10 KB a header line. */
const MAX_HEAD_BYTES = 16_384;

/** Time for a cancelled response to end. */
const TELL_MS = 1_000;
/** Requests of a connection that wait for the response before; a client that sends more is disconnected. */
const MAX_WAITING = 100;
/** Delay before an idle connection is closed while the server stops. */
const CLOSE_IDLE_MS = 50;

/** Serves an app as a plain HTTP server. */
export async function startHttpHost(
  app: App,
  { port, host, maxBodyBytes, patience = PATIENCE, client, keepAliveMs = KEEP_ALIVE_MS, frozenAfter }: HttpHostOptions,
): Promise<HttpHost> {
  const running = new Set<AbortController>();
  let closed: Promise<void> | undefined;
  const streams = new Set<AbortSignal>();
  const last = frozenAfter && new LastRequest(frozenAfter);
  const turns = new WeakMap<Duplex, Turn[]>();
  const options = {
    headersTimeout: patience.headMs,
    keepAliveTimeout: keepAliveMs,
    // The body has a separate deadline that depends on the received bytes.
    requestTimeout: 0,
    connectionsCheckingInterval: Math.min(LOOK_EVERY_MS, patience.headMs),
    maxHeaderSize: MAX_HEAD_BYTES,
  };
  const server = http.createServer(options, (request, response) => {
    // What else came in the packet in which `takeTurn` ended the connection.
    if (request.socket.destroyed) return;
    const abort = new AbortController();
    const { signal } = abort;
    const served = last?.begin();
    running.add(abort);
    response.once('close', () => {
      running.delete(abort);
      streams.delete(signal);
      served?.close();
      if (!response.writableFinished) abort.abort();
    });
    const streaming = () => streams.add(signal);
    const ending = async () => served?.settled();
    const pace = { readerMs: patience.readerMs, streaming, ending };
    const serving = { app, client, maxBodyBytes, patience, signal, pace };
    const start = () => void serve(request, response, serving).catch(() => response.destroy());
    takeTurn(turns, request.socket, { response, start });
  });
  // One above the limit, as Node silently drops further headers.
  server.maxHeadersCount = MAX_HEADERS + 1;
  server.on('clientError', (fault: NodeJS.ErrnoException, socket) => {
    // Once a response has begun, an error would become part of it.
    if (turns.get(socket)?.[0]?.response.headersSent || !socket.writable) socket.destroy();
    else refuseUnread(fault, socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    url: urlOf(host, server),
    running: () => ({ requests: running.size, streams: streams.size }),
    stop: (graceMs = 0) => {
      closed ??= new Promise((resolve) => server.close(() => resolve()));
      return stop(server, running, closed, graceMs);
    },
  };
}

/** A request of a connection, and its response. */
interface Turn {
  readonly response: http.ServerResponse;
  readonly start: () => void;
}

/**
 * Serves the requests of a connection in turn. A client may send them without waiting for responses (RFC 9112, 9.3.2), thousands in one
 * packet: served as they come, they would hold up all other clients.
 */
function takeTurn(turns: WeakMap<Duplex, Turn[]>, socket: Duplex, turn: Turn): void {
  const queue = turns.get(socket) ?? [];
  turns.set(socket, queue);
  if (queue.length > MAX_WAITING) {
    socket.destroy();
    return;
  }
  queue.push(turn);
  turn.response.once('close', () => {
    const wasFirst = queue[0] === turn;
    queue.splice(queue.indexOf(turn), 1);
    const [next] = queue;
    // Other connections come before the next request of this one.
    if (wasFirst && next !== undefined) setImmediate(() => socket.destroyed || next.start());
  });
  if (queue.length === 1) turn.start();
}

/** `http://HOST:PORT` of a listening server. */
export function urlOf(host: string, server: http.Server): string {
  return `http://${isIPv6(host) ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`;
}

async function stop(
  server: http.Server,
  running: ReadonlySet<AbortController>,
  closed: Promise<void>,
  graceMs: number,
): Promise<void> {
  const idle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS);
  const cancelling = setTimeout(() => {
    for (const abort of running) abort.abort();
  }, graceMs);
  const cutting = setTimeout(() => server.closeAllConnections(), graceMs + TELL_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(cancelling);
  clearTimeout(cutting);
}

/** What one request is served with. */
interface Serving {
  readonly app: App;
  readonly client: ClientOf | undefined;
  readonly maxBodyBytes: number;
  readonly patience: Patience;
  readonly signal: AbortSignal;
  readonly pace: ResponsePace;
}

async function serve(
  incoming: http.IncomingMessage,
  outgoing: http.ServerResponse,
  { app, client, maxBodyBytes, patience, signal, pace }: Serving,
): Promise<void> {
  const request = toRequest(incoming, maxBodyBytes, patience.bodyMs);
  const response =
    request instanceof GatewayError
      ? refusal(request)
      : await app(request, { ...(await clientOf(incoming, client)), signal });
  await writeResponse(response, incoming, outgoing, pace);
}

async function clientOf(incoming: http.IncomingMessage, client: ClientOf | undefined): ReturnType<FrontDoor> {
  const address = addressOf(incoming);
  return client === undefined ? { clientAddress: address } : client(singleHeaders(incoming), address);
}

/** IPv4 addresses of a server that listens on IPv6 too are written as IPv4. */
function addressOf({ socket }: http.IncomingMessage): string {
  return socket.remoteAddress?.replace(/^::ffff:(?=\d+\.)/, '') ?? '';
}

/** Headers by name. A repeated one has all its values, which no single value equals. */
function singleHeaders({ headersDistinct }: http.IncomingMessage): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headersDistinct).map(([name, values]) => [name, values?.join('\n')]));
}

function refusal(error: GatewayError): OutgoingResponse<string> {
  const { requestId, headers } = newRequestId(newTrace());
  return errorResponse(error, requestId, { ...headers, connection: 'close' });
}

/** Returns an API error for a request that Node's parser rejected, and closes the connection. */
function refuseUnread(fault: NodeJS.ErrnoException, socket: Duplex): void {
  const { status, headers, body } = refusal(unreadError(fault.code));
  const head = Object.entries({ ...headers, 'content-length': Buffer.byteLength(body) });
  const lines = head.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\n${lines}\r\n${body}`, () => socket.destroy());
}

function unreadError(code: string | undefined): GatewayError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return tooSlow();
  if (code === 'HPE_HEADER_OVERFLOW') return headTooLarge(`${MAX_HEAD_BYTES} bytes of headers`);
  return new GatewayError('invalid_value', 'The request is not valid HTTP.');
}
