import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort } from 'node:worker_threads';
import { ANSWERS } from './bodies.ts';

/** A worker that serves a provider's costly responses. */
const ready = Object.fromEntries(
  Object.entries(ANSWERS).map(([model, make]) => {
    const { type, body } = make();
    return [model, { type, body: Buffer.from(body) }];
  }),
);

const server = http.createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { model } = JSON.parse(Buffer.concat(chunks).toString()) as { model: string };
    const { type, body } = ready[model] as { type: string; body: Buffer };
    response.writeHead(200, { 'content-type': type }).end(body);
  });
});
server.listen(0, '127.0.0.1', () =>
  parentPort?.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
