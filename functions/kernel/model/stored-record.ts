import type { RequestRecord } from './analytics.ts';

/** A stored record. The first releases stored some fields not at all. */
export function readStoredRecord(text: string): RequestRecord {
  const record = JSON.parse(text) as Omit<RequestRecord, 'attempts' | 'shadow'>;
  return { attempts: record.provider === null ? 0 : 1, shadow: null, ...record };
}
