import type { Clock } from '../../kernel/tasks/index.ts';
import { type KeyPace, SHORTEST_PACE_MS } from './key-pace.ts';
import { reservedFor, type Settlement, settlementOf, type TakeResult } from './limit-store.ts';
import { boundsAt, type Limits, type Need, NO_NEED, reservesWhileRunning, type TakeRequest } from './limits.ts';

/** A process that saw this many requests of a key within its pace, and still sees them, leases more for as long. */
const LEASE_FROM = 8;
/** The same for a key that many processes share. */
const SHARED_LEASE_FROM = 2;
/** A lease lasts at most this fraction of the time in which an empty bucket fills, so that its end wastes little. */
const LEASE_SHARE = 16;
/** The share of the expected requests that is leased; unused ones are lost. */
const LEASE_OF_EXPECTED = 0.75;
const MIN_LEASE_MS = 10;

type LeaseRequest = NonNullable<TakeRequest['lease']>;

/** Capacity that is taken but not yet used: `left` units, each for one request of at most `unit`. */
interface Lease {
  readonly limits: Limits;
  readonly unit: Need;
  readonly taken: TakeResult;
  readonly untilMs: number;
  left: number;
}

/** The lease of one key in this process, and how many requests it expects. */
export class KeyLease {
  private readonly clock: Clock;
  private readonly onOver: () => void;
  private readonly pace: KeyPace;
  private readonly arrivals = new Arrivals(SHORTEST_PACE_MS);
  private lease: Lease | undefined;

  /** `onOver` is called when the time of a lease with reservations is over. */
  constructor(clock: Clock, pace: KeyPace, onOver: () => void) {
    this.clock = clock;
    this.pace = pace;
    this.onOver = onOver;
  }

  /** Counts a request. */
  arrive(): void {
    this.arrivals.add(this.clock.now());
  }

  /** Counts requests from now on in intervals of the current pace. */
  keepPace(): void {
    this.arrivals.setLength(this.pace.ms, this.clock.now());
  }

  /** Whether requests are frequent enough for a lease. */
  get isFrequent(): boolean {
    return this.arrivals.recent(this.clock.now()) >= this.leaseFrom;
  }

  private get leaseFrom(): number {
    return this.pace.isShared ? SHARED_LEASE_FROM : LEASE_FROM;
  }

  /** Leased requests that are not used. */
  get left(): number {
    return this.lease?.left ?? 0;
  }

  /** Takes one request out of the lease; undefined if it has none for this need. */
  use(limits: Limits, need: Need): Readonly<Lease> | undefined {
    const { lease } = this;
    if (lease === undefined || lease.left === 0 || lease.limits !== limits || this.clock.now() >= lease.untilMs)
      return undefined;
    if (need.tokens > lease.unit.tokens || need.nanoUsd > lease.unit.nanoUsd) return undefined;
    lease.left -= 1;
    return lease;
  }

  /** The need of each leased request, if the lease began with this write. */
  unitOf(taken: TakeResult): Need | undefined {
    return this.lease?.taken === taken ? this.lease.unit : undefined;
  }

  /** The lease to take besides these needs; undefined for none. `isAlone`: no other request of the key runs. */
  requestFor(needs: readonly Need[], limits: Limits, isAlone: boolean): LeaseRequest | undefined {
    const coming = this.arrivals.expected(this.clock.now());
    const leaseMs = leaseMsOf(limits, this.pace);
    // A lease has reservations too; with one request at a time it would be released after each.
    if (coming < this.leaseFrom || leaseMs < MIN_LEASE_MS || (isAlone && reservesWhileRunning(limits)))
      return undefined;
    const need = {
      tokens: Math.max(...needs.map(({ tokens }) => tokens)),
      nanoUsd: Math.max(...needs.map(({ nanoUsd }) => nanoUsd)),
    };
    const expected = (coming * leaseMs) / this.pace.ms;
    return { count: Math.floor(expected * LEASE_OF_EXPECTED), need, leaseMs };
  }

  /** Begins the lease that a write took. An earlier one must have ended. */
  begin(limits: Limits, taken: TakeResult, { need, leaseMs }: LeaseRequest): void {
    const { budget } = limits;
    // A lease is for one budget period.
    const windowMs = budget === undefined ? Infinity : boundsAt(budget.period, taken.nowMs).endMs;
    const untilMs = Math.min(taken.nowMs + leaseMs, windowMs);
    const lease = { limits, unit: need, taken, untilMs, left: taken.leased };
    this.lease = lease;
    if (reservesWhileRunning(limits)) this.watch(lease, leaseMs);
  }

  /**
   * Ends the lease. Returns the reservations of its unused requests, to be released. The requests themselves are lost, because no other
   * request may count on them.
   */
  end(): Settlement | undefined {
    const { lease } = this;
    this.lease = undefined;
    if (lease === undefined || lease.left === 0 || !reservesWhileRunning(lease.limits)) return undefined;
    const held = reservedFor(lease.unit, lease.left, lease.limits, lease.taken.nowMs);
    return settlementOf(held, lease.taken, NO_NEED, lease.limits);
  }

  private watch(lease: Lease, delayMs: number): void {
    setTimeout(() => {
      if (this.lease !== lease) return;
      if (this.clock.now() < lease.untilMs) this.watch(lease, delayMs);
      else this.onOver();
    }, delayMs).unref();
  }
}

function leaseMsOf({ requests }: Limits, { ms }: KeyPace): number {
  const fillMs = (requests.capacity * requests.intervalMicros) / 1000;
  return Math.floor(Math.min(ms, fillMs / LEASE_SHARE));
}

/** A shorter time is scaled as if it were this long. */
const SHORTEST_MS = 10;

/** Counts the requests of a key in intervals of a fixed length. */
export class Arrivals {
  private lengthMs: number;
  private interval = 0;
  private count = 0;
  private before = 0;

  constructor(lengthMs: number) {
    this.lengthMs = lengthMs;
  }

  add(nowMs: number): void {
    this.recent(nowMs);
    this.count += 1;
  }

  /** Continues with intervals of another length, as if requests had come at the same rate in them. */
  setLength(lengthMs: number, nowMs: number): void {
    if (lengthMs === this.lengthMs) return;
    const rate = this.recent(nowMs) / this.lengthMs;
    this.lengthMs = lengthMs;
    this.interval = Math.floor(nowMs / lengthMs);
    this.before = rate * lengthMs;
    this.count = rate * (nowMs - this.interval * lengthMs);
  }

  /** The expected requests per interval, the lower of the last and the present rate: a burst that ended counts as nothing. */
  expected(nowMs: number): number {
    const before = this.recent(nowMs);
    const sinceMs = Math.max(SHORTEST_MS, nowMs - this.interval * this.lengthMs);
    return Math.min(before, (this.count * this.lengthMs) / sinceMs);
  }

  /** The requests in the previous interval. */
  recent(nowMs: number): number {
    const interval = Math.floor(nowMs / this.lengthMs);
    if (interval !== this.interval) {
      this.before = interval === this.interval + 1 ? this.count : 0;
      this.count = 0;
      this.interval = interval;
    }
    return this.before;
  }
}
