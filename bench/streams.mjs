/**
 * Bytes on the wire and CPU of the gateway for a stream of 250 tokens in each protocol, written to bench/streams.md and, for
 * `npm run bench cost`, to bench/streams.json: npm run bench streams
 *
 * Tokens come at the pace of a provider, so a stream lasts five seconds. About two minutes. It needs Linux.
 */
import '../scripts/check-node.mjs';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMs } from './lib/process-usage.ts';
import { startStack } from './lib/stack.mjs';
import { median } from './lib/statistics.ts';
import { table } from './lib/table.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const OUT = path.join(import.meta.dirname, 'streams');
const TOKENS = 250;
const TOKENS_PER_SECOND = 50;
const AT_ONCE = 20;
const ROUNDS = 3;
/** Code that runs a few times is slow: the first streams of a process take several times the CPU, in which V8 compiles it. */
const WARM_ROUNDS = 4;
const WARM_ALONE = 2;
const IDLE_SECONDS = 5;
const PROMPT = 'Tell me about the history of the printing press. '.repeat(20);
const MODEL = 'openai/gpt-4o-mini';
const MESSAGES = [{ role: 'user', content: PROMPT }];

/** Each protocol's request for the same stream, and the text that ends it. */
const PROTOCOLS = {
  'chat completions': {
    path: '/v1/chat/completions',
    body: { model: MODEL, stream: true, messages: MESSAGES },
    end: '[DONE]',
  },
  Responses: {
    path: '/v1/responses',
    body: { model: MODEL, stream: true, input: PROMPT, store: false },
    end: 'response.completed',
  },
  'Messages, translated': {
    path: '/v1/messages',
    body: { model: MODEL, stream: true, max_tokens: 1_000, messages: MESSAGES },
    end: 'message_stop',
  },
  'Gemini, translated': {
    path: '/v1beta/models/gpt-4o-mini:streamGenerateContent?alt=sse',
    body: { contents: [{ role: 'user', parts: [{ text: PROMPT }] }] },
    end: 'finishReason',
  },
};

execFileSync(process.execPath, ['scripts/build.mjs', 'local'], { cwd: ROOT, stdio: 'inherit' });
process.env.TOKENS = String(TOKENS);
process.env.TOKENS_PER_SECOND = String(TOKENS_PER_SECOND);
const stack = await startStack({
  gatewayScript: path.join(ROOT, 'dist/local/index.mjs'),
  upstreamScript: path.join(import.meta.dirname, 'lib/prose-provider.mjs'),
});
try {
  const idle = await idleShare();
  const { cpuMs: first } = await many(PROTOCOLS['chat completions'], 1, idle);
  const rows = {};
  for (const [name, protocol] of Object.entries(PROTOCOLS)) rows[name] = await measure(protocol, idle);
  const proxy = await measureProxy();
  const date = new Date().toISOString().slice(0, 10);
  const seconds = TOKENS / TOKENS_PER_SECOND;
  writeFileSync(
    `${OUT}.json`,
    `${JSON.stringify({ date, tokens: TOKENS, seconds, protocols: rows, firstCpuMs: first, proxyCpuMs: proxy }, null, 2)}\n`,
  );
  writeFileSync(`${OUT}.md`, report(date, rows, { first, proxy }));
  console.log('bench/streams.md written');
} finally {
  await stack.stop();
}

async function measure(protocol, idle, receiver) {
  for (let round = 0; round < WARM_ROUNDS; round += 1) await many(protocol, AT_ONCE, idle, receiver);
  for (let round = 0; round < WARM_ALONE; round += 1) await many(protocol, 1, idle, receiver);
  const alone = [];
  const atOnce = [];
  let bytes;
  for (let round = 0; round < ROUNDS; round += 1) {
    const one = await many(protocol, 1, idle, receiver);
    bytes = { request: one.request, response: one.response };
    alone.push(one.cpuMs);
    atOnce.push((await many(protocol, AT_ONCE, idle, receiver)).cpuMs);
  }
  return { bytes, cpuMs: { alone: median(alone), atOnce: median(atOnce) } };
}

/** Runs streams at once: CPU of the gateway for each, without what it uses when idle, and bytes of the last. */
async function many(
  protocol,
  count,
  idle,
  { pid, target } = { pid: stack.gateway.pid, target: stack.targets.gateway },
) {
  const before = cpuMs(pid);
  const startedAt = performance.now();
  const read = await Promise.all(Array.from({ length: count }, () => stream(protocol, target)));
  // Settlement and record follow the stream.
  await sleep(500);
  const used = cpuMs(pid) - before - idle * (performance.now() - startedAt);
  return { ...read.at(-1), cpuMs: used / count };
}

/** CPU of the gateway without requests, milliseconds a millisecond. */
async function idleShare() {
  const { pid } = stack.gateway;
  await sleep(2_000);
  const before = cpuMs(pid);
  await sleep(IDLE_SECONDS * 1_000);
  return (cpuMs(pid) - before) / (IDLE_SECONDS * 1_000);
}

/** CPU of a proxy that passes the same stream on unread: what the wake-ups and system calls of Node take. */
async function measureProxy() {
  const script = path.join(import.meta.dirname, 'bare-proxy.mjs');
  const { pid, url } = await stack.processes.start('proxy', script, { args: [stack.targets.direct.process.url] });
  const { headers } = stack.targets.gateway;
  const chat = PROTOCOLS['chat completions'];
  const direct = { ...chat, body: { ...chat.body, model: MODEL.replace('openai/', '') } };
  return (await measure(direct, 0, { pid, target: { url, headers } })).cpuMs;
}

/** One stream on a new connection; bytes of HTTP in both directions. */
async function stream({ path: address, body, end }, { url, headers }) {
  const request = http.request(new URL(address, url), { method: 'POST', headers, agent: false });
  request.end(JSON.stringify(body));
  const response = await new Promise((resolve, reject) => request.once('response', resolve).once('error', reject));
  let text = '';
  for await (const piece of response.setEncoding('utf8')) text += piece;
  if (response.statusCode !== 200 || !text.includes(end))
    throw new Error(`${address}: ${response.statusCode} ${text.slice(-300)}`);
  return { request: request.socket.bytesWritten, response: request.socket.bytesRead };
}

function report(date, rows, { first, proxy }) {
  const [cpu] = os.cpus();
  const kb = (bytes) => (bytes / 1_000).toFixed(1);
  return `<!-- Generated by bench/streams.mjs. Do not edit: run \`npm run bench streams\` again. -->

# A stream of ${TOKENS} tokens

Ordinary prose from a mock provider of OpenAI's protocols, ${TOKENS_PER_SECOND} tokens a second, in the exact events of its streams (padding included), through the local
server as \`npm start\` runs it, under the default policy; prompt of 1 KB. CPU is of the server's process, without what it uses when idle: the median of ${ROUNDS} rounds.
Bytes are those of HTTP/1.1, without TLS. ${cpu.model}, ${os.cpus().length} cores shared with provider, stores and reader; Node ${process.version}, ${date}; load average ${os.loadavg()[0].toFixed(1)} at the end.

${table(
  ['Protocol', 'Request, KB', 'Response, KB', 'CPU alone, ms', `CPU with ${AT_ONCE} at once, ms each`],
  Object.entries(rows).map(
    ([
      name,
      {
        bytes,
        cpuMs: { alone, atOnce },
      },
    ]) => [name, kb(bytes.request), kb(bytes.response), alone.toFixed(1), atOnce.toFixed(1)],
  ),
)}

A proxy that passes the chat completions on unread takes ${proxy.alone.toFixed(1)} ms alone, and ${proxy.atOnce.toFixed(1)} ms each with ${AT_ONCE} at once. A stream alone wakes the process for
each token and finds cold caches; with many at once a turn of the event loop has several tokens. The first stream of the process, whose
code V8 has still to compile, took ${first.toFixed(1)} ms.

A response in one piece of the same length has about 2 KB. Each token of a stream is an event, and each event is inspected before it is sent.
`;
}
