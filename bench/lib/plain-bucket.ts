import type { Limits } from '../../functions/control/limits/index.ts';

/** A token bucket for one process, nothing put aside. */
export class PlainBucket {
  admitted = 0;
  private fullAtMs: number;
  private readonly intervalMs: number;
  private readonly capacityMs: number;

  /** @param fullAtMs when it is full, if nothing is taken */
  constructor({ requests: { capacity, intervalMicros } }: Limits, fullAtMs = 0) {
    this.fullAtMs = fullAtMs;
    this.intervalMs = intervalMicros / 1000;
    this.capacityMs = capacity * this.intervalMs;
  }

  ask(nowMs: number): void {
    const fullAtMs = Math.max(this.fullAtMs, nowMs) + this.intervalMs;
    if (fullAtMs > nowMs + this.capacityMs) return;
    this.fullAtMs = fullAtMs;
    this.admitted += 1;
  }
}
