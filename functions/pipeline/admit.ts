import { limitExceeded, limitsOf, type Need, type Verdict } from '../control/limits/index.ts';
import { StoreUnavailable } from '../kernel/errors/index.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import { type RequestContext, refOf } from './request-context.ts';
import type { Outcome } from './request-outcome.ts';

type AdmissionDeps = Pick<PipelineDeps, 'limiter' | 'alarm' | 'backgroundTasks'>;

/** Admits one request within its key's limits and settles the reservation once, for any outcome. */
export class Admission {
  private readonly context: RequestContext;
  private readonly progress: Pick<Outcome, 'times' | 'note'>;
  private readonly deps: AdmissionDeps;
  private decided: Verdict | undefined;
  private used: Need | undefined;
  private isSettled = false;

  constructor(context: RequestContext, progress: Pick<Outcome, 'times' | 'note'>, deps: AdmissionDeps) {
    this.context = context;
    this.progress = progress;
    this.deps = deps;
  }

  /** Undefined until the limits respond, and for a request that is admitted without them. */
  get verdict(): Verdict | undefined {
    return this.decided;
  }

  /**
   * Admits the request while `work` runs: `work` begins once the write to the limits table was sent, or the verdict is known without one.
   * The result of `work` only counts if the request is admitted; a refusal aborts its signal and rejects `admitted`.
   * @throws GatewayError `rate_limit_exceeded` or `insufficient_quota`
   */
  async during<T>(need: Need, work: (refusal: AbortSignal, admitted: Promise<void>) => T | Promise<T>): Promise<T> {
    const { times } = this.progress;
    const startedAt = times.now;
    const { promise: sent, resolve: onSent } = Promise.withResolvers<void>();
    const admitted = this.admit(need, onSent);
    const refusal = new AbortController();
    // A refusal is thrown when it is awaited.
    void admitted.catch((error) => refusal.abort(error)).then(onSent);
    await sent;
    times.spent('admit', startedAt);
    const result = await work(refusal.signal, admitted);
    const waitingSince = times.now;
    await admitted;
    times.spent('admit', waitingSince);
    return result;
  }

  /** Replaces the reservation by the actual usage, as a background task. A pending admission is settled when it completes. */
  settle(used: Need): void {
    this.used = used;
    const { decided } = this;
    if (!decided?.admitted || decided.reservation === undefined || this.isSettled) return;
    this.isSettled = true;
    this.deps.backgroundTasks.add(decided.reservation.settle(used));
  }

  private async admit(need: Need, onSent: () => void): Promise<void> {
    const verdict = await this.askLimiter(need, onSent);
    this.decided = verdict;
    if (verdict?.admitted === false) throw limitExceeded(this.context.key, verdict);
    // The request may have failed in the meantime.
    if (this.used !== undefined) this.settle(this.used);
  }

  /** undefined if the store is unavailable and the key fails open. */
  private async askLimiter(need: Need, onSent: () => void): Promise<Verdict | undefined> {
    const { key, sharedLimits } = this.context;
    try {
      return await this.deps.limiter.admit(key.id, limitsOf(key), need, sharedLimits, onSent);
    } catch (error) {
      if (key.onStoreFailure !== 'open' || !(error instanceof StoreUnavailable)) throw error;
      this.progress.note(`admitted without limits: ${error.message}`);
      this.deps.alarm.admittedWithoutLimits(refOf(this.context), key.id, error.message);
      return undefined;
    }
  }
}
