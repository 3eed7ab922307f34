/** `npm test` runs on every change, the night (`SVC_TEST_NIGHT=1`) with more cases and rounds. */
const IS_NIGHT = process.env.SVC_TEST_NIGHT === '1';

/** Chooses a size for this run: that of every change, or that of the night. */
export function byDayOrNight<T>(day: T, night: T): T {
  return IS_NIGHT ? night : day;
}
