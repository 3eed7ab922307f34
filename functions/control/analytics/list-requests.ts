import { arrivalOf } from '../../kernel/http/index.ts';
import {
  type Mark,
  matchesGlob,
  type Outcome,
  type RecordedFinding,
  type RequestRecord,
  type Threat,
} from '../../kernel/model/index.ts';
import type { TagFilter } from './query-aggregates.ts';
import type { RecordPosition, RecordQuery, RequestRecordReader, StoredRecord } from './request-records.ts';
import { outcomesOf } from './totals.ts';

/** Fields of a request that both lists can be filtered by. */
interface CommonFilter extends Omit<RecordQuery, 'withFindings'> {
  readonly environment?: string | undefined;
  readonly model?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Tags of the key or of the request: all must hold. */
  readonly tag?: readonly TagFilter[] | undefined;
}

/** Which requests to list. */
export interface RequestFilter extends CommonFilter {
  readonly id?: string | undefined;
  readonly provider?: string | undefined;
  readonly route?: string | undefined;
  /** `models` of the deployment's route. */
  readonly alias?: string | undefined;
  /** A glob of `server/tool`. */
  readonly tool?: string | undefined;
  readonly state?: RequestRecord['state'] | undefined;
  /** A status, or the first digit of a class such as 4. */
  readonly status?: number | undefined;
  readonly outcome?: Outcome | undefined;
  readonly cache?: RequestRecord['cache'];
  readonly errorCode?: string | undefined;
  readonly traceId?: string | undefined;
  readonly action?: RequestRecord['action'] | undefined;
  readonly minScore?: number | undefined;
  readonly minLatencyMs?: number | undefined;
  readonly minFirstTokenMs?: number | undefined;
  /** Of input and output together. */
  readonly minTokens?: number | undefined;
  readonly minCostUsd?: number | undefined;
  /** None of these may match. */
  readonly not?: readonly Omit<RequestFilter, 'from' | 'to' | 'not'>[] | undefined;
}

/** Which findings to list. */
export interface ThreatFilter extends CommonFilter {
  readonly type?: RecordedFinding['type'] | undefined;
  readonly severity?: RecordedFinding['severity'] | undefined;
  readonly action?: RecordedFinding['action'] | undefined;
  readonly rule?: string | undefined;
  /** `none`: those without a mark. */
  readonly mark?: Mark | 'none' | undefined;
  /** None of these may match. */
  readonly not?: readonly Omit<ThreatFilter, 'from' | 'to' | 'not'>[] | undefined;
}

/** The end of a page: a request, or one of its findings. */
export interface ListPosition extends RecordPosition {
  readonly finding: number;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** undefined on the last page. */
  readonly next: ListPosition | undefined;
}

/** A page reads at most this many items; where few match it returns fewer than requested. */
const MAX_READ = 10_000;
/** Records requested at once: more after each step in which none matched. */
const MIN_STEP = 25;
const MAX_STEP = 960;
/** Items that such a step reads at most, with those that its store reads in excess. */
const READ_BY_STEP = 1_400;
/** Sorts after every text with the same beginning. */
const BEHIND = '~';

/** Requests, newest first. A page begins where one ended, so new rows do not shift pages. */
export function listRequests(
  filter: RequestFilter,
  limit: number,
  after: ListPosition | undefined,
  reader: RequestRecordReader,
): Promise<Page<RequestRecord>> {
  const query = { ...filter, ...rangeFor(filter), withFindings: false };
  const isExcluded = (record: RequestRecord) =>
    filter.not?.some((one) => fits(record, one) && isWantedRequest(record, one)) === true;
  return list(query, limit, after, reader, ({ record }) =>
    isWantedRequest(record, filter) && !isExcluded(record) ? [{ finding: 0, item: record }] : [],
  );
}

/** The range to read: of one request, the millisecond in its id. */
function rangeFor({ id, from, to }: RequestFilter): Pick<RecordQuery, 'from' | 'to'> {
  const arrivedAt = id === undefined ? undefined : arrivalOf(id);
  if (arrivedAt === undefined) return { from, to };
  const [first, next] = [arrivedAt, arrivedAt + 1].map((ms) => new Date(ms).toISOString()) as [string, string];
  return {
    from: from !== undefined && from > first ? from : first,
    to: to !== undefined && to < next ? to : next,
  };
}

/** Findings, those of the newest request first. */
export function listThreats(
  filter: ThreatFilter,
  limit: number,
  after: ListPosition | undefined,
  reader: RequestRecordReader,
): Promise<Page<Threat>> {
  return list({ ...filter, withFindings: true }, limit, after, reader, (row) =>
    toThreats(row)
      .map((item, finding) => ({ finding, item }))
      .filter(
        ({ item }) =>
          isWanted(item, filter) && filter.not?.some((one) => fits(row.record, one) && isWanted(item, one)) !== true,
      ),
  );
}

/** The findings of a request, each with the request's fields. */
export function toThreats({ record, marks }: StoredRecord): Threat[] {
  const { id: requestId, time, keyId, environment, sessionId, endUserId, provider, model } = record;
  return record.findings.map((finding, at) => ({
    id: threatId({ id: requestId, time, finding: at }),
    object: 'threat',
    time,
    requestId,
    keyId,
    ...(record.teamId !== undefined && { teamId: record.teamId }),
    environment,
    sessionId,
    endUserId,
    provider,
    model,
    ...finding,
    mark: marks[at] ?? null,
  }));
}

/** A finding's id contains the position of its record. */
export function threatId({ id, time, finding }: ListPosition): string {
  return `thr_${Date.parse(time).toString(36)}_${id.slice('req_'.length)}_${finding}`;
}

/** The position in a finding's id; undefined for an invalid id. */
export function readThreatId(text: string): ListPosition | undefined {
  const match = /^thr_([0-9a-z]{1,9})_([0-9a-f]{32})_(\d{1,2})$/.exec(text);
  if (match === null) return undefined;
  const time = new Date(Number.parseInt(match[1] as string, 36));
  if (Number.isNaN(time.getTime())) return undefined;
  return { time: time.toISOString(), id: `req_${match[2]}`, finding: Number(match[3]) };
}

async function list<T>(
  query: CommonFilter & RecordQuery,
  limit: number,
  after: ListPosition | undefined,
  reader: RequestRecordReader,
  itemsOf: (row: StoredRecord) => readonly { readonly finding: number; readonly item: T }[],
): Promise<Page<T>> {
  const items: T[] = [];
  // A page may have ended within a request: that one is read again.
  let from: RecordPosition | undefined = after && { time: after.time, id: `${after.id}${BEHIND}` };
  let step = Math.max(MIN_STEP, limit + 1);
  for (let looked = 0; looked <= MAX_READ - READ_BY_STEP; ) {
    const before = items.length;
    const { rows, next, read } = await reader.page(query, Math.min(step, MAX_STEP), from);
    for (const [at, row] of rows.entries()) {
      if (!fits(row.record, query)) continue;
      const seen = row.record.id === after?.id ? after.finding : -1;
      const unseen = itemsOf(row).filter(({ finding }) => finding > seen);
      const taken = unseen.slice(0, limit - items.length);
      items.push(...taken.map(({ item }) => item));
      const finding = taken.at(-1)?.finding;
      if (items.length < limit || finding === undefined) continue;
      const last = taken.length === unseen.length && at === rows.length - 1 && next === undefined;
      return { items, next: last ? undefined : { time: row.record.time, id: row.record.id, finding } };
    }
    if (next === undefined) return { items, next: undefined };
    looked += read;
    step = items.length > before ? Math.max(MIN_STEP, limit - items.length + 1) : Math.min(MAX_STEP, 2 * step);
    from = next;
  }
  return { items, next: from && { ...from, finding: Number.MAX_SAFE_INTEGER } };
}

function isWanted(threat: Threat, { type, severity, action, rule, mark }: ThreatFilter): boolean {
  return (
    (type === undefined || threat.type === type) &&
    (severity === undefined || threat.severity === severity) &&
    (action === undefined || threat.action === action) &&
    (rule === undefined || threat.rule === rule) &&
    (mark === undefined || (threat.mark ?? 'none') === mark)
  );
}

function fits(record: RequestRecord, filter: CommonFilter): boolean {
  const { keyId, endUserId, environment, model, sessionId, teamId, tag = [] } = filter;
  return (
    (keyId === undefined || record.keyId === keyId) &&
    (endUserId === undefined || record.endUserId === endUserId) &&
    (environment === undefined || record.environment === environment) &&
    (model === undefined || record.model === model) &&
    (teamId === undefined || record.teamId === teamId) &&
    tag.every((one) => hasTag(record, one)) &&
    (sessionId === undefined || record.sessionId === sessionId)
  );
}

function isWantedRequest(record: RequestRecord, filter: RequestFilter): boolean {
  const { id, provider, route, alias, tool, state, status, outcome, errorCode, traceId, action, cache } = filter;
  const { input, output } = record.tokens;
  return (
    (id === undefined || record.id === id) &&
    (provider === undefined || record.provider === provider) &&
    (route === undefined || record.route === route) &&
    (alias === undefined || record.alias === alias) &&
    (tool === undefined || (record.tool !== undefined && matchesGlob(tool, record.tool))) &&
    (state === undefined || record.state === state) &&
    (status === undefined || record.status === status || Math.floor((record.status ?? 0) / 100) === status) &&
    (outcome === undefined || outcomesOf(record).includes(outcome)) &&
    (cache === undefined || record.cache === cache) &&
    (errorCode === undefined || record.errorCode === errorCode) &&
    (traceId === undefined || record.traceId === traceId) &&
    (action === undefined || record.action === action) &&
    isAtLeast(record.threatScore, filter.minScore) &&
    isAtLeast(record.latencyMs, filter.minLatencyMs) &&
    isAtLeast(record.timeToFirstTokenMs, filter.minFirstTokenMs) &&
    isAtLeast((input ?? 0) + (output ?? 0), filter.minTokens) &&
    isAtLeast(record.costUsd, filter.minCostUsd)
  );
}

function hasTag(record: RequestRecord, { name, value }: TagFilter): boolean {
  const tags = { ...record.requestTags, ...record.tags };
  return Object.hasOwn(tags, name) && (value === undefined || tags[name] === value);
}

function isAtLeast(value: number | null, least: number | undefined): boolean {
  return least === undefined || (value !== null && value >= least);
}
