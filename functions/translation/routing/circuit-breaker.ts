import { LRUCache } from 'lru-cache';
import type { CIRCUIT_STATES } from '../../kernel/model/index.ts';
import type { Clock } from '../../kernel/tasks/index.ts';
import type { Target } from './route-model.ts';

/** Requests in a row, failed after their retries, that open a circuit. */
const FAILURES = 5;
/** How long a circuit stays open, and how long no trial follows one that was silent. */
const OPEN_MS = 15_000;
/** Half open: at most one request in ten is a trial, and at least one a second. */
const ONE_IN = 10;
const TRIAL_EVERY_MS = 1_000;
/** Clients choose names of models. The circuits that were not used for the longest time are dropped. */
const MAX_CIRCUITS = 1_000;
/** From this age on, the circuits of other processes are read again while requests arrive. */
const SHARED_MS = 5_000;

/**
 * How a request may use a target: `call` it; call it as a `trial`, which must not delay the request; use it `last`, after its fallbacks;
 * or `skip` it.
 */
export type CircuitDecision = 'call' | 'trial' | 'last' | 'skip';

/** A circuit that a process has opened. */
export interface OpenCircuit extends Target {
  /** Failed requests in a row. */
  readonly failures: number;
  /** Milliseconds since 1970. */
  readonly openUntil: number;
}

/** The open circuits of all processes. Throws StoreUnavailable. */
export interface SharedCircuits {
  list(): Promise<readonly OpenCircuit[]>;
  opened(circuit: OpenCircuit): Promise<void>;
  closed(target: Target): Promise<void>;
}

/** The circuit of a target with failures. */
export interface CircuitView extends Target {
  readonly state: (typeof CIRCUIT_STATES)[number];
  /** Failed requests in a row. */
  readonly failures: number;
  /** ISO 8601: when an open circuit becomes half open; null for others. */
  readonly openUntil: string | null;
}

/** Times are monotonic milliseconds. */
interface Circuit {
  readonly target: Target;
  failures: number;
  /** undefined while it is closed. */
  openUntil: number | undefined;
  nextTrialAt: number;
  /** Requests until the next trial, if that is sooner. */
  untilTrial: number;
  /** Another process has opened it. */
  readonly isLearned: boolean;
}

/**
 * Tracks failures of targets in this process, so that requests do not wait for a model that is down. One circuit for each provider and
 * model: closed until five requests in a row have failed, then open for 15 s, then half open. While it is half open, some requests try the
 * target; the others use their fallbacks, or the target if they have none. The first response closes it, a failure opens it again.
 *
 * Processes share their open circuits: one that hears of an open circuit does not call that target either, unless it got a response of it in
 * the last 15 s: then the other process may be at fault, not the target.
 */
export class CircuitBreaker {
  private readonly clock: Clock;
  private readonly circuits = new LRUCache<string, Circuit>({ max: MAX_CIRCUITS });
  private shared: SharedCircuits | undefined;
  private readAt = Number.NEGATIVE_INFINITY;
  /** When each target last responded, while circuits are shared. */
  private readonly responses = new LRUCache<string, number>({ max: MAX_CIRCUITS });

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** From now on, open circuits are those of all processes. Without the store, each process has only its own. */
  share(shared: SharedCircuits): void {
    this.shared = shared;
  }

  /** Reads the circuits of other processes, if that was some time ago. Nothing waits for it. */
  prepare(): void {
    const now = this.clock.monotonic();
    if (this.shared === undefined || now - this.readAt < SHARED_MS) return;
    this.readAt = now;
    this.shared
      .list()
      .then((open) => this.learn(open))
      .catch(() => {});
  }

  /** Decides for one request. After a call, `succeeded` or `failed` reports what it says about the target, if it says anything. */
  decide(target: Target): CircuitDecision {
    const circuit = this.circuits.get(nameOf(target));
    if (circuit?.openUntil === undefined) return 'call';
    const now = this.clock.monotonic();
    if (now < circuit.openUntil) return 'skip';
    if (now < circuit.nextTrialAt && circuit.untilTrial > 0) {
      circuit.untilTrial -= 1;
      return 'last';
    }
    circuit.nextTrialAt = now + TRIAL_EVERY_MS;
    circuit.untilTrial = ONE_IN - 1;
    return 'trial';
  }

  succeeded(target: Target): void {
    const name = nameOf(target);
    const wasOpen = this.circuits.peek(name)?.openUntil !== undefined;
    this.circuits.delete(name);
    if (this.shared === undefined) return;
    this.responses.set(name, this.clock.monotonic());
    if (wasOpen) this.shared.closed(target).catch(() => {});
  }

  /** @param startedAt when the call began: an older call than the outage or the trials says nothing new */
  failed(target: Target, startedAt: number): void {
    const name = nameOf(target);
    const circuit = this.circuits.get(name) ?? newCircuit(target);
    if (circuit.openUntil !== undefined && startedAt < circuit.openUntil) return;
    circuit.failures += 1;
    this.circuits.set(name, circuit);
    if (circuit.failures < FAILURES) return;
    circuit.openUntil = circuit.nextTrialAt = this.clock.monotonic() + OPEN_MS;
    const { target: at, failures } = circuit;
    this.shared?.opened({ ...at, failures, openUntil: this.clock.now() + OPEN_MS }).catch(() => {});
  }

  /** A trial was too slow for its request. Others may be more patient, so the circuit stays half open, without trials for a while. */
  silent(target: Target): void {
    const circuit = this.circuits.get(nameOf(target));
    if (circuit === undefined) return;
    circuit.nextTrialAt = this.clock.monotonic() + OPEN_MS;
    circuit.untilTrial = Number.POSITIVE_INFINITY;
  }

  private learn(open: readonly OpenCircuit[]): void {
    const [now, monotonic] = [this.clock.now(), this.clock.monotonic()];
    const names = new Set(open.map(nameOf));
    for (const [name, circuit] of this.circuits.entries()) {
      if (circuit.isLearned && circuit.openUntil !== undefined && !names.has(name))
        circuit.openUntil = Math.min(circuit.openUntil, monotonic);
    }
    for (const { provider, model, failures, openUntil } of open) {
      const name = nameOf({ provider, model });
      const leftMs = Math.min(openUntil - now, OPEN_MS);
      const respondedAt = this.responses.peek(name) ?? Number.NEGATIVE_INFINITY;
      const isOwn = this.circuits.peek(name)?.isLearned === false;
      if (leftMs <= 0 || monotonic - respondedAt < OPEN_MS || isOwn) continue;
      const until = monotonic + leftMs;
      const times = { openUntil: until, nextTrialAt: until, untilTrial: 0 };
      this.circuits.set(name, {
        target: { provider, model },
        failures: Math.max(failures, FAILURES),
        ...times,
        isLearned: true,
      });
    }
  }

  /** The targets that failed since their last success, the latest first. */
  list(): CircuitView[] {
    const [now, monotonic] = [this.clock.now(), this.clock.monotonic()];
    return [...this.circuits.values()].map(({ target, failures, openUntil }) => {
      const leftMs = openUntil === undefined ? 0 : openUntil - monotonic;
      const state = openUntil === undefined ? 'closed' : leftMs > 0 ? 'open' : 'half_open';
      return { ...target, state, failures, openUntil: leftMs > 0 ? new Date(now + leftMs).toISOString() : null };
    });
  }
}

function newCircuit({ provider, model }: Target): Circuit {
  const times = { openUntil: undefined, nextTrialAt: 0, untilTrial: 0 };
  return { target: { provider, model }, failures: 0, ...times, isLearned: false };
}

function nameOf({ provider, model }: Target): string {
  return `${provider}/${model}`;
}
