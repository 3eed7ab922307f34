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

/** A tag by its name, and its value unless any will do. */
export interface TagFilter {
  readonly name: string;
  readonly value: string | undefined;
}

/** Which requests to add up. A tag, or a group by one, has no totals by end user. */
export interface AggregateQuery {
  /** Milliseconds since 1970; full hours, or minutes if `isByMinute`; the end not included. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Whether the range is of minutes, which have no totals by key and end user. */
  readonly isByMinute?: boolean | undefined;
  readonly environment?: string | undefined;
  readonly keyId?: string | undefined;
  readonly endUserId?: string | undefined;
  readonly teamId?: string | undefined;
  readonly tag?: TagFilter | undefined;
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
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
  const rows = await cellsFor(query, spans, reader);
  const isByTag = query.tag === undefined && tagNameIn(query.groupBy) !== undefined;
  if (!isByTag && !(query.groupBy === 'teamId' && isFiltered(query))) return rows;
  // These cells are of requests with a tag, or with a team: the others are the rest of all.
  return [...rows, ...restOf(await cellsFor({ ...query, groupBy: undefined }, spans, reader), rows)];
}

async function cellsFor(query: AggregateQuery, spans: readonly Span[], reader: AggregateReader): Promise<Row[]> {
  const kind = query.groupBy === 'threatType' ? 'threats' : 'sums';
  const rows = await readScopes(await scopesOf(query, spans, reader), kind, spans, reader);
  return rows.filter(({ labels }) => fits(labels, query));
}

function restOf(all: readonly Row[], rows: readonly Row[]): Row[] {
  const parts = Map.groupBy(rows, ({ bucket }) => bucket);
  return [...Map.groupBy(all, ({ bucket }) => bucket)].flatMap(([bucket, of]) => {
    const whole = new Totals();
    for (const { totals } of of) whole.merge(totals);
    const rest = whole.without((parts.get(bucket) ?? []).map(({ totals }) => totals));
    return rest.isEmpty ? [] : [{ bucket, threatType: '', labels: {}, totals: rest }];
  });
}

const TAG = 'tag:';

/** The name in `tag:NAME`; undefined for another group. */
function tagNameIn(groupBy: Group | undefined): string | undefined {
  return groupBy?.startsWith(TAG) ? groupBy.slice(TAG.length) : undefined;
}

/** Whether lists of keys and end users do not have what the query needs. */
function isFiltered({ environment, model, provider }: AggregateQuery): boolean {
  return environment !== undefined || model !== undefined || provider !== undefined;
}

/** The smallest scopes whose cells distinguish what the query needs. */
async function scopesOf(query: AggregateQuery, spans: readonly Span[], reader: AggregateReader): Promise<Scope[]> {
  const { keyId, endUserId, teamId, tag, groupBy } = query;
  const tagName = tagNameIn(groupBy) ?? tag?.name;
  if (tagName !== undefined) return [{ of: 'tag', name: tagName }];
  if (endUserId !== undefined) return [{ of: 'endUser', endUserId }];
  if (groupBy === 'endUserId') {
    if (!isFiltered(query) && keyId === undefined && teamId === undefined) return listScopes('endUsers');
    return (await listed('endUserId', query, spans, reader)).map((id) => ({ of: 'endUser', endUserId: id }));
  }
  if (keyId !== undefined) return [{ of: 'key', keyId }];
  if (groupBy === 'keyId' || (groupBy === 'teamId' && teamId === undefined)) {
    if (!isFiltered(query)) return listScopes('keys');
    const names = await listed(groupBy, query, spans, reader);
    return names.map((id) => (groupBy === 'keyId' ? { of: 'key', keyId: id } : { of: 'team', teamId: id }));
  }
  return [teamId === undefined ? { of: 'all' } : { of: 'team', teamId }];
}

/** The keys, teams or end users with requests in the range. */
async function listed(
  of: 'keyId' | 'teamId' | 'endUserId',
  { teamId }: AggregateQuery,
  spans: readonly Span[],
  reader: AggregateReader,
): Promise<string[]> {
  const rows = await readScopes(listScopes(of === 'endUserId' ? 'endUsers' : 'keys'), 'sums', spans, reader);
  // The list of end users has no teams.
  const wanted = rows.filter(({ labels }) => of === 'endUserId' || fits(labels, { teamId }));
  const names = new Set(wanted.flatMap(({ labels }) => labels[of] ?? []));
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
  if (scope.of === 'team') return { teamId: scope.teamId };
  return scope.of === 'endUser' ? { endUserId: scope.endUserId } : {};
}

function fits(labels: Labels, query: Omit<AggregateQuery, 'fromMs' | 'toMs'>): boolean {
  const { environment, keyId, teamId, model, provider, tag } = query;
  return (
    (environment === undefined || labels.environment === environment) &&
    (keyId === undefined || labels.keyId === keyId) &&
    (teamId === undefined || labels.teamId === teamId) &&
    (tag?.value === undefined || labels.tagValue === tag.value) &&
    (model === undefined || labels.model === model) &&
    (provider === undefined || labels.provider === provider)
  );
}

function groupOf({ labels, threatType }: Row, { groupBy }: AggregateQuery): string | null {
  if (groupBy === 'threatType') return threatType;
  if (tagNameIn(groupBy) !== undefined) return labels.tagValue ?? null;
  return labels[groupBy as Exclude<Group, 'threatType' | `tag:${string}`>] ?? null;
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
