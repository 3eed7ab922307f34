import type { KeyUsage } from '../../api/client.ts';
import { formatAgo, formatUsd } from '../../components/format.ts';

/** With less of the period over, a rate says little. */
const MIN_ELAPSED = 0.05;

export interface Forecast {
  readonly text: string;
  /** The budget is used up, or would be before its period ends. */
  readonly isOver: boolean;
}

/** What the spending would be at the end of the period, at the average rate since it, or the key, began. */
export function forecastOf(
  { usd, remainingUsd, startAt, resetAt }: NonNullable<KeyUsage['budget']>,
  nowMs: number,
  createdAt: string,
): Forecast {
  const used = usd - remainingUsd;
  if (remainingUsd <= 0) return { text: 'Used up: requests are refused until then.', isOver: true };
  if (used <= 0) return { text: 'No spending in this period.', isOver: false };
  const end = Date.parse(resetAt);
  // A key spends nothing before it exists.
  const start = Math.max(Date.parse(startAt), Date.parse(createdAt));
  const length = end - Date.parse(startAt);
  if (nowMs - start < MIN_ELAPSED * length) return { text: 'Too early for a forecast.', isOver: false };
  const forecast = used + (used / (nowMs - start)) * (end - nowMs);
  if (forecast <= usd) return { text: `Forecast at this rate: ${formatUsd(forecast)}.`, isOver: false };
  const reachedAt = new Date(nowMs + (remainingUsd / used) * (nowMs - start)).toISOString();
  return {
    text: `Forecast at this rate: ${formatUsd(forecast)}. The budget would be used up ${formatAgo(reachedAt, nowMs)}.`,
    isOver: true,
  };
}
