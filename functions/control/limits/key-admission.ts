import type { Clock } from '../../kernel/tasks/index.ts';
import { KeyLease } from './key-lease.ts';
import { KeyPace } from './key-pace.ts';
import { KeySettlements, type OnUnsettled } from './key-settlements.ts';
import { picosOf, refusalOf } from './ledger.ts';
import { limitStates } from './limit-headers.ts';
import { type LimitStore, reservedFor, type Settlement, settlementOf, type TakeResult } from './limit-store.ts';
import type { Used, Verdict } from './limiter.ts';
import { type Limits, type Need, reservesWhileRunning } from './limits.ts';

interface Waiting {
  readonly limits: Limits;
  readonly need: Need;
  readonly resolve: (verdict: Verdict) => void;
  readonly reject: (error: unknown) => void;
  readonly onSent: (() => void) | undefined;
  /** Whether it has already waited for settlements of this process. */
  waited: boolean;
}

/** The admissions of one key in this process: the queue for its next write, its lease and its settlements. */
export class KeyAdmission {
  private readonly keyId: string;
  private readonly store: LimitStore;
  private readonly clock: Clock;
  private readonly pace = new KeyPace();
  private readonly lease: KeyLease;
  private readonly settlements: KeySettlements;
  private readonly queue: Waiting[] = [];
  private isServing = false;
  /** Requests with a reservation. */
  private running = 0;
  /** Settlements that wait for others, where requests are frequent. */
  private delayed: Promise<void> | undefined;

  constructor(keyId: string, store: LimitStore, clock: Clock, onUnsettled: OnUnsettled) {
    this.keyId = keyId;
    this.store = store;
    this.clock = clock;
    this.settlements = new KeySettlements(keyId, store, onUnsettled);
    this.lease = new KeyLease(clock, this.pace, () => {
      this.endLease();
      void this.settleTogether();
    });
  }

  /** Whether it can be dropped without losing anything. */
  get isIdle(): boolean {
    return !this.isServing && this.running === 0 && !this.settlements.isPending;
  }

  get hasLeased(): boolean {
    return this.lease.left > 0;
  }

  admit(limits: Limits, need: Need, onSent?: () => void): Promise<Verdict> {
    this.lease.arrive();
    const verdict = this.fromLease(limits, need);
    if (verdict !== undefined) return Promise.resolve(verdict);
    return new Promise((resolve, reject) => {
      this.queue.push({ limits, need, resolve, reject, onSent, waited: false });
      if (this.isServing) onSent?.();
      else void this.serve();
    });
  }

  private fromLease(limits: Limits, need: Need): Verdict | undefined {
    const lease = this.lease.use(limits, need);
    return lease && this.verdictOf(limits, lease.unit, lease.taken, [], lease.left, this.clock.now());
  }

  private async serve(): Promise<void> {
    this.isServing = true;
    while (this.queue.length > 0) {
      await this.admitGroup(nextGroup(this.queue));
      this.serveFromLease();
      // A function that serves one request at a time has nothing to gather.
      const others = this.queue.length > 0 || this.running > 1;
      if (others && this.pace.gapMs > 0) await this.gap();
    }
    this.isServing = false;
  }

  /** Waits for other requests of a key that many processes share. */
  private gap(): Promise<void> {
    return new Promise((resolve) => {
      setTimeout(resolve, this.pace.gapMs);
    });
  }

  /** Admits requests that arrived while a lease was being taken. */
  private serveFromLease(): void {
    for (;;) {
      const [first] = this.queue;
      const verdict = first && this.fromLease(first.limits, first.need);
      if (first === undefined || verdict === undefined) return;
      this.queue.shift();
      first.resolve(verdict);
    }
  }

  private async admitGroup(group: readonly Waiting[]): Promise<void> {
    const { limits } = group[0] as Waiting;
    try {
      const needs = group.map(({ need }) => need);
      const lease = this.lease.requestFor(needs, limits, this.running === 0);
      const onSent = () => {
        for (const waiting of group) waiting.onSent?.();
      };
      const ask = lease === undefined ? { needs } : { needs, lease };
      const taken = await this.store.take(this.keyId, limits, ask, onSent);
      this.pace.adjust(this.store.useOf(this.keyId), limits);
      this.lease.keepPace();
      const granted = needs.slice(0, taken.granted);
      if (lease !== undefined && taken.leased > 0) {
        this.endLease();
        this.lease.begin(limits, taken, lease);
      }
      for (const [at, need] of granted.entries())
        group[at]?.resolve(this.verdictOf(limits, need, taken, granted.slice(at + 1), taken.leased));
      if (taken.granted < group.length) await this.refuse(group.slice(taken.granted), taken);
    } catch (error) {
      this.pace.slowDown(limits);
      for (const { reject } of group) reject(error);
    }
  }

  /** Refuses requests that do not fit, after waiting once for what this process is about to release. */
  private async refuse(rest: readonly Waiting[], { ledger, nowMs }: TakeResult): Promise<void> {
    const again: Waiting[] = [];
    for (const waiting of rest) {
      const { limits, need, resolve } = waiting;
      const refusal = refusalOf(ledger, limits, need, nowMs);
      const mayStillGo = refusal !== undefined && refusal.limit !== 'requests' && !waiting.waited && this.willRelease;
      if (refusal === undefined || mayStillGo) again.push(waiting);
      else resolve({ admitted: false, states: limitStates(limits, ledger, nowMs, false), refusal });
      waiting.waited ||= mayStillGo;
    }
    if (again.some(({ waited }) => waited)) {
      this.endLease();
      await this.settlements.write();
    }
    this.queue.unshift(...again);
  }

  /** Whether this process has something to release that a request could wait for. */
  private get willRelease(): boolean {
    return this.settlements.isPending || this.lease.left > 0;
  }

  /** `later` and `leased`: admitted requests that the ledger counts already. */
  private verdictOf(
    limits: Limits,
    need: Need,
    taken: TakeResult,
    later: readonly Need[],
    leased: number,
    admittedAtMs = taken.nowMs,
  ): Verdict {
    const { ledger, nowMs } = taken;
    const unit = this.lease.unitOf(taken) ?? need;
    const unused = {
      requests: later.length + leased,
      tokenPicos: later.reduce((sum, other) => sum + picosOf(other, limits), picosOf(unit, limits) * BigInt(leased)),
    };
    const states = limitStates(limits, ledger, nowMs, true, unused);
    if (!reservesWhileRunning(limits)) return { admitted: true, states, reservation: undefined };
    this.running += 1;
    const held = reservedFor(need, 1, limits, nowMs);
    const settle = (used: Used) => {
      this.running -= 1;
      return this.settle(settlementOf(held, taken, used, limits, admittedAtMs));
    };
    return { admitted: true, states, reservation: { settle } };
  }

  private settle(settlement: Settlement): Promise<void> {
    this.settlements.add(settlement);
    return this.settleTogether();
  }

  /** With those that follow soon, where requests are frequent. */
  private settleTogether(): Promise<void> {
    const others = this.running > 0 || this.lease.left > 0;
    return this.lease.isFrequent && others ? this.settleSoon() : this.settleAll();
  }

  private settleSoon(): Promise<void> {
    this.delayed ??= new Promise<void>((resolve) => {
      setTimeout(() => {
        this.delayed = undefined;
        resolve(this.settleAll());
      }, this.pace.ms);
    });
    return this.delayed;
  }

  /** Also releases an unused lease: a function without running requests may be frozen. */
  private settleAll(): Promise<void> {
    if (this.running === 0) this.endLease();
    return this.settlements.write();
  }

  private endLease(): void {
    const unused = this.lease.end();
    if (unused !== undefined) this.settlements.add(unused);
  }
}

/** The requests at the head of the queue that have the same limits; a key that just changed has two sets. */
function nextGroup(queue: Waiting[]): Waiting[] {
  const limits = queue[0]?.limits;
  const other = queue.findIndex((request) => request.limits !== limits);
  return queue.splice(0, other < 0 ? queue.length : other);
}
