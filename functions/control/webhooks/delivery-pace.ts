const FIRST_MS = 5_000;
const LONGEST_MS = 3_600_000;
const SHORTEST_MS = 1_000;
/** Attempts continue for at least this long after an event arrived. */
export const GIVE_UP_MS = 24 * 3_600_000;

const PAUSE_FIRST_MS = 1_000;
const PAUSE_LONGEST_MS = 5 * 60_000;
/** This many failures in a row are the endpoint's fault, not the content's. */
export const TRIP_FAILURES = 10;

/** The delay after this many attempts (1, 2, ...): exponential up to an hour, with full jitter. */
export function retryDelayMs(attempts: number, random: () => number): number {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempts - 1));
  return Math.max(SHORTEST_MS, random() * longest);
}

/** How long an endpoint is paused after `failures` failures in a row; 0 while the content may be the cause. */
export function pauseMs(failures: number, random: () => number): number {
  if (failures < TRIP_FAILURES) return 0;
  const longest = Math.min(PAUSE_LONGEST_MS, PAUSE_FIRST_MS * 2 ** (failures - TRIP_FAILURES));
  // At least half of it, since jitter near 0 would be no pause.
  return longest * (0.5 + random() / 2);
}

/**
 * `Retry-After`, in seconds or as a date, as milliseconds from now, at most a day; undefined where it is invalid or
 * past.
 */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(ms) || ms < 0 ? undefined : Math.min(ms, GIVE_UP_MS);
}
