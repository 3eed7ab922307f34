/** Milliseconds since 1970: `endMs` is not included. */
export interface MonthBounds {
  readonly startMs: number;
  readonly endMs: number;
}

const DAY_MS = 86_400_000;
/** No zone is further from UTC. */
const FARTHEST_MS = 16 * 3_600_000;
const MAX_ZONES = 1_000;

const formats = new Map<string, Intl.DateTimeFormat>();
/** The last month of each zone that was computed: nearly always the next one that is needed. */
const lastMonths = new Map<string, MonthBounds>();

/**
 * The calendar month of a time in a zone. A month begins when the clocks of the zone first show its first day, 00:00 or later: at midnight, or at the end
 * of a gap over midnight. So each moment is in one month, also where clocks go back over midnight.
 */
export function monthAt(timeZone: string, nowMs: number): MonthBounds {
  const last = lastMonths.get(timeZone);
  if (last !== undefined && nowMs >= last.startMs && nowMs < last.endMs) return last;
  const local = new Date(localMs(timeZone, nowMs));
  const [year, month] = [local.getUTCFullYear(), local.getUTCMonth()];
  let bounds = boundsOf(timeZone, year, month);
  // Clocks that went back over midnight show the month before for a while.
  if (nowMs >= bounds.endMs) bounds = boundsOf(timeZone, year, month + 1);
  if (lastMonths.size >= MAX_ZONES) lastMonths.clear();
  lastMonths.set(timeZone, bounds);
  return bounds;
}

/** The bounds of a month; `month` counts from 0 and may be beyond its year. */
export function boundsOf(timeZone: string, year: number, month: number): MonthBounds {
  return { startMs: startOf(timeZone, year, month), endMs: startOf(timeZone, year, month + 1) };
}

function startOf(timeZone: string, year: number, month: number): number {
  const target = Date.UTC(year, month, 1);
  const offsets = [target - DAY_MS, target + DAY_MS].map((ms) => localMs(timeZone, ms) - ms);
  const starts = offsets.map((offset) => target - offset).filter((ms) => localMs(timeZone, ms) === target);
  return starts.length > 0 ? Math.min(...starts) : endOfGap(timeZone, target);
}

/** Clocks go forward over this local time: when they do. */
function endOfGap(timeZone: string, target: number): number {
  let [before, after] = [target - FARTHEST_MS, target + FARTHEST_MS];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (localMs(timeZone, middle) < target) before = middle;
    else after = middle;
  }
  return after;
}

/** What the clocks of a zone show, as if they were in UTC. */
function localMs(timeZone: string, ms: number): number {
  if (timeZone === 'UTC') return ms;
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(ms)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const withinSecond = ((ms % 1_000) + 1_000) % 1_000;
  return Date.UTC(year, month - 1, day, hour, minute, second) + withinSecond;
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (format === undefined) {
    const numeric = 'numeric';
    const date = {
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    } as const;
    format = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', ...date });
    if (formats.size >= MAX_ZONES) formats.clear();
    formats.set(timeZone, format);
  }
  return format;
}
