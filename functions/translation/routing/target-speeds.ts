import { LRUCache } from 'lru-cache';
import type { Clock } from '../../kernel/tasks/index.ts';
import type { Target } from './route-model.ts';

const WINDOW_MS = 5 * 60_000;
/** Calls of a target that are kept, and the fewest that make its median. */
const MAX_CALLS = 200;
const MIN_CALLS = 3;
/** How long a median serves before it is made again. */
const MEDIAN_MS = 1_000;
const MAX_TARGETS = 1_000;

interface Calls {
  /** Monotonic milliseconds of each end, and the milliseconds per token of output; the newest last. */
  readonly ends: number[];
  readonly perToken: number[];
  median: number | undefined;
  medianAt: number;
}

/** How fast targets were in the last five minutes, in this process. */
export class TargetSpeeds {
  private readonly clock: Clock;
  private readonly byTarget = new LRUCache<string, Calls>({ max: MAX_TARGETS });

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Counts a call that ended now: from its start to the end of its response. A response without tokens counts as one token. */
  served(target: Target, milliseconds: number, outputTokens: number): void {
    const name = nameOf(target);
    const calls = this.byTarget.get(name) ?? { ends: [], perToken: [], median: undefined, medianAt: -Infinity };
    calls.ends.push(this.clock.monotonic());
    calls.perToken.push(milliseconds / Math.max(1, outputTokens));
    if (calls.ends.length > MAX_CALLS) dropFirst(calls, 1);
    this.byTarget.set(name, calls);
  }

  /** The median in milliseconds per token of output; undefined after fewer than three calls. */
  medianOf(target: Target): number | undefined {
    const calls = this.byTarget.get(nameOf(target));
    if (calls === undefined) return undefined;
    const now = this.clock.monotonic();
    if (now - calls.medianAt < MEDIAN_MS && calls.median !== undefined) return calls.median;
    const isRecent = (end: number) => now - end < WINDOW_MS;
    const recentFrom = calls.ends.findIndex(isRecent);
    dropFirst(calls, recentFrom < 0 ? calls.ends.length : recentFrom);
    calls.medianAt = now;
    calls.median = calls.ends.length < MIN_CALLS ? undefined : middleOf(calls.perToken);
    return calls.median;
  }
}

function middleOf(values: readonly number[]): number | undefined {
  return values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) / 2)];
}

function dropFirst({ ends, perToken }: Calls, count: number): void {
  ends.splice(0, count);
  perToken.splice(0, count);
}

function nameOf({ provider, model }: Target): string {
  return `${provider}/${model}`;
}
