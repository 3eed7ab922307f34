import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect } from '@jest/globals';
import { DEADLINE_MS } from '../../../test/support/eventually.ts';
import { HttpFailure, type HttpRequest } from '../../kernel/http/index.ts';

let server: Server | undefined;
/** Of the server, in the order of their arrival. */
export const sockets: Socket[] = [];

/** A server that handles each request as the test says, given the text so far and its number on the connection. */
export async function serving(onRequest: (socket: Socket, text: string, turn: number) => void): Promise<string> {
  const port = await listening((socket) => {
    sockets.push(socket);
    let turn = 0;
    socket.on('error', () => {});
    socket.on('data', (data) => {
      turn += 1;
      onRequest(socket, String(data), turn);
    });
  });
  return `http://127.0.0.1:${port}/a?b`;
}
/** A server of connections. @returns its port */
export async function listening(onConnection: (socket: Socket) => void): Promise<number> {
  server = createServer(onConnection).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
export function stopListening(): void {
  server?.close();
}
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  stopListening();
});

export const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
/** Waits until the connection is closed without a replacement. */
export async function closing(): Promise<void> {
  const socket = sockets[0] as Socket;
  if (!socket.closed) await once(socket, 'close');
  await pause(30);
  expect(sockets).toHaveLength(1);
}

export const HEAD = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
export const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
export const WHOLE = 'HTTP/1.1 201 Created\r\ncontent-length: 2\r\nX-A: 1\r\nX-A: 2\r\n\r\nok';

export function call(url: string, fields: Partial<HttpRequest> = {}): HttpRequest {
  return {
    method: 'POST',
    url,
    headers: { 'x-test': 'yes' },
    body: 'é',
    headTimeoutMs: DEADLINE_MS,
    idleTimeoutMs: DEADLINE_MS,
    signal: new AbortController().signal,
    ...fields,
  };
}
export async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const bytes of body) text += Buffer.from(bytes).toString();
  return text;
}
export async function failureOf(run: () => Promise<unknown>): Promise<[string, boolean]> {
  try {
    await run();
  } catch (error) {
    expect(error).toBeInstanceOf(HttpFailure);
    return [(error as HttpFailure).reason, (error as HttpFailure).sent];
  }
  throw new Error('nothing was thrown');
}
