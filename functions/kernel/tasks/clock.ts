/** The time, as a port, so that tests can set it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds with fractions, from a clock that never goes back; for durations. */
  monotonic(): number;
}
