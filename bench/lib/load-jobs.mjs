import http from 'node:http';
import { agentConversation } from './agent-conversation.mjs';
import { promptSource } from './prompts.mjs';
import { quantile } from './statistics.ts';

/** Goes on from one job to the next. */
const nextPrompt = promptSource(process.env.SVC_BENCH_DATA);
const CALL_TIMEOUT_MS = 120_000;
/** The last conversation of each target, by its URL. */
const conversations = new Map();

/**
 * A closed loop: `concurrency` connections, each with its next request as soon as a response is complete, for `seconds`, or until
 * `requests` were sent: prompts of `promptBytes`, or turns of agents that begin with `agentKb`. Returns the number of complete responses, the duration and the times to the first byte of a body, milliseconds. `failures` has
 * an entry for each incomplete response.
 */
export async function runLoadJob({ target, concurrency, seconds = Infinity, requests = Infinity, ...load }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: concurrency });
  const firstBytes = [];
  const failures = [];
  const startedAt = performance.now();
  const deadline = startedAt + seconds * 1000;
  let sent = 0;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (performance.now() < deadline && sent < requests) {
        sent += 1;
        try {
          firstBytes.push((await call(agent, target, load)).firstByteMs);
        } catch (error) {
          failures.push(String(error));
        }
      }
    }),
  );
  const elapsedMs = performance.now() - startedAt;
  agent.destroy();
  return {
    requests: firstBytes.length,
    failures,
    elapsedMs,
    firstByteMs: { p50: quantile(firstBytes, 0.5), p99: quantile(firstBytes, 0.99) },
  };
}

/**
 * `count` streams, one after another: for each, the time from the request to its first content character, when each character
 * came after that, and of the first the gateway's wait for its limits table, milliseconds.
 */
export async function runContentJob({ target, model, promptBytes, count }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const streams = [];
  const failures = [];
  for (let index = 0; index < count; index += 1) {
    try {
      const { chunks, headers } = await call(agent, target, { model, stream: true, promptBytes });
      streams.push({ ...contentTimes(chunks), admission: admissionMs(headers) });
    } catch (error) {
      failures.push(String(error));
    }
  }
  agent.destroy();
  return { streams, failures };
}

/** A prompt, or with `agentKb` the first request of a new conversation or, where `isNew` is false, the next turn of the last one. */
function nextBody({ url, modelPrefix = '' }, { model, stream, promptBytes, agentKb, isNew }) {
  const name = modelPrefix + model;
  if (agentKb === undefined) {
    const messages = [{ role: 'user', content: nextPrompt(promptBytes) }];
    return JSON.stringify({ model: name, messages, ...(stream && { stream }) });
  }
  if (isNew) conversations.set(url, agentConversation(agentKb, name, nextPrompt));
  return conversations.get(url).next().value;
}

/** One request; its body's chunks with their times since the request was sent. */
function call(agent, target, load) {
  const { url, headers } = target;
  const body = nextBody(target, load);
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const options = { method: 'POST', agent, timeout: CALL_TIMEOUT_MS };
    const request = http.request(url, {
      ...options,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    });
    request.once('timeout', () => request.destroy(new Error('timeout')));
    request.once('error', reject);
    request.once('response', (response) => {
      const chunks = [];
      response.on('data', (bytes) => chunks.push({ bytes, atMs: performance.now() - startedAt }));
      response.once('error', reject);
      response.once('end', () => {
        const end = chunks.at(-1)?.bytes.toString().trimEnd() ?? '';
        if (response.statusCode === 200 && end.endsWith(load.stream ? '[DONE]' : '}')) {
          resolve({ firstByteMs: chunks[0].atMs, chunks, headers: response.headers });
        } else reject(new Error(`${url} answered ${response.statusCode} ${end.slice(-500)}`));
      });
    });
    request.end(body);
  });
}

function contentTimes(chunks) {
  const times = [];
  let text = '';
  for (const { bytes, atMs } of chunks) {
    const events = (text + bytes.toString()).split('\n\n');
    text = events.pop();
    const characters = events.reduce((sum, event) => sum + contentOf(event).length, 0);
    for (let at = 0; at < characters; at += 1) times.push(atMs);
  }
  const [first] = times;
  return { first, further: times.slice(1).map((time) => time - first) };
}

/** The gateway's wait for its limits table, from its Server-Timing; 0 for a target that has none. */
function admissionMs(headers) {
  return Number(/\badmit;dur=([\d.]+)/.exec(headers['server-timing'])?.[1] ?? 0);
}

function contentOf(event) {
  const data = event.replace(/^data: /, '');
  return data === '[DONE]' ? '' : (JSON.parse(data).choices?.[0]?.delta?.content ?? '');
}
