import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { GatewayError } from '../../functions/core/errors.ts';
import { errorResponse } from '../../functions/core/http/responses.ts';
import type { App } from '../../functions/core/http/router.ts';

export interface HttpHost {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** Takes no new request, lets running ones end for `graceMs`, then closes what is left. */
  stop(graceMs: number): Promise<void>;
}

/** Serves an app as a plain HTTP server. */
export async function startHttpHost(app: App, port: number, host: string): Promise<HttpHost> {
  const server = http.createServer((request, response) => {
    serve(app, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    stop: (graceMs) => stop(server, graceMs),
  };
}

async function stop(server: http.Server, graceMs: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
}

async function serve(app: App, incoming: http.IncomingMessage, outgoing: http.ServerResponse): Promise<void> {
  const abort = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) abort.abort();
  });
  const request = toRequest(incoming);
  const response = request
    ? await app(request, { clientAddress: incoming.socket.remoteAddress ?? '', signal: abort.signal })
    : errorResponse(new GatewayError('invalid_value', 'The request line or a header cannot be read.'));
  const headers = Object.fromEntries(response.headers);
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    const body = Buffer.from(await response.arrayBuffer());
    outgoing.writeHead(response.status, { ...headers, 'content-length': String(body.length) }).end(body);
    return;
  }
  outgoing.writeHead(response.status, headers);
  if (response.body) await send(response.body, outgoing);
  outgoing.end();
}

/** undefined where the target or the method is none that a web Request can have (TRACE, CONNECT). */
function toRequest(incoming: http.IncomingMessage): Request | undefined {
  const { method = 'GET', url = '/', rawHeaders } = incoming;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  try {
    const headers = new Headers();
    for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i] as string, rawHeaders[i + 1] as string);
    // The Host header has no say: where the request came from is what the socket says.
    const address = url.startsWith('/') ? `http://gateway${url}` : url;
    return new Request(address, { method, headers, ...(hasBody && { body: incoming, duplex: 'half' }) } as RequestInit);
  } catch {
    return undefined;
  }
}

async function send(body: ReadableStream<Uint8Array>, outgoing: http.ServerResponse): Promise<void> {
  const reader = body.getReader();
  outgoing.once('close', () => void reader.cancel().catch(() => {}));
  for (;;) {
    const { done, value } = await reader.read();
    if (done || outgoing.destroyed) return;
    if (!outgoing.write(value)) await drained(outgoing);
  }
}

function drained(outgoing: http.ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    outgoing.once('drain', resolve);
    outgoing.once('close', resolve);
  });
}
