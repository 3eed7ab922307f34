import type { RequestRecord } from '../model/analytics.ts';
import type { Aggregate } from '../ports/aggregate-store.ts';
import type { Cell, Labels } from './cells.ts';
import { DAY_MS, startOf } from './time-buckets.ts';
import { type StoredTotals, Totals } from './totals.ts';

/** A cell as it is stored. */
export interface CellValue {
  readonly labels: Labels;
  readonly totals: StoredTotals;
}

/** The cell with more requests counted in. */
export function withRequests(
  { pk, sk, labels }: Cell,
  known: CellValue | undefined,
  records: readonly RequestRecord[],
  keptDays: number,
): Aggregate & { readonly value: CellValue } {
  const totals = Totals.from(known?.totals ?? {});
  for (const record of records) totals.add(record);
  const bucket = sk.slice(0, sk.indexOf('#'));
  return {
    key: { pk, sk },
    value: { labels, totals: totals.toJSON() },
    expiresAt: Math.ceil((startOf(bucket) + keptDays * DAY_MS) / 1000),
  };
}
