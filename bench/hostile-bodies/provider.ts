import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort } from 'node:worker_threads';
import { ANSWERS } from './bodies.ts';

/** A worker that serves a provider's costly responses. */
const ready = new Map<string, { readonly type: string; readonly status: number; readonly body: Buffer }>();

/** A response is made at its first request. */
function answerOf(model: string) {
  const known = ready.get(model);
  if (known !== undefined) return known;
  const { type, body, status = 200 } = (ANSWERS[model] as () => ReturnType<(typeof ANSWERS)[string]>)();
  const answer = { type, status, body: Buffer.from(body) };
  ready.set(model, answer);
  return answer;
}

const server = http.createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { model } = JSON.parse(Buffer.concat(chunks).toString()) as { model: string };
    const { type, status, body } = answerOf(model);
    response.writeHead(status, { 'content-type': type }).end(body);
  });
});
server.listen(0, '127.0.0.1', () =>
  parentPort?.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
