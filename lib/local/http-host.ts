import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { GatewayError } from '../../functions/core/errors.ts';
import { type BodyStream, isStream, type OutgoingResponse } from '../../functions/core/http/outgoing-response.ts';
import { tooLarge } from '../../functions/core/http/request-body.ts';
import { HeaderList } from '../../functions/core/http/request-headers.ts';
import { errorResponse } from '../../functions/core/http/responses.ts';
import { type App, type IncomingRequest, newRequestId } from '../../functions/core/http/router.ts';
import { newTrace } from '../../functions/core/telemetry/request-trace.ts';

export interface HttpHost {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** Takes no new request, lets running ones end for `graceMs`, then cancels and so tells those that are left. */
  stop(graceMs: number): Promise<void>;
}

export interface HttpHostOptions {
  readonly port: number;
  readonly host: string;
  /** A larger request body is refused while it comes in. */
  readonly maxBodyBytes: number;
}

/** What was cancelled has so long to tell its caller. */
const TELL_MS = 1_000;
/** A connection whose last answer has ended is closed so soon while the server stops. */
const CLOSE_IDLE_MS = 50;

/** Serves an app as a plain HTTP server. */
export async function startHttpHost(app: App, { port, host, maxBodyBytes }: HttpHostOptions): Promise<HttpHost> {
  const running = new Set<AbortController>();
  const server = http.createServer((request, response) => {
    const abort = new AbortController();
    running.add(abort);
    response.once('close', () => {
      running.delete(abort);
      if (!response.writableFinished) abort.abort();
    });
    serve(app, request, response, { maxBodyBytes, signal: abort.signal }).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    stop: (graceMs) => stop(server, running, graceMs),
  };
}

async function stop(server: http.Server, running: ReadonlySet<AbortController>, graceMs: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
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

async function serve(
  app: App,
  incoming: http.IncomingMessage,
  outgoing: http.ServerResponse,
  { maxBodyBytes, signal }: { readonly maxBodyBytes: number; readonly signal: AbortSignal },
): Promise<void> {
  const request = toRequest(incoming, maxBodyBytes);
  const response = request
    ? await app(request, { clientAddress: incoming.socket.remoteAddress ?? '', signal })
    : unreadableAddress();
  const { status, body } = response;
  const head = headOf(response);
  if (isStream(body)) {
    outgoing.writeHead(status, head);
    await send(body, outgoing);
    outgoing.end();
  } else {
    head.push('content-length', String(Buffer.byteLength(body)));
    // A string leaves in one write with the head.
    outgoing.writeHead(status, head).end(body);
  }
}

/** Names and values in turn, in the order of the names. */
function headOf({ headers, cookies = [] }: OutgoingResponse): string[] {
  const head: string[] = [];
  for (const name of Object.keys(headers).sort()) head.push(name, headers[name] as string);
  for (const cookie of cookies) head.push('set-cookie', cookie);
  return head;
}

/** undefined where the target is no path or address. */
function toRequest(incoming: http.IncomingMessage, maxBodyBytes: number): IncomingRequest | undefined {
  const { method = 'GET', url = '/', rawHeaders } = incoming;
  // The Host header has no say: where the request came from is what the socket says.
  const address = url.startsWith('/') ? `http://gateway${url}` : url;
  if (!URL.canParse(address)) return undefined;
  const headers = new HeaderList(pairs(rawHeaders));
  return { method, url: address, headers, bytes: () => readBytes(incoming, maxBodyBytes) };
}

function pairs(list: readonly string[]): [string, string][] {
  const paired: [string, string][] = [];
  for (let at = 0; at < list.length; at += 2) paired.push([list[at] as string, list[at + 1] as string]);
  return paired;
}

function readBytes(incoming: http.IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      // The rest is read and thrown away, so that the caller gets to read the answer.
      if (size > maxBytes) reject(tooLarge(maxBytes));
      else chunks.push(chunk);
    });
    incoming.once('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    // The caller left while he sent it: no fault of ours, and nobody reads the answer.
    incoming.once('error', () => reject(new GatewayError('request_cancelled', 'The request was cancelled.')));
  });
}

async function send(body: BodyStream, outgoing: http.ServerResponse): Promise<void> {
  // Also while a piece is awaited.
  outgoing.once('close', () => void body.return());
  for await (const piece of body) {
    if (outgoing.destroyed) return;
    if (!outgoing.write(piece)) await drained(outgoing);
  }
}

function drained(outgoing: http.ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    // Both are taken back: a slow reader makes a long answer wait many times.
    const done = () => {
      outgoing.off('drain', done).off('close', done);
      resolve();
    };
    outgoing.on('drain', done).on('close', done);
  });
}

function unreadableAddress(): OutgoingResponse {
  const { requestId, headers } = newRequestId(newTrace());
  return errorResponse(new GatewayError('invalid_value', "The request's address cannot be read."), requestId, headers);
}
