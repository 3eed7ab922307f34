import { GatewayError } from '../../kernel/errors/index.ts';
import type { Group, Interval, Summary, Timeseries } from '../../kernel/model/index.ts';
import { inParallel } from '../../kernel/tasks/index.ts';
import type { AggregateReader } from './aggregate-store.ts';
import {
  bucketsOf,
  ceilTo,
  floorTo,
  type Kind,
  type Labels,
  listScopes,
  partitionOf,
  type Scope,
  type Span,
  spansOf,
  startOf,
  startsOf,
} from './cells.ts';
import { type CellValue, Totals } from './totals.ts';

/** Which requests to add up. */
export interface AggregateQuery {
  /** Milliseconds since 1970; full hours, or minutes if `isByMinute`; the end not included. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Whether the range is of minutes, which have no totals by key and end user. */
  readonly isByMinute?: boolean | undefined;
  readonly environment?: string | undefined;
  readonly keyId?: string | undefined;
  readonly endUserId?: string | undefined;
  readonly model?: string | undefined;
  readonly groupBy?: Group | undefined;
}

/** A cell from the store. */
interface Row {
  readonly bucket: string;
  readonly threatType: string;
  readonly labels: Labels;
  readonly totals: Totals;
}

const READS_AT_ONCE = 16;

/** Separate totals are read for at most this many keys or end users. */
const MAX_FANNED_OUT = 500;

/** The totals of a range, and of its groups if requested. */
export async function summarize(query: AggregateQuery, reader: AggregateReader): Promise<Summary> {
  const spans = query.isByMinute ? bucketsOf(query.fromMs, query.toMs, 'minute') : spansOf(query.fromMs, query.toMs);
  const whole = new Totals();
  const totalRows = rowsOf({ ...query, groupBy: undefined }, spans, reader);
  for (const { totals } of await totalRows) whole.merge(totals);
  const summary = { object: 'analytics.summary' as const, ...rangeOf(query), ...whole.toFigures() };
  if (query.groupBy === undefined) return summary;
  const groups = new Map<string | null, Totals>();
  for (const row of await rowsOf(query, spans, reader)) {
    const group = groupOf(row, query);
    groups.set(group, merged(groups.get(group), row.totals));
  }
  const figures = [...groups].map(([group, totals]) => ({ group, ...totals.toFigures() }));
  return { ...summary, groups: figures.sort((a, b) => b.requests - a.requests || compare(a.group, b.group)) };
}

/**
 * The totals of each minute, hour or day, including those without requests; by group, one entry for each group with requests.
 */
export async function seriesOf(
  query: AggregateQuery,
  interval: Interval,
  reader: AggregateReader,
): Promise<Timeseries> {
  const from = floorTo(query.fromMs, interval);
  const to = ceilTo(query.toMs, interval);
  const spans =
    interval === 'day'
      ? spansOf(query.fromMs, query.toMs)
      : bucketsOf(query.fromMs, query.toMs, interval === 'hour' ? 'hour' : 'minute');
  const entries = new Map<string, { time: string; group: string | null; totals: Totals }>();
  const add = (startMs: number, group: string | null, totals: Totals) => {
    const time = new Date(startMs).toISOString();
    const name = JSON.stringify([time, group]);
    entries.set(name, { time, group, totals: merged(entries.get(name)?.totals, totals) });
  };
  if (query.groupBy === undefined) for (const start of startsOf(from, to, interval)) add(start, null, new Totals());
  for (const row of await rowsOf(query, spans, reader)) {
    add(floorTo(startOf(row.bucket), interval), query.groupBy === undefined ? null : groupOf(row, query), row.totals);
  }
  const sorted = [...entries.values()].sort((a, b) => compare(a.time, b.time) || compare(a.group, b.group));
  return {
    object: 'list',
    ...rangeOf(query),
    interval,
    data: sorted.map(({ time, group, totals }) => ({
      time,
      ...(query.groupBy !== undefined && { group }),
      ...totals.toFigures(),
    })),
  };
}

async function rowsOf(query: AggregateQuery, spans: readonly Span[], reader: AggregateReader): Promise<Row[]> {
  const kind = query.groupBy === 'threatType' ? 'threats' : 'sums';
  const rows = await readScopes(await scopesOf(query, spans, reader), kind, spans, reader);
  return rows.filter(({ labels }) => fits(labels, query));
}

/** The smallest scopes whose cells distinguish what the query needs. */
async function scopesOf(query: AggregateQuery, spans: readonly Span[], reader: AggregateReader): Promise<Scope[]> {
  const { keyId, endUserId, environment, model, groupBy } = query;
  if (endUserId !== undefined) return [{ of: 'endUser', endUserId }];
  const filtered = environment !== undefined || model !== undefined;
  if (groupBy === 'endUserId') {
    if (!filtered && keyId === undefined) return listScopes('endUsers');
    return (await listed('endUsers', spans, reader)).map((id) => ({ of: 'endUser', endUserId: id }));
  }
  if (keyId !== undefined) return [{ of: 'key', keyId }];
  if (groupBy !== 'keyId') return [{ of: 'all' }];
  if (!filtered) return listScopes('keys');
  return (await listed('keys', spans, reader)).map((id) => ({ of: 'key', keyId: id }));
}

/** The keys or end users with requests in the range. */
async function listed(of: 'keys' | 'endUsers', spans: readonly Span[], reader: AggregateReader): Promise<string[]> {
  const rows = await readScopes(listScopes(of), 'sums', spans, reader);
  const names = new Set(rows.map(({ labels }) => (of === 'keys' ? labels.keyId : labels.endUserId) as string));
  if (names.size <= MAX_FANNED_OUT) return [...names];
  throw new GatewayError(
    'invalid_value',
    `'groupBy' together with these filters is for at most ${MAX_FANNED_OUT} groups: choose a shorter range.`,
    { param: 'groupBy' },
  );
}

async function readScopes(
  scopes: readonly Scope[],
  kind: Kind,
  spans: readonly Span[],
  reader: AggregateReader,
): Promise<Row[]> {
  const rows: Row[] = [];
  const reads = scopes.flatMap((scope) => spans.map((span) => ({ scope, span })));
  await inParallel(reads, READS_AT_ONCE, async ({ scope, span }) => {
    const found = await reader.range(partitionOf(span.interval, kind, scope), span.from, span.to);
    for (const { sk, value } of found) {
      const [bucket = '', threatType = ''] = sk.split('#');
      const { labels, totals } = value as CellValue;
      rows.push({ bucket, threatType, labels: { ...namedBy(scope), ...labels }, totals: Totals.from(totals) });
    }
  });
  return rows;
}

/** The labels that all cells of a scope share. */
function namedBy(scope: Scope): Labels {
  if (scope.of === 'key') return { keyId: scope.keyId };
  return scope.of === 'endUser' ? { endUserId: scope.endUserId } : {};
}

function fits(labels: Labels, { environment, keyId, model }: AggregateQuery): boolean {
  return (
    (environment === undefined || labels.environment === environment) &&
    (keyId === undefined || labels.keyId === keyId) &&
    (model === undefined || labels.model === model)
  );
}

function groupOf({ labels, threatType }: Row, { groupBy }: AggregateQuery): string | null {
  if (groupBy === 'threatType') return threatType;
  return labels[groupBy as Exclude<Group, 'threatType'>] ?? null;
}

function merged(known: Totals | undefined, more: Totals): Totals {
  const totals = known ?? new Totals();
  totals.merge(more);
  return totals;
}

function rangeOf({ fromMs, toMs }: AggregateQuery): { from: string; to: string } {
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
}

function compare(a: string | null, b: string | null): number {
  if (a === b) return 0;
  return (a ?? '') < (b ?? '') ? -1 : 1;
}
