import type { Limits } from './limits.ts';

/** How long a lease lasts, and settlements wait for others, for a key that few processes share. */
export const SHORTEST_PACE_MS = 250;
/** The same for a key that many processes share. */
const LONGEST_PACE_MS = 2_000;
/** Beyond the shortest pace, leases take at most this part of a full bucket of requests. */
const MOST_LEASED = 0.01;
/** A key is written about as often as this a second by all processes together; one partition of the store takes 1,000. */
const TARGET = { low: 200, high: 400 };
/** Part of the pace that requests wait for others at least, where they need more than a lease had. */
const GAP_OF_PACE = 8;
/** Between two admissions of a process; less is nothing. */
const GAP_MS = { least: 4, most: 500 };

/** How often a store was written for a key, by all processes. */
export interface KeyUse {
  readonly writesASecond: number;
  /** When that was measured; the same value means the same measurement. */
  readonly atMs: number;
}

/**
 * How often this process writes for a key: the more processes share it, the less often each of them. All see the same number of writes, and each
 * changes its pace by the same factor.
 */
export class KeyPace {
  private paceMs = SHORTEST_PACE_MS;
  private gap = 0;
  private measuredAtMs = 0;

  /** The duration of a lease and of the wait for other settlements. */
  get ms(): number {
    return this.paceMs;
  }

  /** Whether so many processes share the key that each writes less often. */
  get isShared(): boolean {
    return this.paceMs > SHORTEST_PACE_MS;
  }

  /** How long requests wait for others after an admission, where longer leases are not enough: near the limit, or for a bucket that fills fast. */
  get gapMs(): number {
    return Math.max(this.gap, this.isShared ? this.paceMs / GAP_OF_PACE : 0);
  }

  adjust(use: KeyUse | undefined, limits: Limits): void {
    if (use === undefined) {
      // No process writes often; what an unavailable store caused is over.
      this.paceMs = SHORTEST_PACE_MS;
      this.gap = 0;
      return;
    }
    if (use.atMs === this.measuredAtMs) return;
    this.measuredAtMs = use.atMs;
    const { writesASecond } = use;
    if (writesASecond > TARGET.high) this.slowDown(limits, Math.min(2, writesASecond / TARGET.high));
    else if (writesASecond < TARGET.low) this.speedUp(Math.max(0.5, writesASecond / TARGET.high));
  }

  /** Writes less often: other processes write too much, or the store does not take more. */
  slowDown({ requests }: Limits, factor = 2): void {
    const fillMs = (requests.capacity * requests.intervalMicros) / 1_000;
    const longest = Math.max(SHORTEST_PACE_MS, Math.min(LONGEST_PACE_MS, fillMs * MOST_LEASED));
    if (this.paceMs < longest) this.paceMs = Math.min(longest, this.paceMs * factor);
    else this.gap = Math.min(GAP_MS.most, Math.max(GAP_MS.least, this.gap * factor));
  }

  private speedUp(factor: number): void {
    if (this.gap > 0) this.gap = this.gap * factor < GAP_MS.least ? 0 : this.gap * factor;
    else this.paceMs = Math.max(SHORTEST_PACE_MS, this.paceMs * factor);
  }
}
