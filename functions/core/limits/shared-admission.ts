import type { Clock } from '../base/clock.ts';
import { picosOf, refusalOf, withoutHeld } from './ledger.ts';
import { limitStates } from './limit-headers.ts';
import { addSettlement, heldFor, type LimitStore, type Settlement, settlementOf, type Taken } from './limit-store.ts';
import type { KeyLimiter, LimitStates, Used, Verdict } from './limiter.ts';
import { type Ask, holdsWhileRunning, type Limits, type Need, NO_NEED, windowEndMs, windowOf } from './limits.ts';

/** How long a function may use a lease. */
const LEASE_MS = 250;
/**
 * A function that saw this many requests of a key within LEASE_MS, and still sees them, leases more for the next
 * LEASE_MS.
 */
const LEASE_FROM = 8;
/** A lease lasts at most this fraction of the time in which an empty bucket fills, so that its end wastes little. */
const LEASE_SHARE = 16;
/** The share of the expected requests that is leased; unused ones are lost. */
const LEASE_OF_EXPECTED = 0.75;
const MIN_LEASE_MS = 10;
const MAX_KEYS = 10_000;

interface Waiting {
  readonly limits: Limits;
  readonly need: Need;
  readonly resolve: (verdict: Verdict) => void;
  readonly reject: (error: unknown) => void;
  readonly onSent: (() => void) | undefined;
  /** Whether it has already waited for settlements of this process. */
  waited: boolean;
}

/** Capacity that is taken but not yet used: `left` units, each for one request of at most `unit`. */
interface Lease {
  readonly limits: Limits;
  readonly unit: Need;
  readonly taken: Taken;
  readonly untilMs: number;
  left: number;
}

/** The admissions of one key in this process. */
class KeyState {
  readonly keyId: string;
  readonly arrivals = new Arrivals(LEASE_MS);
  readonly waiting: Waiting[] = [];
  serving = false;
  /** Requests with a reservation. */
  running = 0;
  lease: Lease | undefined;
  owed: Settlement | undefined;
  settling: Promise<void> | undefined;
  /** Settlements that wait for others, where requests are frequent. */
  delayed: Promise<void> | undefined;

  constructor(keyId: string) {
    this.keyId = keyId;
  }

  get idle(): boolean {
    return !this.serving && this.running === 0 && this.owed === undefined && this.settling === undefined;
  }
}

export interface SharedAdmissionOptions {
  /** Called where a settlement could not be written; its reservation expires. */
  readonly onUnsettled: (keyId: string, error: unknown) => void;
}

/**
 * Makes one write at a time for a key: requests that arrive meanwhile share the next write, and so do settlements.
 * Where a process sees many requests of a key, a write also takes a lease for later ones, which need no write.
 * Everything is taken before it is used, so the limits hold exactly, even if the process dies. Unused reservations are
 * released when the lease or the last running request ends.
 */
export class SharedAdmission implements KeyLimiter {
  private readonly store: LimitStore;
  private readonly clock: Clock;
  private readonly onUnsettled: SharedAdmissionOptions['onUnsettled'];
  private readonly byKey = new Map<string, KeyState>();

  constructor(store: LimitStore, clock: Clock, { onUnsettled }: SharedAdmissionOptions) {
    this.store = store;
    this.clock = clock;
    this.onUnsettled = onUnsettled;
  }

  admit(keyId: string, limits: Limits, need: Need, onSent?: () => void): Promise<Verdict> {
    const state = this.stateOf(keyId);
    const now = this.clock.now();
    state.arrivals.add(now);
    const verdict = this.fromLease(state, limits, need, now);
    if (verdict !== undefined) return Promise.resolve(verdict);
    return new Promise((resolve, reject) => {
      state.waiting.push({ limits, need, resolve, reject, onSent, waited: false });
      if (state.serving) onSent?.();
      else void this.serve(state);
    });
  }

  knownRefusal(keyId: string, limits: Limits, need: Need): Verdict | undefined {
    const seen = this.store.lastSeen(keyId);
    // A lease is already taken and may still be used.
    if (seen === undefined || (this.byKey.get(keyId)?.lease?.left ?? 0) > 0) return undefined;
    const atBest = withoutHeld(seen.ledger);
    const refusal = refusalOf(atBest, limits, need, seen.nowMs);
    return refusal && { admitted: false, states: limitStates(limits, atBest, seen.nowMs, false), refusal };
  }

  async peek(keyId: string, limits: Limits): Promise<LimitStates> {
    const { ledger, nowMs } = await this.store.peek(keyId);
    return limitStates(limits, ledger, nowMs, true);
  }

  private stateOf(keyId: string): KeyState {
    let state = this.byKey.get(keyId);
    if (state !== undefined) return state;
    if (this.byKey.size >= MAX_KEYS) this.forgetOne();
    state = new KeyState(keyId);
    this.byKey.set(keyId, state);
    return state;
  }

  private forgetOne(): void {
    for (const [keyId, state] of this.byKey) {
      if (state.idle) {
        this.byKey.delete(keyId);
        return;
      }
    }
  }

  private fromLease(state: KeyState, limits: Limits, need: Need, now: number): Verdict | undefined {
    const { lease } = state;
    if (lease === undefined || lease.left === 0 || lease.limits !== limits || now >= lease.untilMs) return undefined;
    if (need.tokens > lease.unit.tokens || need.nanoUsd > lease.unit.nanoUsd) return undefined;
    lease.left -= 1;
    return this.verdictOf(state, limits, lease.unit, lease.taken, [], lease.left);
  }

  private async serve(state: KeyState): Promise<void> {
    state.serving = true;
    while (state.waiting.length > 0) {
      await this.admitGroup(state, nextGroup(state.waiting));
      this.serveFromLease(state);
    }
    state.serving = false;
  }

  /** Admits requests that arrived while a lease was being taken. */
  private serveFromLease(state: KeyState): void {
    for (;;) {
      const [first] = state.waiting;
      const verdict = first && this.fromLease(state, first.limits, first.need, this.clock.now());
      if (first === undefined || verdict === undefined) return;
      state.waiting.shift();
      first.resolve(verdict);
    }
  }

  private async admitGroup(state: KeyState, group: readonly Waiting[]): Promise<void> {
    const { limits } = group[0] as Waiting;
    try {
      const ask = this.askFor(state, group);
      const onSent = () => {
        for (const waiting of group) waiting.onSent?.();
      };
      const taken = await this.store.take(state.keyId, limits, ask, onSent);
      const granted = group.slice(0, taken.granted);
      if (ask.spare !== undefined && taken.spare > 0) this.beginLease(state, limits, taken, ask.spare);
      for (const [at, { need, resolve }] of granted.entries()) {
        const later = granted.slice(at + 1).map((other) => other.need);
        resolve(this.verdictOf(state, limits, need, taken, later, taken.spare));
      }
      if (taken.granted < group.length) await this.refuse(state, group.slice(taken.granted), taken);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  /** Refuses requests that do not fit, after waiting once for what this process is about to release. */
  private async refuse(state: KeyState, rest: readonly Waiting[], { ledger, nowMs }: Taken): Promise<void> {
    const again: Waiting[] = [];
    for (const waiting of rest) {
      const { limits, need, resolve } = waiting;
      const refusal = refusalOf(ledger, limits, need, nowMs);
      const mayStillGo = refusal !== undefined && refusal.limit !== 'requests' && !waiting.waited && givesBack(state);
      if (refusal === undefined || mayStillGo) again.push(waiting);
      else resolve({ admitted: false, states: limitStates(limits, ledger, nowMs, false), refusal });
      waiting.waited ||= mayStillGo;
    }
    if (again.some(({ waited }) => waited)) {
      this.endLease(state);
      await this.settleNow(state);
    }
    state.waiting.unshift(...again);
  }

  private verdictOf(
    state: KeyState,
    limits: Limits,
    need: Need,
    taken: Taken,
    later: readonly Need[],
    spare: number,
  ): Verdict {
    const { ledger, nowMs, slot } = taken;
    const unit = state.lease?.taken === taken ? state.lease.unit : need;
    const unused = {
      requests: later.length + spare,
      tokenPicos: later.reduce((sum, other) => sum + picosOf(other, limits), picosOf(unit, limits) * BigInt(spare)),
    };
    const states = limitStates(limits, ledger, nowMs, true, unused);
    if (!holdsWhileRunning(limits)) return { admitted: true, states, reservation: undefined };
    state.running += 1;
    const held = heldFor(need, 1, limits, nowMs);
    const settle = (used: Used) => {
      state.running -= 1;
      return this.settle(state, settlementOf(held, slot, used, limits, nowMs));
    };
    return { admitted: true, states, reservation: { settle } };
  }

  private askFor(state: KeyState, group: readonly Waiting[]): Ask {
    const { limits } = group[0] as Waiting;
    const needs = group.map(({ need }) => need);
    const coming = state.arrivals.expected(this.clock.now());
    const leaseMs = leaseMsOf(limits);
    // A lease has reservations too; with one request at a time it would be released after each.
    const alone = state.running === 0 && holdsWhileRunning(limits);
    if (coming < LEASE_FROM || leaseMs < MIN_LEASE_MS || alone) return { needs };
    const need = {
      tokens: Math.max(...needs.map(({ tokens }) => tokens)),
      nanoUsd: Math.max(...needs.map(({ nanoUsd }) => nanoUsd)),
    };
    const expected = (coming * leaseMs) / LEASE_MS;
    return { needs, spare: { count: Math.floor(expected * LEASE_OF_EXPECTED), need, leaseMs } };
  }

  private beginLease(
    state: KeyState,
    limits: Limits,
    taken: Taken,
    { need, leaseMs }: NonNullable<Ask['spare']>,
  ): void {
    this.endLease(state);
    const { budget } = limits;
    // A lease is for one budget period.
    const windowMs = budget === undefined ? Infinity : windowEndMs(windowOf(budget.period, taken.nowMs));
    const untilMs = Math.min(taken.nowMs + leaseMs, windowMs);
    const lease = { limits, unit: need, taken, untilMs, left: taken.spare };
    state.lease = lease;
    if (holdsWhileRunning(limits)) this.watchLease(state, lease, leaseMs);
  }

  private watchLease(state: KeyState, lease: Lease, delayMs: number): void {
    setTimeout(() => {
      if (state.lease !== lease) return;
      if (this.clock.now() < lease.untilMs) return this.watchLease(state, lease, delayMs);
      this.endLease(state);
      void this.settleNow(state);
    }, delayMs).unref();
  }

  /**
   * Releases the reservations of unused leased requests. The requests themselves are lost, because no other request may
   * count on them.
   */
  private endLease(state: KeyState): void {
    const { lease } = state;
    state.lease = undefined;
    if (lease === undefined || lease.left === 0 || !holdsWhileRunning(lease.limits)) return;
    const { slot, nowMs } = lease.taken;
    const held = heldFor(lease.unit, lease.left, lease.limits, nowMs);
    state.owed = addSettlement(state.owed, settlementOf(held, slot, NO_NEED, lease.limits, nowMs));
  }

  private settle(state: KeyState, settlement: Settlement): Promise<void> {
    state.owed = addSettlement(state.owed, settlement);
    const many = state.arrivals.recent(this.clock.now()) >= LEASE_FROM;
    const others = state.running > 0 || (state.lease?.left ?? 0) > 0;
    return many && others ? this.settleSoon(state) : this.settleAll(state);
  }

  private settleSoon(state: KeyState): Promise<void> {
    state.delayed ??= new Promise<void>((resolve) => {
      setTimeout(() => {
        state.delayed = undefined;
        resolve(this.settleAll(state));
      }, LEASE_MS);
    });
    return state.delayed;
  }

  /** Also releases an unused lease: a function without running requests may be frozen. */
  private settleAll(state: KeyState): Promise<void> {
    if (state.running === 0) this.endLease(state);
    return this.settleNow(state);
  }

  private settleNow(state: KeyState): Promise<void> {
    if (state.owed !== undefined) state.settling ??= this.writeSettlements(state);
    return state.settling ?? Promise.resolve();
  }

  private async writeSettlements(state: KeyState): Promise<void> {
    for (let owed = state.owed; owed !== undefined; owed = state.owed) {
      state.owed = undefined;
      try {
        await this.store.settle(state.keyId, owed);
      } catch (error) {
        this.onUnsettled(state.keyId, error);
      }
    }
    state.settling = undefined;
  }
}

/** Whether this process has something to release that a request could wait for. */
function givesBack(state: KeyState): boolean {
  return state.owed !== undefined || state.settling !== undefined || (state.lease?.left ?? 0) > 0;
}

function leaseMsOf({ requests }: Limits): number {
  const fillMs = (requests.capacity * requests.intervalMicros) / 1000;
  return Math.min(LEASE_MS, Math.floor(fillMs / LEASE_SHARE));
}

/** The requests at the head of the queue that have the same limits; a key that just changed has two sets. */
function nextGroup(queue: Waiting[]): Waiting[] {
  const limits = queue[0]?.limits;
  const other = queue.findIndex((request) => request.limits !== limits);
  return queue.splice(0, other < 0 ? queue.length : other);
}

/** A shorter time is scaled as if it were this long. */
const SHORTEST_MS = 10;

/** Counts the requests of a key in intervals of a fixed length. */
export class Arrivals {
  private readonly lengthMs: number;
  private stretch = 0;
  private count = 0;
  private before = 0;

  constructor(lengthMs: number) {
    this.lengthMs = lengthMs;
  }

  add(nowMs: number): void {
    this.recent(nowMs);
    this.count += 1;
  }

  /**
   * The expected requests per interval, the lower of the last and the present rate: a burst that ended counts as
   * nothing.
   */
  expected(nowMs: number): number {
    const before = this.recent(nowMs);
    const sinceMs = Math.max(SHORTEST_MS, nowMs - this.stretch * this.lengthMs);
    return Math.min(before, (this.count * this.lengthMs) / sinceMs);
  }

  /** The requests in the previous interval. */
  recent(nowMs: number): number {
    const stretch = Math.floor(nowMs / this.lengthMs);
    if (stretch !== this.stretch) {
      this.before = stretch === this.stretch + 1 ? this.count : 0;
      this.count = 0;
      this.stretch = stretch;
    }
    return this.before;
  }
}
