/** The time; a port, so that tests own it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds on a clock that never goes back, with fractions; for durations. */
  monotonic(): number;
}
