/** Any time will do; this one begins a day and an hour, and no budget's period of 30 days. */
export const T0 = Date.parse('2026-01-01T00:00:00Z');

/** A clock that tests move; each function may have one that is ahead or behind. */
export class FakeClock {
  private readonly skewMs: number;
  time = T0;

  constructor(skewMs = 0) {
    this.skewMs = skewMs;
  }

  now(): number {
    return this.time + this.skewMs;
  }

  monotonic(): number {
    return this.time;
  }
}
