import type { RequestRecord, Summary } from '../../functions/contract/index.ts';
import { compareAnalytics, type ReadAnalytics, readList } from './compare-analytics.ts';
import { eventually } from './eventually.ts';

export interface RecountOptions {
  /** Ends in `/v1`, the base of both APIs. */
  readonly baseUrl: string;
  readonly adminKey: string;
  readonly requests: number;
  readonly atOnce: number;
}

export interface Recount {
  /** How many records there were. */
  readonly records: number;
  /** How they ended, in words: `4000 completed, ...`. */
  readonly kinds: string;
  /** Ways in which totals and the recount were compared. */
  readonly compared: number;
  /** What differed, in words; empty where analytics are exact. */
  readonly differences: readonly string[];
}

const FILTERS: readonly Readonly<Record<string, string>>[] = [
  {},
  { environment: 'Staging' },
  { model: 'echo' },
  { endUserId: 'user-3' },
  { endUserId: 'user-3', model: 'echo' },
];
const TEXTS = ['Hello', 'SVC-TEST-BLOCK-7f3a', 'How are you?', 'SVC-TEST-FLAG-7f3a', 'SVC-TEST-REDACT-7f3a', 'Hi'];

/**
 * Sends requests of every kind at once, some of them twice as fast as others, and compares what analytics say with a recount
 * of the raw records, read page by page: totals, groups and series, under several filters.
 */
export async function recount({ baseUrl, adminKey, requests, atOnce }: RecountOptions): Promise<Recount> {
  const call = async (path: string, body?: object, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await fetch(`${baseUrl}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, text: await answer.text() };
  };
  const read: ReadAnalytics = async (path) => {
    const { status, text } = await call(path);
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    return JSON.parse(text);
  };
  const keys: string[] = [];
  const filters = [...FILTERS];
  for (const environment of ['Production', 'Staging', 'Development']) {
    const rateLimit = { requests: environment === 'Development' ? 10 : 1_000_000, period: 'hour' };
    const made = await call('/admin/keys', { name: environment, environment, rateLimit, maxConcurrent: null });
    const { id, key } = JSON.parse(made.text) as { id: string; key: string };
    keys.push(key);
    filters.push({ keyId: id });
  }
  let next = 0;
  const send = async () => {
    while (next < requests) {
      const at = next;
      next += 1;
      const { path, body, headers } = requestOf(at);
      await call(path, body, {
        authorization: `Bearer ${keys[Math.floor(at / TEXTS.length) % keys.length]}`,
        ...headers,
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, send));

  const records = await readList<RequestRecord>(read, '/analytics/requests');
  // Totals are counted in background tasks.
  await eventually(async () => (await read<Summary>('/analytics/summary')).requests >= records.length);
  const { compared, differences } = await compareAnalytics(read, records, filters);
  if (records.length !== requests) differences.unshift(`${records.length} records of ${requests} requests`);
  return { records: records.length, kinds: kindsOf(records), compared, differences };
}

function kindsOf(records: readonly RequestRecord[]): string {
  const kindOf = ({ state, errorCode, stream }: RequestRecord) =>
    `${state}${errorCode === null ? '' : ` (${errorCode})`}${stream ? ', streamed' : ''}`;
  const kinds = [...Map.groupBy(records, kindOf)].sort(([, a], [, b]) => b.length - a.length);
  return kinds.map(([kind, of]) => `${of.length} ${kind}`).join('; ');
}

/** Successful, blocked, flagged, redacted, refused, failed and guarded requests, streams, sessions and end users, in turn. */
function requestOf(at: number): { path: string; body: object; headers: Record<string, string> } {
  const text = TEXTS[at % TEXTS.length] as string;
  const headers: Record<string, string> = {
    ...(at % 4 === 1 && { 'x-end-user-id': `user-${at % 7}` }),
    ...(at % 7 === 2 && { 'x-session-id': `talk-${at % 11}` }),
    ...(at % 9 === 0 && { 'x-environment': 'canary' }),
  };
  if (at % 8 === 3) return { path: '/guard', body: { input: text }, headers };
  // Nothing listens where OpenAI's API is said to be.
  const model = at % 13 === 0 ? 'no-such-model' : at % 19 === 7 ? 'gpt-4o-mini' : 'echo';
  const messages = at % 17 === 0 ? [] : [{ role: 'user', content: text }];
  return { path: '/chat/completions', body: { model, messages, stream: at % 5 < 2 }, headers };
}
