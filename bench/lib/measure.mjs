import { agentConversation } from './agent-conversation.mjs';
import { cpuMs } from './process-usage.ts';
import { nextMessage } from './processes.mjs';

const JOB_SLACK_MS = 300_000;
const MEMORY_CELL = { promptBytes: 20_000, concurrency: 16 };

/** One job of the load generator; throws if no response was complete. Failures are kept in `stack.failures`. */
async function runJob({ generator, failures }, job) {
  generator.send(job);
  const result = await nextMessage(generator, (job.seconds ?? 0) * 1000 + JOB_SLACK_MS);
  if (result.error !== undefined) throw new Error(result.error);
  failures.push(...result.failures);
  if (result.requests === 0 || result.streams?.length === 0) throw new Error(result.failures[0]);
  return result;
}

/**
 * Sends one load to one target, for `seconds` or as many `requests`: requests a second, CPU milliseconds a request of the target, of the
 * stores and of the counting that follows, first byte. Of agents through the gateway, also how often the CPU is that of `JSON.parse` of
 * such a body in the gateway's process.
 */
export async function measureLoad(stack, name, cell, until) {
  const target = stack.targets[name];
  const usage = () => [target.process.cpuMs(), cpuMs(stack.stores.pid)];
  const before = usage();
  const { requests, elapsedMs, firstByteMs } = await runJob(stack, loadJob(target, cell, until));
  const [cpu, storesCpu] = usage().map((used, index) => (used - before[index]) / requests);
  const counting = name === 'gateway' ? await stack.counter.catchUp() : undefined;
  return {
    elapsedMs,
    perSecond: (requests / elapsedMs) * 1000,
    cpu,
    parses: cell.agentKb && name === 'gateway' ? cpu / (await agentParseMs(target, cell.agentKb)) : undefined,
    storesCpu,
    countingCpu: counting && (counting.counter + counting.stores) / requests,
    firstByte: firstByteMs.p50,
    firstByteP99: firstByteMs.p99,
  };
}

/** Milliseconds of `JSON.parse` of an agent's body in the target's process. */
export function agentParseMs({ process }, kb) {
  return process.parseMs(agentConversation(kb, 'mock-fixed').next().value);
}

/**
 * Memory of a target's process after each thousand of 10,000 requests of 20 KB, half of them streams: what it has resident and how much of
 * its heap is used, garbage that is not collected yet included, and half way and at the end what is left of that by a collection, MB.
 */
export async function measureMemory(stack, name) {
  const target = stack.targets[name];
  const points = [];
  for (let requests = 1_000; requests <= 10_000; requests += 1_000) {
    for (const stream of [false, true]) {
      await runJob(stack, loadJob(target, { ...MEMORY_CELL, stream }, { requests: 500 }));
    }
    const { rss, heapUsed } = await target.process.memory();
    const isMark = requests % 5_000 === 0;
    const liveMb = isMark ? (await target.process.memory(true)).heapUsed / 2 ** 20 : undefined;
    points.push({ requests, residentMb: rss / 2 ** 20, heapMb: heapUsed / 2 ** 20, liveMb });
  }
  if (name === 'gateway') await stack.counter.catchUp();
  return points;
}

/** Times of content characters in `count` paced streams from one target. */
export async function measureContent(stack, name, { promptBytes, count }) {
  const { url, headers, modelPrefix } = stack.targets[name];
  const job = { kind: 'content', target: { url, headers, modelPrefix }, model: 'mock-paced', promptBytes, count };
  return (await runJob(stack, job)).streams;
}

function loadJob({ url, headers, modelPrefix }, cell, until) {
  return { kind: 'load', target: { url, headers, modelPrefix }, model: 'mock-fixed', ...cell, ...until };
}
