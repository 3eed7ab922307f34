import { PUBLISHED } from './limits.ts';

export interface Deployment {
  /** Lambda environments that may run at once; each handles one request at a time. */
  readonly concurrency: number;
  /** Partitions of the lists of records. */
  readonly listShards: number;
  /** Write units a second that each table takes from the start (warm throughput). */
  readonly warmWrites: number;
  readonly tableWrites: number;
}

export interface Traffic {
  /** Requests a second after the ramp. */
  readonly rate: number;
  /** Length of the ramp, which begins at a hundredth of the rate. */
  readonly rampMinutes: number;
  readonly minutes: number;
  /** Duration of a request. */
  readonly seconds: number;
  /** The busiest key's share of all requests. */
  readonly busiestKey: number;
}

export interface Outcome {
  /** Share of all requests that a provider served. */
  readonly served: number;
  /** Share that Lambda refused (429, or 502 behind a distribution). */
  readonly throttled: number;
  /** Share that got 503 because the limits table throttled their admission. */
  readonly unadmitted: number;
  /** Share of the served requests whose record was throttled. */
  readonly unrecorded: number;
  /** Requests a second in the last minute. */
  readonly servedAtEnd: number;
  readonly environmentsAtEnd: number;
  /** The first bound that refused or delayed requests, and the minute. */
  readonly first?: { readonly what: Bound; readonly minute: number };
}

export type Bound =
  | 'Lambda: concurrency'
  | 'Lambda: scaling rate'
  | 'one key'
  | 'limits table'
  | 'records: lists'
  | 'records table';

/** A key with a token limit, a budget or a concurrency limit: admission and settlement (bench/stores.md, "every limit"). */
export const LIMIT_WRITES = 2;
/** A record of under 1 KB, in its table and in the index of its key (bench/stores.md, "Dollars"). */
const RECORD_WRITES = 2;
const MINUTE = 60;

/**
 * Simulates traffic against published bounds, second by second. Requests above one bound do not reach the next.
 * Averages only: no bursts within a second, no client retries.
 */
export function simulate(
  deployment: Deployment,
  { rate, rampMinutes, minutes, seconds, busiestKey }: Traffic,
): Outcome {
  const { lambda, dynamodb } = PUBLISHED;
  let environments = 0;
  let gain: number = lambda.gain;
  const limitsTable = new WarmTable(deployment);
  const recordsTable = new WarmTable(deployment);
  const total = { asked: 0, served: 0, throttled: 0, unadmitted: 0, unrecorded: 0 };
  let first: Outcome['first'];
  let last = 0;
  const refuse = (what: Bound, count: number, second: number): number => {
    if (count > 0.005 * rate) first ??= { what, minute: Math.floor(second / MINUTE) };
    return count;
  };
  for (let second = 0; second < minutes * MINUTE; second += 1) {
    const asked = rate * Math.max(0.01, Math.min(1, second / (rampMinutes * MINUTE)));
    const needed = asked * seconds;
    gain = Math.min(lambda.gain, gain + lambda.gain / lambda.gainSeconds);
    const possible = Math.min(needed, deployment.concurrency, environments + gain);
    gain -= Math.max(0, possible - environments);
    environments = possible;
    const running = Math.min(asked, environments / seconds);
    const isFull = environments >= deployment.concurrency;
    const throttled = refuse(isFull ? 'Lambda: concurrency' : 'Lambda: scaling rate', asked - running, second);

    const ofBusiest = running * busiestKey;
    const admittedOfBusiest = Math.min(ofBusiest, dynamodb.partitionWrites / LIMIT_WRITES);
    const keyRefused = refuse('one key', ofBusiest - admittedOfBusiest, second);
    const writes = (running - keyRefused) * LIMIT_WRITES;
    const tableRefused = refuse('limits table', (writes - limitsTable.take(writes, second)) / LIMIT_WRITES, second);
    const served = running - keyRefused - tableRefused;

    const listed = Math.min(served, deployment.listShards * dynamodb.partitionWrites);
    const unlisted = refuse('records: lists', served - listed, second);
    const recorded = recordsTable.take(listed * RECORD_WRITES, second) / RECORD_WRITES;
    const untaken = refuse('records table', listed - recorded, second);

    total.asked += asked;
    total.served += served;
    total.throttled += throttled;
    total.unadmitted += keyRefused + tableRefused;
    total.unrecorded += unlisted + untaken;
    if (second >= (minutes - 1) * MINUTE) last += served / MINUTE;
  }
  return {
    served: total.served / total.asked,
    throttled: total.throttled / total.asked,
    unadmitted: total.unadmitted / total.asked,
    unrecorded: total.unrecorded / total.served,
    servedAtEnd: last,
    environmentsAtEnd: environments,
    ...(first !== undefined && { first }),
  };
}

/** An on-demand table: takes at most its quota, and at most twice its peak of half an hour ago or earlier. */
class WarmTable {
  private readonly quota: number;
  private warm: number;
  /** Highest writes a second of each minute. */
  private readonly peaks: number[] = [];

  constructor({ warmWrites, tableWrites }: Deployment) {
    this.warm = warmWrites;
    this.quota = tableWrites;
  }

  take(writes: number, second: number): number {
    const minute = Math.floor(second / MINUTE);
    const ripe = this.peaks[minute - PUBLISHED.dynamodb.doublingMinutes] ?? 0;
    this.warm = Math.max(this.warm, 2 * ripe);
    const taken = Math.min(writes, this.warm, this.quota);
    this.peaks[minute] = Math.max(this.peaks[minute] ?? 0, taken);
    return taken;
  }
}
