import type { Clock } from '../base/clock.ts';

/** So many requests in a row that failed for good open it. */
const FAILURES = 5;
/** How long nobody is sent there; then one request tries. */
const OPEN_MS = 15_000;

interface State {
  failures: number;
  /** Monotonic milliseconds; undefined while it is closed. */
  openUntil: number | undefined;
  /** A request is trying whether it has recovered. */
  probing: boolean;
}

/**
 * Which providers this process has seen fail, so that requests need not wait for what is down. One circuit a provider: closed
 * until five requests in a row have failed for good, then open for 15 s, then half-open: one request tries, and closes it or opens it again.
 */
export class CircuitBreaker {
  private readonly clock: Clock;
  private readonly states = new Map<string, State>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Whether a call may be made; where it may, `succeeded`, `failed` or `released` must be told how it went. */
  admits(provider: string): boolean {
    const state = this.states.get(provider);
    if (state?.openUntil === undefined) return true;
    if (state.probing || this.clock.monotonic() < state.openUntil) return false;
    state.probing = true;
    return true;
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

  /** The call says nothing of the provider: it was refused for what it asked, or the caller left. */
  released(provider: string): void {
    const state = this.states.get(provider);
    if (state !== undefined) state.probing = false;
  }
}
