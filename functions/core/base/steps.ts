/**
 * Work that can pause. It yields where others may run; where `yield` gives true, its CPU budget is used up and it returns what it
 * has so far, without further work.
 */
export type Steps<T> = Generator<void, T, boolean>;

/** Long work runs at most about so long at a stretch: several requests that wait for each other still wait little. */
const SLICE_MS = 5;

/** A stage that cannot pause takes some milliseconds of a larger text. */
const LARGE_UNITS = 65_536;
/** A request that its key's limits refuse may use no more: enough for the findings of an ordinary one. */
const REFUSED_MS = 20;

/** How much CPU the inspection of one request, or of one answer, may use. */
export class CpuBudget {
  private readonly limitMs: number;
  private readonly refusal: AbortSignal | undefined;
  private usedMs = 0;

  /** @param refusal aborted where nobody will see the result */
  constructor(limitMs: number, refusal?: AbortSignal) {
    this.limitMs = limitMs;
    this.refusal = refusal;
  }

  use(milliseconds: number): void {
    this.usedMs += milliseconds;
  }

  get isSpent(): boolean {
    return this.usedMs >= (this.refusal?.aborted ? Math.min(REFUSED_MS, this.limitMs) : this.limitMs);
  }
}

/** Lets others go first where a text is large: before each stage of its work that cannot pause, so that no two run back to back. */
export async function giveWayFor({ text }: { readonly text: ArrayLike<unknown> }, scheduler: Scheduler): Promise<void> {
  if (text.length >= LARGE_UNITS) await scheduler.nextTurn();
}

/** Runs the steps without a pause: for short work, and where nobody else waits. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next(false);
    if (done) return value;
  }
}

/** Runs the steps in slices of a few milliseconds, and gives way between them. Without a budget they always run to their end. */
export async function runInSlices<T>(steps: Steps<T>, scheduler: Scheduler, budget?: CpuBudget): Promise<T> {
  // Reading the CPU's clock takes longer than most work: the first slice counts by the other.
  let cpuBefore: number | undefined;
  for (let since = scheduler.monotonic(); ; since = scheduler.monotonic()) {
    for (;;) {
      const { done, value } = steps.next(budget?.isSpent ?? false);
      const now = scheduler.monotonic();
      if (done || now - since >= SLICE_MS) {
        budget?.use(cpuBefore === undefined ? now - since : scheduler.cpuMs() - cpuBefore);
        if (done) return value;
        break;
      }
    }
    await scheduler.nextTurn();
    cpuBefore = scheduler.cpuMs();
  }
}

/** The process's CPU, which requests share. */
export interface Scheduler {
  /** Milliseconds of CPU that the process's main thread has used; in steps of some milliseconds on some systems. */
  cpuMs(): number;
  /** Milliseconds on a clock that never goes back, with fractions. */
  monotonic(): number;
  /** Resolves when it is the caller's turn again: input, timers and other long work go first. */
  nextTurn(): Promise<void>;
}
