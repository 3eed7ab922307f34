/** The process's CPU, which requests share. */
export interface Scheduler {
  /** Milliseconds of CPU that the process's main thread has used; in steps of some milliseconds on some systems. */
  cpuMs(): number;
  /** Milliseconds on a clock that never goes back, with fractions. */
  monotonic(): number;
  /** Resolves when it is the caller's turn again: input, timers and other long work go first. */
  nextTurn(): Promise<void>;
}
