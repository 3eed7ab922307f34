import type { Clock } from '../base/clock.ts';

/** Requests in a row, failed after their retries, that open a circuit. */
const FAILURES = 5;
/** How long a circuit stays open; then one request tries. */
const OPEN_MS = 15_000;

export type CircuitState = 'closed' | 'open' | 'half_open';

interface State {
  failures: number;
  /** Monotonic milliseconds; undefined while it is closed. */
  openUntil: number | undefined;
  /** A request is testing whether the provider has recovered. */
  probing: boolean;
}

/**
 * Tracks provider failures in this process, so that requests do not wait for a provider that is down. One circuit per provider: closed
 * until five requests in a row have failed, then open for 15 s, then half-open: one request closes or reopens it.
 */
export class CircuitBreaker {
  private readonly clock: Clock;
  private readonly states = new Map<string, State>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Whether a call may be made; if so, `succeeded`, `failed` or `released` must be called after it. */
  admits(provider: string): boolean {
    const state = this.states.get(provider);
    if (state?.openUntil === undefined) return true;
    if (state.probing || this.clock.monotonic() < state.openUntil) return false;
    state.probing = true;
    return true;
  }

  /** The state of a provider's circuit, without admitting a call. */
  stateOf(provider: string): CircuitState {
    const openUntil = this.states.get(provider)?.openUntil;
    if (openUntil === undefined) return 'closed';
    return this.clock.monotonic() < openUntil ? 'open' : 'half_open';
  }

  succeeded(provider: string): void {
    this.states.delete(provider);
  }

  failed(provider: string): void {
    const state = this.states.get(provider) ?? { failures: 0, openUntil: undefined, probing: false };
    state.failures += 1;
    state.probing = false;
    if (state.failures >= FAILURES) state.openUntil = this.clock.monotonic() + OPEN_MS;
    this.states.set(provider, state);
  }

  /** The call is no evidence about the provider: the request was invalid, or the caller left. */
  released(provider: string): void {
    const state = this.states.get(provider);
    if (state !== undefined) state.probing = false;
  }
}
