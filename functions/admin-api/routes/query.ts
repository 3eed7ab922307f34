import * as z from 'zod';
import type { TimeseriesQuery } from '../../contract/index.ts';
import {
  type AggregateQuery,
  ceilTo,
  DAY_MS,
  floorTo,
  HOUR_MS,
  type ListPosition,
  type Page,
} from '../../control/analytics/index.ts';
import { isRequestId } from '../../kernel/http/index.ts';
import { wrong } from '../operation-routes.ts';

/** Longer than totals are kept, whatever the setting. */
const MAX_DAYS = 1_100;
/** A month in hours. */
const MAX_HOURS = 31 * 24;
const MAX_MINUTES = 6 * 60;

/** The range and filters of totals: full hours, by default of the last day; with `interval=1m` full minutes, by default of the last hour. */
export function toAggregateQuery(query: TimeseriesQuery, nowMs: number): AggregateQuery {
  const { from, to, interval, tag: tags = [], ...others } = query;
  const [tag] = tags;
  checkTags(query);
  const rest = { ...others, tag };
  const isByMinute = interval === '1m' || interval === '5m';
  const toMs = ceilTo(to ?? nowMs, isByMinute ? 'minute' : 'hour');
  const fromMs = floorTo(from ?? toMs - (isByMinute ? HOUR_MS : DAY_MS), isByMinute ? 'minute' : 'hour');
  checkOrder(from ?? fromMs, to ?? nowMs);
  if (isByMinute) {
    if (toMs - fromMs > (MAX_MINUTES * HOUR_MS) / 60) {
      throw wrong('interval', `'interval': '${interval}' is limited to ${MAX_MINUTES / 60} hours.`);
    }
    const { keyId, endUserId, teamId, groupBy } = rest;
    const filtered = [keyId, endUserId, teamId, tag].some((one) => one !== undefined);
    if (filtered || groupBy?.startsWith('tag:') || BY_CALLER.has(groupBy)) {
      throw wrong('interval', `'interval': '${interval}' has totals of all keys, teams, tags and end users only.`);
    }
    return { fromMs, toMs, isByMinute, ...rest };
  }
  if (toMs - fromMs > MAX_DAYS * DAY_MS) throw wrong('from', `The range must not be longer than ${MAX_DAYS} days.`);
  return { fromMs, toMs, ...rest };
}

const BY_CALLER: ReadonlySet<string | undefined> = new Set(['keyId', 'teamId', 'endUserId']);

/** Totals are counted by each tag alone, and not by tag and end user. */
export function checkTags({
  tag: tags = [],
  groupBy,
  endUserId,
}: Pick<TimeseriesQuery, 'tag' | 'groupBy' | 'endUserId'>): void {
  const names = new Set(tags.map(({ name }) => name));
  if (tags.length > 1) throw wrong('tag', "'tag': totals are counted by one tag. The list of requests takes several.");
  const isByTag = groupBy?.startsWith('tag:') === true;
  if (isByTag) names.add(groupBy.slice('tag:'.length));
  if (names.size > 1) throw wrong('groupBy', "'groupBy': totals are counted by one tag, which must be that of 'tag'.");
  if (names.size > 0 && (endUserId !== undefined || groupBy === 'endUserId')) {
    throw wrong(isByTag ? 'groupBy' : 'tag', 'Totals by tag and end user are not counted.');
  }
}

/** The interval of a series: by default hours up to three days, and days beyond. */
export function intervalOf(query: TimeseriesQuery, { fromMs, toMs }: AggregateQuery) {
  const hours = (toMs - fromMs) / 3_600_000;
  const interval = query.interval ?? (hours <= 72 ? 'hour' : 'day');
  if (interval !== 'hour' || hours <= MAX_HOURS) return interval;
  throw wrong('interval', `'interval': 'hour' is limited to ${MAX_HOURS / 24} days; use 'day'.`);
}

interface ListTimes {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
}

/** The range of a list as ISO 8601, unbounded by default. */
export function listRange({ since, until, from = since, to = until }: ListTimes) {
  if (from !== undefined && to !== undefined) checkOrder(from, to);
  const iso = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());
  return { from: iso(from), to: iso(to) };
}

export function writeCursor(value: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** The response for a page, with each item as `shown` returns it. */
export function toListResponse<T, Shown>({ items, next }: Page<T>, shown: (item: T) => Shown) {
  const nextCursor = next === undefined ? null : writeCursor([next.time, next.id, next.finding]);
  return { object: 'list' as const, data: items.map(shown), nextCursor, searchedTo: next?.time ?? null };
}

/** The end of the previous page, from a cursor of `writeCursor`. @throws GatewayError `invalid_value` */
export function readListCursor(cursor: string | undefined): ListPosition | undefined {
  if (cursor === undefined) return undefined;
  const [at, id, finding] = readCursor(cursor, listCursorSchema);
  return { time: at, id, finding };
}

/** The end of the previous page of sessions. @throws GatewayError `invalid_value` */
export function readSessionCursor(cursor: string | undefined): string | undefined {
  return cursor === undefined ? undefined : readCursor(cursor, sessionCursorSchema)[0];
}

/** Decodes a cursor of `writeCursor`. @throws GatewayError `invalid_value` if it does not match the shape */
export function readCursor<T extends z.ZodType>(cursor: string, shape: T): z.infer<T> {
  const result = shape.safeParse(jsonOf(cursor));
  if (!result.success) throw wrong('cursor', "'cursor' is not a cursor from an earlier page.");
  return result.data;
}

/** A time and a request's id, as cursors contain them. */
export const isoTime = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
export const cursorRequestId = z.string().refine(isRequestId);
const listCursorSchema = z.tuple([isoTime, cursorRequestId, z.int().min(0)]);
const sessionCursorSchema = z.tuple([z.string().regex(/^\d{4}-[\x20-\x7e]{1,400}$/)]);

function jsonOf(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}

function checkOrder(fromMs: number, toMs: number): void {
  if (fromMs >= toMs) throw wrong('from', "'from' must be before 'to'.");
}
