import type { HEALTH_STATES, RequestRecord } from '../../kernel/model/index.ts';
import type { RecordPosition, RequestRecordReader } from './request-records.ts';

/** How far back health is derived from request records. */
const WINDOW_MS = 15 * 60_000;
/** A busy deployment has more records in that time: the newest are enough. */
const MAX_RECORDS = 1_000;
const PAGE = 500;
/** From this share of failed requests on, a provider is failing. */
const FAILING_FROM = 0.5;

/** A provider's latest requests, and how many of them it failed. */
export interface ProviderHealth {
  readonly state: (typeof HEALTH_STATES)[number];
  readonly requests: number;
  readonly errors: number;
  readonly lastError: { readonly code: string | null; readonly status: number | null; readonly time: string } | null;
}

export interface HealthReport {
  /** ISO 8601: when the oldest record that was read arrived, or the start of the 15 minutes. */
  readonly from: string;
  readonly to: string;
  readonly records: number;
  /** More requests arrived in the 15 minutes than were read. */
  readonly isCut: boolean;
  readonly byProvider: ReadonlyMap<string, ProviderHealth>;
}

export const NO_REQUESTS: ProviderHealth = { state: 'unknown', requests: 0, errors: 0, lastError: null };

/**
 * Health by provider, from the newest request records. A record names the provider of its last attempt, so failures before a fallback are
 * not counted. @throws StoreUnavailable
 */
export async function readProviderHealth(
  records: Pick<RequestRecordReader, 'page'>,
  nowMs: number,
): Promise<HealthReport> {
  const start = new Date(nowMs - WINDOW_MS).toISOString();
  const read: RequestRecord[] = [];
  let next: RecordPosition | undefined;
  do {
    const page = await records.page({ withFindings: false, from: start }, PAGE, next);
    read.push(...page.rows.map(({ record }) => record));
    next = page.next;
  } while (next !== undefined && read.length < MAX_RECORDS);
  const isCut = next !== undefined;
  const called = read.filter(({ provider, attempts }) => provider !== null && attempts > 0);
  const byProvider = new Map<string, ProviderHealth>();
  for (const [provider, own] of Map.groupBy(called, (record) => record.provider as string)) {
    byProvider.set(provider, toHealth(own));
  }
  const from = isCut ? (read.at(-1)?.time ?? start) : start;
  return { from, to: new Date(nowMs).toISOString(), records: read.length, isCut, byProvider };
}

/** `records` are the newest first. */
function toHealth(records: readonly RequestRecord[]): ProviderHealth {
  const failed = records.filter(isProviderError);
  const last = failed[0];
  const share = failed.length / records.length;
  const state = failed.length === 0 ? 'ok' : share >= FAILING_FROM ? 'failing' : 'degraded';
  const lastError = last ? { code: last.errorCode, status: last.status, time: last.time } : null;
  return { state, requests: records.length, errors: failed.length, lastError };
}

const PROVIDER_CODES: ReadonlySet<string> = new Set([
  'provider_error',
  'provider_timeout',
  'provider_overloaded',
  'insufficient_quota',
  'rate_limit_exceeded',
]);

/** Whether the provider failed, as opposed to the request. Limits of the gateway refuse before the first attempt. */
function isProviderError({ state, status, errorCode }: RequestRecord): boolean {
  return state === 'failed' && ((errorCode !== null && PROVIDER_CODES.has(errorCode)) || (status ?? 0) >= 500);
}
