import { StoreUnavailable } from '../base/errors.ts';
import { limitExceeded } from '../limits/limit-headers.ts';
import type { Reservation, Used, Verdict } from '../limits/limiter.ts';
import { limitsOf, type Need } from '../limits/limits.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import { type RequestContext, refOf } from './request-context.ts';

type AdmissionDeps = Pick<PipelineDeps, 'limiter' | 'alarm' | 'backgroundTasks'>;

/** Admits one request within its key's limits and settles the reservation once, for any outcome. */
export class Admission {
  private readonly context: RequestContext;
  private readonly deps: AdmissionDeps;
  private reservation: Reservation | undefined;
  private used: Used | undefined;

  constructor(context: RequestContext, deps: AdmissionDeps) {
    this.context = context;
    this.deps = deps;
  }

  /**
   * Admits the request while `work` runs: the write to the limits table is sent first, then `work` runs, then the result of the write is
   * awaited. The result of `work` only counts if the request is admitted; a refusal aborts its signal and rejects `admitted`.
   * @throws GatewayError `rate_limit_exceeded` or `insufficient_quota`
   */
  async during<T>(need: Need, work: (refusal: AbortSignal, admitted: Promise<void>) => T | Promise<T>): Promise<T> {
    const { times } = this.context.record;
    const startedAt = times.now;
    const admitted = this.admit(need);
    const refusal = new AbortController();
    // A refusal is thrown when it is awaited.
    admitted.catch((error) => refusal.abort(error));
    // By the next turn of the event loop the write was sent.
    await new Promise(setImmediate);
    times.spent('admit', startedAt);
    const result = await work(refusal.signal, admitted);
    const waitingSince = times.now;
    await admitted;
    times.spent('admit', waitingSince);
    return result;
  }

  /** Replaces the reservation by the actual usage, as a background task. Call it once; a pending admission is settled when it completes. */
  settle(used: Used): void {
    this.used = used;
    const { reservation } = this;
    this.reservation = undefined;
    if (reservation !== undefined) this.deps.backgroundTasks.add(reservation.settle(used));
  }

  private async admit(need: Need): Promise<void> {
    const { key, record } = this.context;
    const verdict = await this.askLimiter(need);
    if (verdict === undefined) return;
    if (!verdict.admitted) {
      record.refusedBy(verdict.refusal);
      throw limitExceeded(key, verdict);
    }
    this.reservation = verdict.reservation;
    record.admitted(verdict.states);
    // The request may have failed in the meantime.
    if (this.used !== undefined) this.settle(this.used);
  }

  /** undefined if the store is unavailable and the key fails open. */
  private async askLimiter(need: Need): Promise<Verdict | undefined> {
    const { key, record, tagLimits } = this.context;
    try {
      return await this.deps.limiter.admit(key.id, limitsOf(key), need, tagLimits);
    } catch (error) {
      if (key.onStoreFailure !== 'open' || !(error instanceof StoreUnavailable)) throw error;
      record.note(`admitted without limits: ${error.message}`);
      this.deps.alarm.admittedWithoutLimits(refOf(this.context), key.id, error.message);
      return undefined;
    }
  }
}
