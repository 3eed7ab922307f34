const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const PERCENT = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const dollars = (digits: number) =>
  new Intl.NumberFormat('en', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
const USD = dollars(4);
const LEAST_USD = 0.0001;
const USD_OF_ONE = dollars(6);
const AMOUNT = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', maximumFractionDigits: 6 });
const USD_TICK = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumSignificantDigits: 3,
});
const TIME = new Intl.DateTimeFormat('en-GB', {
  day: '2-digit',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
const FULL_TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });
const DAY = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: 'short', year: 'numeric' });

/** In which times are shown: that of the browser. Days of totals are UTC's. */
export const TIME_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll('_', ' ');

/** Shown for an unknown value. */
export const NOTHING = '–';

/** 999, then 1.2K: for tiles and axes. */
export function formatCount(value: number): string {
  return value < 10_000 ? WHOLE.format(value) : COMPACT.format(value);
}

export function formatExact(value: number): string {
  return WHOLE.format(value);
}

/** A share in per cent; 0 of 0 is 0 %. */
export function formatShare(part: number, whole: number): string {
  return PERCENT.format(whole === 0 ? 0 : part / whole);
}

/** A sum of US dollars, always with four decimals, so that sums can be compared. */
export function formatUsd(value: number | null): string {
  if (value === null) return NOTHING;
  return value > 0 && value < LEAST_USD ? `<${USD.format(LEAST_USD)}` : USD.format(value);
}

/** The cost of several requests. It is at least the known part if a charge of one is unknown. */
export function formatTotalCost({
  costUsd,
  unpriced = 0,
  partlyPriced = 0,
}: {
  readonly costUsd: number | null;
  readonly unpriced?: number;
  readonly partlyPriced?: number;
}): string {
  return costUsd !== null && unpriced + partlyPriced > 0 ? `≥ ${formatUsd(costUsd)}` : formatUsd(costUsd);
}

/** An amount that a person chose, such as a budget. */
export function formatAmount(value: number): string {
  return AMOUNT.format(value);
}

/** The cost of one request, always with six decimals: many cost less than a cent. */
export function formatCost(value: number | null): string {
  return value === null ? NOTHING : USD_OF_ONE.format(value);
}

/** The cost of a recorded request: at least the known part if a charge is unknown. */
export function formatRequestCost({
  costUsd,
  unknownCharges = [],
}: {
  readonly costUsd: number | null;
  readonly unknownCharges?: readonly string[] | undefined;
}): string {
  return costUsd !== null && unknownCharges.length > 0 ? `≥ ${formatCost(costUsd)}` : formatCost(costUsd);
}

/** For the axis of a chart. */
export function formatUsdTick(value: number): string {
  return USD_TICK.format(value);
}

/** The change from one value to another, as `+12% vs before`; undefined if there was none before. */
export function formatChange(before: number | null, after: number | null): string | undefined {
  if (before === null || after === null || before === 0) return undefined;
  const share = after / before - 1;
  return `${share > 0 ? '+' : ''}${WHOLE.format(share * 100)}% vs before`;
}

/** Milliseconds, from 1,000 on as seconds. */
export function formatMs(value: number | null): string {
  if (value === null) return NOTHING;
  if (value > 0 && value < 10) return `${value.toFixed(1)} ms`;
  if (Math.round(value) < 1_000) return `${WHOLE.format(value)} ms`;
  return `${(value / 1000).toFixed(value < 10_000 ? 2 : 1)} s`;
}

export function formatScore(value: number): string {
  return value.toFixed(2);
}

/** Day and time to the second, in the user's time zone. */
export function formatTime(iso: string | null): string {
  return iso === null ? NOTHING : TIME.format(new Date(iso));
}

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const DAY_AND_CLOCK = new Intl.DateTimeFormat('en-GB', {
  day: '2-digit',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/** For narrow columns: the time to the second today, day and minute before. */
export function formatShortTime(iso: string, nowMs: number): string {
  const time = new Date(iso);
  const isToday = time.toDateString() === new Date(nowMs).toDateString();
  return (isToday ? CLOCK : DAY_AND_CLOCK).format(time);
}

const HOUR = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** From one hour to another of the same or the next day. */
export function formatHours({ from, to }: { readonly from: string; readonly to: string }): string {
  return `${HOUR.format(new Date(from))} to ${HOUR.format(new Date(to))}`;
}

/** With year and time zone. */
export function formatFullTime(iso: string | null): string {
  return iso === null ? NOTHING : FULL_TIME.format(new Date(iso));
}

export function formatDay(iso: string | null): string {
  return iso === null ? NOTHING : DAY.format(new Date(iso));
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'short' });

/** `5 min ago`, `in 3 days`; within a minute `just now`. */
export function formatAgo(iso: string | null, nowMs: number): string {
  if (iso === null) return 'never';
  const seconds = (Date.parse(iso) - nowMs) / 1000;
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return RELATIVE.format(Math.trunc(seconds / size), unit);
  }
  return seconds > 5 ? 'in less than a minute' : 'just now';
}

/** A time in the form of `<input type="datetime-local">`, in the user's time zone. */
export function toLocalInput(iso: string): string {
  const time = new Date(iso);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** The value of such a field as ISO 8601; undefined if it is empty or incomplete. */
export function fromLocalInput(text: string): string | undefined {
  const ms = text === '' ? Number.NaN : new Date(text).getTime();
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}
