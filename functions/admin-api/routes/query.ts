import * as z from 'zod';
import { ceilTo, DAY_MS, floorTo, HOUR_MS, MINUTE_MS } from '../../core/analytics/cells.ts';
import type { ListPosition, Page } from '../../core/analytics/list-requests.ts';
import type { AggregateQuery } from '../../core/analytics/query-aggregates.ts';
import { GatewayError } from '../../core/base/errors.ts';
import { isRequestId } from '../../core/base/request-id.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../core/http/request-body.ts';
import {
  ACTIONS,
  environmentOf,
  GROUPS,
  INTERVALS,
  MARKS,
  OUTCOMES,
  REQUEST_STATES,
  SEVERITIES,
} from '../../core/model/analytics.ts';
import { THREAT_TYPES } from '../../core/model/threat.ts';

/** Longer than totals are kept, whatever the setting. */
const MAX_DAYS = 1_100;
/** A month in hours. */
const MAX_HOURS = 31 * 24;
const MAX_MINUTES = 6 * 60;

const time = z
  .union([z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 }), z.iso.date()], {
    error: 'must be a time with its zone (ISO 8601), or a date, which begins at midnight UTC',
  })
  .transform((text) => Date.parse(text))
  // The end of its hour, day or list has four digits too.
  .refine((ms) => ms < Date.UTC(9999, 0), { error: 'must be before the year 9999' });
const name = z.string().min(1, { error: 'must not be empty' }).max(256);

const filters = {
  from: time.optional(),
  to: time.optional(),
  environment: name.transform(environmentOf).optional(),
  keyId: name.optional(),
  endUserId: name.optional(),
  model: name.optional(),
};
const page = {
  limit: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, { error: `must be a whole number from 1 to ${MAX_LIMIT}` })
    .transform(Number)
    .pipe(z.number().max(MAX_LIMIT, { error: `must be a whole number from 1 to ${MAX_LIMIT}` }))
    .default(DEFAULT_LIMIT),
  cursor: z.string().optional(),
};

export const summaryQuerySchema = z.strictObject({
  ...filters,
  groupBy: z.enum(GROUPS).optional(),
  interval: z.literal('1m').optional(),
});
export const timeseriesQuerySchema = summaryQuerySchema.extend({ interval: z.enum(INTERVALS).optional() });
export const listQuerySchema = z.strictObject({ ...filters, ...page });
const least = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,9})?$/, { error: 'must be a number that is not negative' })
  .transform(Number)
  .optional();
/** For request records. `since` and `until` are other names of `from` and `to`. */
export const requestsQuerySchema = listQuerySchema.extend({
  since: time.optional(),
  until: time.optional(),
  id: z
    .string()
    .refine(isRequestId, { error: 'must be the id of a request, req_ and 32 hexadecimal digits' })
    .optional(),
  sessionId: name.optional(),
  provider: name.optional(),
  route: name.optional(),
  state: z.enum(REQUEST_STATES).optional(),
  status: z
    .string()
    .regex(/^[1-5](xx|\d\d)$/, { error: 'must be a status such as 429, or a class such as 4xx' })
    .transform((text) => Number.parseInt(text, 10))
    .optional(),
  outcome: z.enum(OUTCOMES).optional(),
  errorCode: name.optional(),
  traceId: name.optional(),
  action: z.enum(ACTIONS).optional(),
  tag: name
    .transform((text) => {
      const at = text.indexOf('=');
      return at < 0 ? { name: text, value: undefined } : { name: text.slice(0, at), value: text.slice(at + 1) };
    })
    .optional(),
  minScore: least,
  minLatencyMs: least,
  minFirstTokenMs: least,
  minTokens: least,
  minCostUsd: least,
});
/** For findings. The mark `none` selects findings without one. */
export const threatsQuerySchema = listQuerySchema.extend({
  sessionId: name.optional(),
  type: z.enum(THREAT_TYPES).optional(),
  severity: z.enum(SEVERITIES).optional(),
  action: z.enum(ACTIONS).optional(),
  rule: name.optional(),
  mark: z.enum([...MARKS, 'none']).optional(),
});
/** For one request record. */
export const requestQuerySchema = z.strictObject({ time: time.optional() });
/** Ids as long as the store takes them. */
const keyId = z
  .string()
  .regex(/^\w{1,64}$/, { error: `must be at most ${MAX_LIMIT} ids of keys, with commas between them` });
/** For names of keys. */
export const keyNamesQuerySchema = z.strictObject({
  ids: z
    .string({ error: 'is missing' })
    .transform((text) => [...new Set(text.split(','))])
    .pipe(z.array(keyId).max(MAX_LIMIT, { error: `must be at most ${MAX_LIMIT} ids of keys` })),
});
/** Whether to return every value in force. */
export const effectiveQuerySchema = z.strictObject({
  effective: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default('false')
    .transform((text) => text === 'true'),
});
export const scoresQuerySchema = z.strictObject({ from: time.optional(), to: time.optional(), keyId: name.optional() });
export const sessionQuerySchema = z.strictObject({ keyId: name.optional() });

/** The query parameters of a URL. @throws GatewayError `invalid_value` with the first invalid one */
export function readQuery<T extends z.ZodType>(url: string, schema: T): z.infer<T> {
  const given = [...new URL(url).searchParams];
  const twice = given.find(([param], at) => given.findIndex(([other]) => other === param) < at)?.[0];
  if (twice !== undefined) throw wrong(twice, `'${shorten(twice)}' occurs twice.`);
  const result = schema.safeParse(Object.fromEntries(given));
  if (result.success) return result.data;
  const issue = result.error.issues[0] as z.core.$ZodIssue;
  if (issue.code === 'unrecognized_keys') {
    const [unknown = ''] = issue.keys;
    throw wrong(unknown, `Unknown parameter '${shorten(unknown)}'.`);
  }
  const param = String(issue.path[0]);
  throw wrong(param, `'${param}': ${issue.message}.`);
}

/** The range and filters of totals: full hours, by default of the last day; with `interval=1m` full minutes, by default of the last hour. */
export function toAggregateQuery(query: z.infer<typeof timeseriesQuerySchema>, nowMs: number): AggregateQuery {
  const { from, to, interval, ...rest } = query;
  const isByMinute = interval === '1m' || interval === '5m';
  const toMs = ceilTo(to ?? nowMs, isByMinute ? 'minute' : 'hour');
  const fromMs = floorTo(from ?? toMs - (isByMinute ? HOUR_MS : DAY_MS), isByMinute ? 'minute' : 'hour');
  checkOrder(from ?? fromMs, to ?? nowMs);
  if (isByMinute) {
    if (toMs - fromMs > MAX_MINUTES * MINUTE_MS) {
      throw wrong('interval', `'interval': '${interval}' is limited to ${MAX_MINUTES / 60} hours.`);
    }
    const { keyId, endUserId, groupBy } = rest;
    if (keyId !== undefined || endUserId !== undefined || groupBy === 'keyId' || groupBy === 'endUserId') {
      throw wrong('interval', `'interval': '${interval}' has totals of all keys and end users only.`);
    }
    return { fromMs, toMs, isByMinute, ...rest };
  }
  if (toMs - fromMs > MAX_DAYS * DAY_MS) throw wrong('from', `The range must not be longer than ${MAX_DAYS} days.`);
  return { fromMs, toMs, ...rest };
}

/** The interval of a series: by default hours up to three days, and days beyond. */
export function intervalOf(query: z.infer<typeof timeseriesQuerySchema>, { fromMs, toMs }: AggregateQuery) {
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
export function toListResponse<T>({ items, next }: Page<T>, shown: (item: T) => object): object {
  const nextCursor = next === undefined ? null : writeCursor([next.time, next.id, next.finding]);
  return { object: 'list', data: items.map(shown), nextCursor, searchedTo: next?.time ?? null };
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

function wrong(param: string, message: string): GatewayError {
  return new GatewayError('invalid_value', message, { param: shorten(param) });
}

function shorten(param: string): string {
  return param.length <= 120 ? param : `${param.slice(0, 120)}…`;
}
