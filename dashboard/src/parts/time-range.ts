/** How far back a page looks: the ranges that it offers, and one that the reader names. */
export const RANGES = {
  '24h': { label: 'Last 24 hours', hours: 24 },
  '7d': { label: 'Last 7 days', hours: 7 * 24 },
  '30d': { label: 'Last 30 days', hours: 30 * 24 },
  '90d': { label: 'Last 90 days', hours: 90 * 24 },
} as const;
export type RangeName = keyof typeof RANGES;

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** The longest range whose points are hours: what the API allows is 31 days, what a chart shows is less. */
const HOURLY_UP_TO = 3 * 24;

export function isRangeName(text: string | null): text is RangeName {
  return text !== null && Object.hasOwn(RANGES, text);
}

export interface TimeRange {
  readonly from: string;
  readonly to: string;
}

/** The range up to the end of the present minute, so that a page that draws itself anew asks for the same. */
export function rangeUpTo(name: RangeName, nowMs: number): TimeRange {
  const toMs = Math.ceil((nowMs + 1) / MINUTE_MS) * MINUTE_MS;
  return { from: new Date(toMs - RANGES[name].hours * HOUR_MS).toISOString(), to: new Date(toMs).toISOString() };
}

export function intervalOf(name: RangeName): 'hour' | 'day' {
  return RANGES[name].hours <= HOURLY_UP_TO ? 'hour' : 'day';
}
