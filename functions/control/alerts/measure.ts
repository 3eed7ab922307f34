import type { Alert } from '../../kernel/alerts/index.ts';
import type { Summary } from '../../kernel/model/index.ts';
import { type AggregateReader, type AggregateRow, ceilTo, floorTo, HOUR_MS, summarize } from '../analytics/index.ts';
import type { Measurement } from './alert-state.ts';

const MINUTE_MS = 60_000;
const MAX_BY_MINUTE = 60;
/** Requests are counted a few seconds after they end: a minute is read once it is over for so long. */
const COUNTED_AFTER_MS = 10_000;

/** A range of totals, milliseconds since 1970. */
interface Range {
  readonly fromMs: number;
  readonly toMs: number;
  readonly isByMinute: boolean;
}

/**
 * The range of an alert. By minute: the last full minutes. By hour: the current hour and full hours before it, so that a range is never longer
 * than `minutes` for `above`, and never shorter for `below`. A count that resets with the hour then never fires too early.
 */
export function rangeOf(
  { minutes, scope, compare }: Pick<Alert, 'minutes' | 'scope' | 'compare'>,
  nowMs: number,
): Range {
  const isByMinute = minutes <= MAX_BY_MINUTE && scope.teamId === undefined && scope.keyId === undefined;
  if (isByMinute) {
    const toMs = floorTo(nowMs - COUNTED_AFTER_MS, 'minute');
    return { fromMs: toMs - minutes * MINUTE_MS, toMs, isByMinute };
  }
  const hours = minutes / 60 - (compare === 'above' ? 1 : 0);
  return { fromMs: floorTo(nowMs, 'hour') - hours * HOUR_MS, toMs: ceilTo(nowMs + 1, 'hour'), isByMinute };
}

/** What was counted for an alert over totals. @throws StoreUnavailable */
export async function measure(alert: Alert, aggregates: AggregateReader, nowMs: number): Promise<Measurement> {
  const { threatType, ...filter } = alert.scope;
  const summary = await summarize({ ...filter, ...rangeOf(alert, nowMs) }, aggregates);
  return { value: metricValue(alert.metric, threatType, summary), requests: summary.requests };
}

function metricValue(
  metric: Alert['metric'],
  threatType: Alert['scope']['threatType'],
  { requests, serverErrors, blocked, flagged, costUsd, toolChanges = 0, latencyMs, threats }: Summary,
): number | null {
  const share = (part: number) => (requests === 0 ? null : part / requests);
  switch (metric) {
    case 'errorRate':
      return share(serverErrors ?? 0);
    case 'blockedShare':
      return share(blocked);
    case 'flaggedShare':
      return share(flagged);
    case 'latencyP95':
      return latencyMs.p95;
    case 'spendUsd':
      return costUsd;
    case 'findings':
      return (threatType && threats[threatType]) ?? 0;
    case 'requests':
      return requests;
    case 'toolChanges':
      return toolChanges;
    case 'budgetShare':
      return null;
  }
}

/** The same reads of several alerts of a run are made once. */
export function withSharedReads(aggregates: AggregateReader): AggregateReader {
  const reads = new Map<string, Promise<AggregateRow[]>>();
  return {
    range: (pk, from, to) => {
      const name = JSON.stringify([pk, from, to]);
      const running = reads.get(name) ?? aggregates.range(pk, from, to);
      reads.set(name, running);
      return running;
    },
  };
}
