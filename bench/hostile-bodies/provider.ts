import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort } from 'node:worker_threads';
import { ANSWERS } from './responses.ts';

/** A worker that serves a provider's costly responses. A response is made before it is measured: the parent names it. */
const ready = new Map<string, { readonly type: string; readonly status: number; readonly body: Buffer }>();

function answerOf(model: string) {
  const known = ready.get(model);
  if (known !== undefined) return known;
  const { type, body, status = 200 } = (ANSWERS[model] as () => ReturnType<(typeof ANSWERS)[string]>)();
  const answer = { type, status, body: Buffer.from(body) };
  ready.set(model, answer);
  return answer;
}

/** A request without a body is for the list of models, or for a stored response. */
const modelOf = (url: string | undefined, body: string) =>
  body === '' ? (url?.endsWith('/models') ? 'models' : 'stored') : (JSON.parse(body) as { model: string }).model;

const server = http.createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { type, status, body } = answerOf(modelOf(request.url, Buffer.concat(chunks).toString()));
    response.writeHead(status, { 'content-type': type }).end(body);
  });
});
server.listen(0, '127.0.0.1', () =>
  parentPort?.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
parentPort?.on('message', (model: string) => parentPort?.postMessage(answerOf(model).body.length));
