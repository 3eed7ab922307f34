import { LIST_PRICES } from '../lib/list-prices.ts';
import type { Call } from '../lib/measured-store.ts';

/** Dollars for the units of these calls. */
export function dollarsOf(calls: readonly Pick<Call, 'writeUnits' | 'readUnits'>[]): number {
  return calls.reduce(
    (total, call) => total + call.writeUnits * LIST_PRICES.writeUnit + call.readUnits * LIST_PRICES.readUnit,
    0,
  );
}

/** At most two decimals. */
export function figure(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** What a million requests cost of which one costs so many dollars. */
export function perMillion(dollars: number): string {
  return (dollars * 1e6).toFixed(2);
}

export function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
