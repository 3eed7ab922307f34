import http from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

/** A worker that requests an address every few milliseconds over a new connection, and reports the latency of each response. */
const { url, everyMs } = workerData as { url: string; everyMs: number };
let waits: number[] = [];

setInterval(() => {
  const startedAt = performance.now();
  const asked = http.get(url, { agent: false }, (response) => {
    response.resume().once('end', () => waits.push(performance.now() - startedAt));
  });
  // A request without a response waited forever.
  asked.on('error', () => waits.push(Number.POSITIVE_INFINITY));
}, everyMs);

parentPort?.on('message', () => {
  parentPort?.postMessage(waits);
  waits = [];
});
