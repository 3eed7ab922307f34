import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A response as written to the connection. */
export interface RawResponse {
  /** All before the body: status line, headers and the empty line. */
  readonly head: string;
  readonly body: Buffer;
  /** How the connection ends; a clean end if absent. */
  readonly close?: 'end' | 'destroy' | 'reset';
}

const head = (version: string, ...headers: string[]) => [`HTTP/${version} 200 OK`, ...headers, '', ''].join('\r\n');
const CLOSE = 'connection: close';
const TYPE = 'content-type: text/event-stream';

/** The heads of a response of `bytes` with a media type, after which the server closes the connection. */
export const CLOSING_HEADS: readonly (readonly [string, (bytes: number, type?: string) => string])[] = [
  ['without a length', (_, type = TYPE) => head('1.1', type)],
  ['without a length, with Connection: close', (_, type = TYPE) => head('1.1', type, CLOSE)],
  ['of HTTP/1.0', (_, type = TYPE) => head('1.0', type)],
  ['of HTTP/1.0 with its length', (bytes, type = TYPE) => head('1.0', type, `content-length: ${bytes}`)],
  [
    'with its length and Connection: close',
    (bytes, type = TYPE) => head('1.1', type, CLOSE, `content-length: ${bytes}`),
  ],
  ['with fewer bytes than promised', (bytes, type = TYPE) => head('1.1', type, `content-length: ${bytes + 1}`)],
  [
    'with fewer bytes and Connection: close',
    (bytes, type = TYPE) => head('1.1', type, CLOSE, `content-length: ${bytes + 1}`),
  ],
  [
    'without its last chunk, with Connection: close',
    (bytes, type = TYPE) => `${head('1.1', type, CLOSE, 'transfer-encoding: chunked')}${bytes.toString(16)}\r\n`,
  ],
];

export interface ClosingServer {
  readonly url: string;
  close(): Promise<void>;
}

/** A server that reads a whole request, writes `respond`'s bytes at once, and ends the connection. */
export async function startClosingServer(respond: (request: string) => RawResponse): Promise<ClosingServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    let request = '';
    socket.setEncoding('latin1').on('data', (text: string) => {
      request += text;
      if (isWhole(request)) write(socket, respond(request));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** The client writes a length, or sends no body. */
function isWhole(request: string): boolean {
  const end = request.indexOf('\r\n\r\n');
  const length = Number(/^content-length: (\d+)\r$/im.exec(request)?.[1] ?? 0);
  return end >= 0 && request.length >= end + 4 + length;
}

function write(socket: Socket, { head, body, close = 'end' }: RawResponse): void {
  socket.write(head);
  socket.write(body, () => {
    if (close === 'end') socket.end();
    else if (close === 'destroy') socket.destroy();
    else socket.resetAndDestroy();
  });
}
