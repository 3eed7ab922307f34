import { LRUCache } from 'lru-cache';
import type { CircuitState } from '../../kernel/model/index.ts';
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

/**
 * How a request may use a target: `call` it; call it as a `trial`, which must not delay the request; use it `last`, after its fallbacks;
 * or `skip` it.
 */
export type CircuitDecision = 'call' | 'trial' | 'last' | 'skip';

/** The circuit of a target with failures. */
export interface CircuitView extends Target {
  readonly state: CircuitState;
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
}

/**
 * Tracks failures of targets in this process, so that requests do not wait for a model that is down. One circuit for each provider and
 * model: closed until five requests in a row have failed, then open for 15 s, then half open. While it is half open, some requests try the
 * target; the others use their fallbacks, or the target if they have none. The first response closes it, a failure opens it again.
 */
export class CircuitBreaker {
  private readonly clock: Clock;
  private readonly circuits = new LRUCache<string, Circuit>({ max: MAX_CIRCUITS });

  constructor(clock: Clock) {
    this.clock = clock;
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
    this.circuits.delete(nameOf(target));
  }

  /** @param startedAt when the call began: an older call than the outage or the trials says nothing new */
  failed(target: Target, startedAt: number): void {
    const name = nameOf(target);
    const circuit = this.circuits.get(name) ?? newCircuit(target);
    if (circuit.openUntil !== undefined && startedAt < circuit.openUntil) return;
    circuit.failures += 1;
    if (circuit.failures >= FAILURES) circuit.openUntil = circuit.nextTrialAt = this.clock.monotonic() + OPEN_MS;
    this.circuits.set(name, circuit);
  }

  /** A trial was too slow for its request. Others may be more patient, so the circuit stays half open, without trials for a while. */
  silent(target: Target): void {
    const circuit = this.circuits.get(nameOf(target));
    if (circuit === undefined) return;
    circuit.nextTrialAt = this.clock.monotonic() + OPEN_MS;
    circuit.untilTrial = Number.POSITIVE_INFINITY;
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
  return { target: { provider, model }, failures: 0, openUntil: undefined, nextTrialAt: 0, untilTrial: 0 };
}

function nameOf({ provider, model }: Target): string {
  return `${provider}/${model}`;
}
