import type { RequestRecord } from '../../api/types.ts';
import type { Point, Series } from '../../parts/chart/point.ts';

/** As the gateway counts it (docs/api.md, Sessions): what is suspicious beyond this, and after how long it counts half. */
const COUNTS_FROM = 0.3;
const HALF_LIFE_MS = 30 * 60_000;

export const RISK: readonly Series[] = [
  { id: 'turn', name: 'Score of the turn', color: 'var(--chart-1)' },
  { id: 'accumulated', name: 'Added up', color: 'var(--chart-2)' },
];

/** The score of each turn, in the order in which they came, and what the suspicious ones add up to by then. */
export function toRisk(records: readonly RequestRecord[]): Point[] {
  let accumulated = 0;
  let beforeMs: number | undefined;
  return records
    .toSorted((a, b) => a.time.localeCompare(b.time))
    .map(({ id, time, turnScore }) => {
      const atMs = Date.parse(time);
      accumulated *= 2 ** (-(atMs - (beforeMs ?? atMs)) / HALF_LIFE_MS);
      accumulated += Math.max(0, turnScore - COUNTS_FROM);
      beforeMs = atMs;
      return { id, time, turn: turnScore, accumulated };
    });
}
