/**
 * Loaded into the gateway's process: measures the CPU of its main thread between two timers, which run once in each turn of the event loop.
 * SIGUSR2 writes the longest of these, in milliseconds, to the file SVC_BENCH_TURNS and begins anew. SIGCONT collects garbage, and writes
 * to the same file the bytes that the process still holds.
 */
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

if (isMainThread && process.env.SVC_BENCH_TURNS !== undefined) {
  let longestMs = 0;
  let lastMs = cpuMs();
  setInterval(() => {
    const nowMs = cpuMs();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    lastMs = nowMs;
  }, 1).unref();
  process.on('SIGUSR2', () => {
    writeFileSync(process.env.SVC_BENCH_TURNS, String(longestMs));
    longestMs = 0;
  });
  process.on('SIGCONT', () => {
    globalThis.gc();
    const { heapUsed, external } = process.memoryUsage();
    writeFileSync(process.env.SVC_BENCH_TURNS, String(heapUsed + external));
  });
}

function cpuMs() {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
