import type { Mark, RecordedFinding, RequestRecord, Threat } from '../model/analytics.ts';
import type { RecordPosition, RecordQuery, RequestRecordReader, StoredRecord } from './request-records.ts';

/** Which requests to list. */
export interface RequestFilter extends Omit<RecordQuery, 'withFindings'> {
  readonly environment?: string | undefined;
  readonly model?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly state?: RequestRecord['state'] | undefined;
}

/** Which findings to list. */
export interface ThreatFilter extends Omit<RequestFilter, 'state'> {
  readonly type?: RecordedFinding['type'] | undefined;
  readonly severity?: RecordedFinding['severity'] | undefined;
  readonly action?: RecordedFinding['action'] | undefined;
  readonly rule?: string | undefined;
  /** `none`: those without a mark. */
  readonly mark?: Mark | 'none' | undefined;
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

/** A page reads at most this many rows; where few match it returns fewer than requested. */
const MAX_LOOKED_AT = 2_000;
const MIN_READ = 25;
/** Sorts after every text with the same beginning. */
const BEHIND = '~';

/** Requests, newest first. A page begins where one ended, so new rows do not shift pages. */
export function listRequests(
  { action, ...filter }: RequestFilter & { readonly action?: RequestRecord['action'] | undefined },
  limit: number,
  after: ListPosition | undefined,
  reader: RequestRecordReader,
): Promise<Page<RequestRecord>> {
  return list({ ...filter, withFindings: false }, limit, after, reader, ({ record }) =>
    action === undefined || record.action === action ? [{ finding: 0, item: record }] : [],
  );
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
      .filter(({ item }) => isWanted(item, filter)),
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
  query: RequestFilter & RecordQuery,
  limit: number,
  after: ListPosition | undefined,
  reader: RequestRecordReader,
  itemsOf: (row: StoredRecord) => readonly { readonly finding: number; readonly item: T }[],
): Promise<Page<T>> {
  const items: T[] = [];
  // A page may have ended within a request: that one is read again.
  let from: RecordPosition | undefined = after && { time: after.time, id: `${after.id}${BEHIND}` };
  for (let lookedAt = 0; lookedAt < MAX_LOOKED_AT; ) {
    const size = Math.max(MIN_READ, limit - items.length + 1);
    const { rows, next } = await reader.page(query, size, from);
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
    lookedAt += size;
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

function fits(record: RequestRecord, { keyId, environment, model, sessionId, state }: RequestFilter): boolean {
  return (
    (keyId === undefined || record.keyId === keyId) &&
    (environment === undefined || record.environment === environment) &&
    (model === undefined || record.model === model) &&
    (sessionId === undefined || record.sessionId === sessionId) &&
    (state === undefined || record.state === state)
  );
}
