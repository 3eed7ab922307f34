import type { Clock } from '../../core/base/clock.ts';
import type { Scheduler } from '../../core/base/steps.ts';

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

/**
 * Rounds of the event loop between two slices of long work. To answer a short request takes three: the loop accepts its connection in
 * one, reads it in the next, and accepts one connection a round.
 */
const ROUNDS = 6;

/** Shares the event loop: after each slice of long work comes what else waits, and of those that work long, the one that waited longest. */
export class FairScheduler implements Scheduler {
  private readonly waiting: (() => void)[] = [];
  private round = 0;

  /** Of the main thread alone: what is collected or compiled meanwhile is not the request's. */
  cpuMs(): number {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
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
