import type { Clock } from '../ports/clock.ts';

/** Keys that a deployment did not make itself are few: the first admin's, where it was brought along. */
const AT_ONCE = 200;
const PER_SECOND = 20;

/** How often this process may look for secrets that anybody could have invented. */
export class LookUpBudget {
  private readonly clock: Clock;
  private left = AT_ONCE;
  private countedAt: number;

  constructor(clock: Clock) {
    this.clock = clock;
    this.countedAt = clock.monotonic();
  }

  /** Takes one look-up; false where none is left. */
  take(): boolean {
    const now = this.clock.monotonic();
    this.left = Math.min(AT_ONCE, this.left + ((now - this.countedAt) * PER_SECOND) / 1000);
    this.countedAt = now;
    if (this.left < 1) return false;
    this.left -= 1;
    return true;
  }
}
