/** `npm test` runs on every change, the night (`SVC_TEST_NIGHT=1`) with more cases and rounds. */
const IS_NIGHT = process.env.SVC_TEST_NIGHT === '1';

/** Chooses a size for this run: that of every change, or that of the night. */
export function byDayOrNight<T>(day: T, night: T): T {
  return IS_NIGHT ? night : day;
}

/**
 * By night a whole list; by day `count` of it, other ones at each place `at`. So all kinds come at some place, and each place gets some,
 * where a test repeats the same kinds at many places.
 */
export function someByDay<T>(all: readonly T[], count: number, at: number): readonly T[] {
  if (IS_NIGHT) return all;
  return all.filter((_, index) => (index - at * count + at * all.length) % all.length < count);
}
