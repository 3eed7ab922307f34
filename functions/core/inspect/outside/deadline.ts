import type { OutsideJudgement } from './outside-detector.ts';

/** Ends what takes longer than it may, or whose caller has left. */
export class Deadline {
  private readonly abort = new AbortController();
  private readonly timer: ReturnType<typeof setTimeout>;
  private readonly over: Promise<OutsideJudgement>;
  private readonly outer: AbortSignal;
  private readonly stop = () => this.abort.abort();

  constructor(milliseconds: number, outer: AbortSignal) {
    this.outer = outer;
    this.timer = setTimeout(this.stop, milliseconds);
    this.over = new Promise((resolve) => {
      this.signal.addEventListener('abort', () => resolve({ failure: 'timeout' }), { once: true });
    });
    if (outer.aborted) this.stop();
    else outer.addEventListener('abort', this.stop, { once: true });
  }

  /** Aborted once the time is over. */
  get signal(): AbortSignal {
    return this.abort.signal;
  }

  /** The judgement, or `timeout` once the time is over; `failed` where it rejects. */
  bound(judgement: Promise<OutsideJudgement>): Promise<OutsideJudgement> {
    return Promise.race([judgement.catch(() => ({ failure: 'failed' }) as const), this.over]);
  }

  /** Lets go of timer and caller; to be called when everything bounded is there. */
  end(): void {
    clearTimeout(this.timer);
    this.outer.removeEventListener('abort', this.stop);
  }
}
