import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A request of a trace: when it came, and how long its answer took, milliseconds. */
export interface Arrival {
  readonly atMs: number;
  readonly takesMs: number;
}

/**
 * The first 114 seconds of Microsoft's trace of conversations with an LLM service in production, 429 requests: when each came
 * and how many tokens its answer had. CC-BY, Azure LLM inference trace 2023 (https://github.com/Azure/AzurePublicDataset), of
 * P. Patel et al., "Splitwise: Efficient generative LLM inference using phase splitting", ISCA 2024.
 */
const RECORDED = path.join(import.meta.dirname, 'azure-llm-trace.csv');

/** How fast a provider answers, milliseconds: the trace does not tell. */
export interface Pace {
  readonly firstTokenMs: number;
  readonly tokenMs: number;
}

/** The recorded trace, with answers that last as long as their tokens take. */
export function recordedTrace({ firstTokenMs, tokenMs }: Pace): Arrival[] {
  const [, ...rows] = readFileSync(RECORDED, 'utf8').trim().split('\n');
  return rows.map((row) => {
    const [atMs = 0, tokens = 0] = row.split(',').map(Number);
    return { atMs, takesMs: firstTokenMs + tokens * tokenMs };
  });
}

/** Each `nth` arrival of a trace alone. */
export function thinned(trace: readonly Arrival[], nth: number): Arrival[] {
  return trace.filter((_, at) => at % nth === 0);
}

/** A trace so many times over itself, each copy later by another part of its length and its end put before its beginning. */
export function multiplied(trace: readonly Arrival[], times: number): Arrival[] {
  const lengthMs = spanMs(trace);
  const copies = Array.from({ length: times }, (_, copy) =>
    trace.map(({ atMs, takesMs }) => ({ atMs: (atMs + (copy * lengthMs) / times) % lengthMs, takesMs })),
  );
  return copies.flat().sort((a, b) => a.atMs - b.atMs);
}

/** From the first arrival to the last, with the pause that one takes on average. */
export function spanMs(trace: readonly Arrival[]): number {
  const [first, last] = [trace[0]?.atMs ?? 0, trace.at(-1)?.atMs ?? 0];
  return ((last - first) * trace.length) / Math.max(1, trace.length - 1);
}

/**
 * Milliseconds in which environments had at least one request, all environments together, where each handles `atOnce` requests
 * at a time and a request goes to the fullest one that has room: what is paid for by the millisecond of a busy environment.
 */
export function busyMs(trace: readonly Arrival[], atOnce: number): number {
  const environments: { ends: number[]; busySince: number }[] = [];
  let total = 0;
  const settle = (until: number) => {
    for (const environment of environments) {
      if (environment.ends.length === 0) continue;
      const last = Math.max(...environment.ends);
      environment.ends = environment.ends.filter((end) => end > until);
      if (environment.ends.length === 0) total += last - environment.busySince;
    }
  };
  for (const { atMs, takesMs } of trace) {
    settle(atMs);
    const withRoom = environments.filter(({ ends }) => ends.length < atOnce);
    let chosen = withRoom.reduce<(typeof withRoom)[number] | undefined>(
      (fullest, one) => (fullest === undefined || one.ends.length > fullest.ends.length ? one : fullest),
      undefined,
    );
    if (chosen === undefined) {
      chosen = { ends: [], busySince: 0 };
      environments.push(chosen);
    }
    if (chosen.ends.length === 0) chosen.busySince = atMs;
    chosen.ends.push(atMs + takesMs);
  }
  settle(Number.POSITIVE_INFINITY);
  return total;
}
