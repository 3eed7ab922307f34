import type { Clock, Scheduler } from '../../kernel/tasks/index.ts';

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

/**
 * Event loop rounds between two slices of long work. The loop accepts one connection per round, and reads from it in a later round.
 */
const ROUNDS = 6;

/** Reading the CPU time is a system call, which takes longer than most work of a stream's token. */
const READING_MS = 0.25;

/** Shares the event loop: other work runs after each slice of long work, and the long work that waited longest continues first. */
export class FairScheduler implements Scheduler {
  private readonly waiting: (() => void)[] = [];
  private round = 0;
  private read = { at: Number.NEGATIVE_INFINITY, cpuMs: 0 };
  /** What was returned last: it never goes back. */
  private shown = 0;

  /**
   * CPU time of the main thread only: garbage collection and compilation are not part of the request. For a moment after a reading, all
   * time that has passed counts.
   */
  cpuMs(): number {
    const now = performance.now();
    if (now - this.read.at >= READING_MS) {
      const { user, system } = process.threadCpuUsage();
      this.read = { at: now, cpuMs: (user + system) / 1000 };
    }
    this.shown = Math.max(this.shown, this.read.cpuMs + now - this.read.at);
    return this.shown;
  }

  monotonic(): number {
    return performance.now();
  }

  nextTurn(): Promise<void> {
    return new Promise((resolve) => {
      if (this.waiting.push(resolve) === 1) setImmediate(() => this.passRound());
    });
  }

  private passRound(): void {
    this.round = (this.round + 1) % ROUNDS;
    if (this.round === 0) this.waiting.shift()?.();
    if (this.waiting.length > 0) setImmediate(() => this.passRound());
  }
}
