/** Records of requests, the totals that are counted from them, and lists, series and sessions made of both. */
export type {
  Aggregate,
  AggregateKey,
  AggregateReader,
  AggregateRow,
  AggregateStore,
  SessionList,
  SessionQuery,
  VersionedAggregate,
} from './aggregate-store.ts';
export { ceilTo, DAY_MS, endUserListKey, endUserPartitions, floorTo, HOUR_MS } from './cells.ts';
export { assertCountable, type Batch, countRecords, forgottenKey } from './count-records.ts';
export { countScores } from './count-scores.ts';
export { type ListPosition, listRequests, listThreats, type Page, readThreatId, toThreats } from './list-requests.ts';
export { type HealthReport, NO_REQUESTS, readProviderHealth } from './provider-health.ts';
export { type AggregateQuery, seriesOf, summarize } from './query-aggregates.ts';
export type {
  CaptureStore,
  EndUserStore,
  RecordPosition,
  RecordQuery,
  RequestRecordReader,
  RequestRecords,
  StoredRecord,
} from './request-records.ts';
export { readRollout } from './rollout-counts.ts';
export { findSessions, listSessions, sessionIdIn } from './sessions.ts';
