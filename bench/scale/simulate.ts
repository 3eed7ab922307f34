import { PUBLISHED } from './limits.ts';

/** A deployment, and who asks it. */
export interface Deployment {
  /** Environments that may run at once. */
  readonly concurrency: number;
  /** Requests that one environment handles at once: 1 but where a server listens on a port. */
  readonly requestsAtOnce: number;
  /** Environments that are kept ready: provisioned concurrency. */
  readonly provisioned: number;
  /** Partitions that records' lists are spread over. */
  readonly listShards: number;
  /** Write units that each table takes from the start: warm throughput. */
  readonly warmWrites: number;
  readonly tableWrites: number;
}

export interface Traffic {
  /** Requests a second, in the end. */
  readonly rate: number;
  /** Minutes until then, from a hundredth of it. */
  readonly rampMinutes: number;
  readonly minutes: number;
  /** From a request to the end of its answer. */
  readonly seconds: number;
  /** The part of the busiest key. */
  readonly busiestKey: number;
}

export interface Outcome {
  /** Of all requests: answered by a provider. */
  readonly served: number;
  /** Refused by Lambda before we see them (429, or 502 behind a distribution). */
  readonly throttled: number;
  /** 503, since the limits table did not take the busiest key's admission. */
  readonly unadmitted: number;
  /** Of those served: whose record had to be tried again, and may be lost. */
  readonly unrecorded: number;
  /** In the last minute, a second. */
  readonly servedAtEnd: number;
  readonly environmentsAtEnd: number;
  /** What refused or delayed first, and after how many minutes. */
  readonly first?: { readonly what: Bound; readonly minute: number };
}

export type Bound =
  | 'Lambda: concurrency'
  | 'Lambda: scaling rate'
  | 'one key'
  | 'limits table'
  | 'records: lists'
  | 'records table';

/** Writes of one admission; an environment with one request at a time never holds a lease (bench/stores.md, "Calls of a request"). */
const ADMISSION_WRITES = 1;
/** With 64 at a time a process writes for many at once (the same table, "key cached, 64 at a time"). */
const SHARED_ADMISSION_WRITES = 0.05;
/** A record of under 1 KB stands in its table and in the index of its key (bench/stores.md, "Dollars"). */
const RECORD_WRITES = 2;
const MINUTE = 60;

/**
 * A flow of requests through published bounds, second by second: what exceeds one is refused there, and does not come to the
 * next. It knows averages alone: no bursts within a second, no retries of callers.
 */
export function simulate(
  deployment: Deployment,
  { rate, rampMinutes, minutes, seconds, busiestKey }: Traffic,
): Outcome {
  const { lambda, dynamodb } = PUBLISHED;
  const admissionWrites = deployment.requestsAtOnce > 1 ? SHARED_ADMISSION_WRITES : ADMISSION_WRITES;
  let environments = deployment.provisioned;
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
    const needed = (asked * seconds) / deployment.requestsAtOnce;
    gain = Math.min(lambda.gain, gain + lambda.gain / lambda.gainSeconds);
    const possible = Math.max(deployment.provisioned, Math.min(needed, deployment.concurrency, environments + gain));
    gain -= Math.max(0, possible - environments);
    environments = possible;
    const running = Math.min(asked, (environments * deployment.requestsAtOnce) / seconds);
    const isFull = environments >= deployment.concurrency;
    const throttled = refuse(isFull ? 'Lambda: concurrency' : 'Lambda: scaling rate', asked - running, second);

    const ofBusiest = running * busiestKey;
    const admittedOfBusiest = Math.min(ofBusiest, dynamodb.partitionWrites / admissionWrites);
    const keyRefused = refuse('one key', ofBusiest - admittedOfBusiest, second);
    const writes = (running - keyRefused) * admissionWrites;
    const tableRefused = refuse('limits table', (writes - limitsTable.take(writes, second)) / admissionWrites, second);
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

/** What an on-demand table takes: its quota at most, and at most twice what it took half an hour ago or before. */
class WarmTable {
  private readonly quota: number;
  private warm: number;
  /** The highest of each minute. */
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
