const FIRST_MS = 5_000;
const LONGEST_MS = 3_600_000;
const SHORTEST_MS = 1_000;
/** Attempts are made for at least so long after an event came. */
export const GIVE_UP_MS = 24 * 3_600_000;

const PAUSE_FIRST_MS = 1_000;
const PAUSE_LONGEST_MS = 5 * 60_000;
/** So many attempts in a row that failed stand for the endpoint, not for what was sent. */
export const TRIP_FAILURES = 10;

/** How long a delivery waits after its attempts so far (1, 2, ...): exponential up to an hour, with full jitter. */
export function retryDelayMs(attempts: number, random: () => number): number {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempts - 1));
  return Math.max(SHORTEST_MS, random() * longest);
}

/** How long an endpoint is left alone whose last `failures` attempts failed; 0 while it may only have been what was sent. */
export function pauseMs(failures: number, random: () => number): number {
  if (failures < TRIP_FAILURES) return 0;
  const longest = Math.min(PAUSE_LONGEST_MS, PAUSE_FIRST_MS * 2 ** (failures - TRIP_FAILURES));
  // Half of it at least: jitter that comes out near 0 would be no pause.
  return longest * (0.5 + random() / 2);
}

/** `Retry-After`, seconds or a date, as milliseconds from now: a day at most; undefined where it says nothing. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(ms) || ms < 0 ? undefined : Math.min(ms, GIVE_UP_MS);
}
