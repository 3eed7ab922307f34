import { LRUCache } from 'lru-cache';
import type { Clock } from '../../kernel/tasks/index.ts';

const MAX_NAMES = 10_000;

interface Left {
  readonly left: number;
  readonly at: number;
}

/** A number of uses for each name, refilled over time. Of names beyond 10,000, those that were not used for longest are full again. */
export class NamedBudget {
  private readonly known = new LRUCache<string, Left>({ maxSize: MAX_NAMES, sizeCalculation: () => 1 });
  private readonly atOnce: number;
  private readonly perSecond: number;
  private readonly clock: Clock;

  constructor(atOnce: number, perSecond: number, clock: Clock) {
    this.atOnce = atOnce;
    this.perSecond = perSecond;
    this.clock = clock;
  }

  /** Whether one is left; takes nothing. */
  has(name: string): boolean {
    return this.leftOf(name) >= 1;
  }

  take(name: string): void {
    this.known.set(name, { left: Math.max(0, this.leftOf(name) - 1), at: this.clock.monotonic() });
  }

  private leftOf(name: string): number {
    const { left, at } = this.known.get(name) ?? { left: this.atOnce, at: this.clock.monotonic() };
    return Math.min(this.atOnce, left + ((this.clock.monotonic() - at) * this.perSecond) / 1_000);
  }
}
