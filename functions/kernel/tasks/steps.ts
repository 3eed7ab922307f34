/**
 * Work that can pause. It yields so that other work can run. If `yield` returns true, its CPU budget is used up, and it returns what
 * it has so far.
 */
export type Steps<T> = Generator<void, T, boolean>;

/** Long work runs for about this long at a stretch, so that concurrent requests wait little. */
const SLICE_MS = 5;

/** A stage that cannot pause takes some milliseconds for a larger text. */
export const LARGE_UNITS = 65_536;
/** The limit of a request that its key's limits reject: enough for the findings of an ordinary one. */
const REFUSED_MS = 20;

/** The CPU that inspection of one request, or of one response, may use. */
export class CpuBudget {
  private readonly limitMs: number;
  private readonly refusal: AbortSignal | undefined;
  private usedMs = 0;

  /** @param refusal aborted once the request is rejected */
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

/** Lets other work run first if a text is large; called before each stage that cannot pause. */
export async function giveWayFor({ text }: { readonly text: ArrayLike<unknown> }, scheduler: Scheduler): Promise<void> {
  if (text.length >= LARGE_UNITS) await scheduler.nextTurn();
}

/** For a process that serves nothing else. */
export function neverPausing(): Scheduler {
  return { cpuMs: () => 0, monotonic: () => 0, nextTurn: async () => {} };
}

/** Runs the steps without a pause: for short work, and if no other work waits. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next(false);
    if (done) return value;
  }
}

/** Runs the steps in slices of a few milliseconds and lets other work run between them. Without a budget they run to their end. */
export async function runInSlices<T>(steps: Steps<T>, scheduler: Scheduler, budget?: CpuBudget): Promise<T> {
  for (;;) {
    const since = scheduler.monotonic();
    const cpuBefore = budget === undefined ? 0 : scheduler.cpuMs();
    for (;;) {
      const { done, value } = steps.next(budget?.isSpent ?? false);
      if (done || scheduler.monotonic() - since >= SLICE_MS) {
        budget?.use(scheduler.cpuMs() - cpuBefore);
        if (done) return value;
        break;
      }
    }
    await scheduler.nextTurn();
  }
}

/** The CPU of the process, which requests share. */
export interface Scheduler {
  /** Milliseconds of CPU that the main thread has used; in steps of some milliseconds on some systems. */
  cpuMs(): number;
  /** Milliseconds with fractions, from a clock that never goes back. */
  monotonic(): number;
  /** Resolves at the caller's next turn, after input, timers and other long work. */
  nextTurn(): Promise<void>;
}
