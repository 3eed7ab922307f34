import { setTimeout as pause } from 'node:timers/promises';
import type { RequestRecord } from '../../../functions/contract/index.ts';
import { ruleName } from '../../rule-name.ts';
import { AdminApiError, type AdminClient } from '../admin-client.ts';
import type { Command } from '../command.ts';
import { optionsOf, queryFrom } from '../fields.ts';
import { keyNames } from '../key-names.ts';
import type { Output } from '../output.ts';

const KINDS = ['threat', 'blocked', 'limited'] as const;
const EVERY_MS = 2_000;

/** The filters of requests that are not known yet; `--since` is the range. */
const FILTERS = optionsOf('listRequests', 'from', 'to', 'limit', 'id', 'traceId');

export const EVENT_COMMANDS: readonly Command[] = [
  {
    name: 'events tail',
    args: [],
    summary: 'Follows requests that are blocked, limited or have findings, until Ctrl-C.',
    options: {
      since: {
        value: 'TIME',
        help: 'Start with earlier requests: a time, or how long ago (90s, 30m, 24h, 7d). Default: now.',
      },
      only: { value: 'A,B', help: 'Only these kinds. Default: all.', choices: KINDS, list: true },
      every: { value: 'DURATION', help: 'Interval between reads, in seconds, minutes or hours (5s, 1m). Default: 2s.' },
      ...FILTERS,
    },
    examples: ['events tail', 'events tail --since 1h --only blocked,limited --json'],
    async run(input, context) {
      const { api, out, nowMs, untilStopped } = context;
      const client = api();
      const only: readonly (string | undefined)[] = input.list('only') ?? KINDS;
      const everyMs = input.duration('every') ?? EVERY_MS;
      const sinceMs = Date.parse(input.time('since', nowMs) ?? new Date(nowMs).toISOString());
      const query = await queryFrom('listRequests', input, context);
      const tail = new RequestTail(
        (from) => client.list('listRequests', { query: { ...query, from } }),
        sinceMs,
        nowMs,
      );
      const names: KeyNames = new Map();
      const signal = untilStopped();
      while (!signal.aborted) {
        try {
          const records = (await tail.look(Date.now())).filter((record) => only.includes(kindOf(record)));
          if (!out.json) await addNames(names, client, records);
          for (const record of records) print(record, names, out);
        } catch (error) {
          if (!isPassing(error)) throw error;
          out.say(`${error.message}; retrying`);
        }
        await pause(everyMs, undefined, { signal }).catch(() => {});
      }
      return 0;
    },
  },
];

/** Names of keys by id; undefined for one whose name is unknown. */
type KeyNames = Map<string, string | undefined>;

/** Looks up each key once. */
async function addNames(names: KeyNames, client: AdminClient, records: readonly RequestRecord[]): Promise<void> {
  const unknown = records.map(({ keyId }) => keyId).filter((id) => !names.has(id));
  const found = await keyNames(client, unknown);
  for (const id of unknown) names.set(id, found.get(id));
}

function print(record: RequestRecord, names: KeyNames, out: Output): void {
  if (out.json) {
    out.objects([{ kind: kindOf(record), ...record }]);
    return;
  }
  const { time, id, keyId, endUserId, threatScore, findings, errorCode } = record;
  const rules = [...new Set(findings.map(ruleName))].join();
  const words = [
    time,
    kindOf(record),
    id,
    keyId,
    names.get(keyId) ?? '-',
    endUserId ?? '-',
    threatScore,
    rules || (errorCode ?? '-'),
  ];
  out.line(words.join('  '));
}

/** Records are written when a request ends, at most 15 minutes after its start, and listed by its start; clocks may differ. */
const LATEST_MS = 20 * 60_000;
/** Most requests have ended and are listed after this time. */
const RECENT_MS = 60_000;
/** Interval of looks over LATEST_MS. */
const THOROUGH_EVERY_MS = 60_000;

/** Records of requests that started at a time or later, in any order. */
type ReadRequests = (from: string) => AsyncIterable<RequestRecord>;

/** The kind of a request; undefined if it is not shown. */
export function kindOf({
  status,
  action,
  findings,
  state,
}: RequestRecord): 'blocked' | 'threat' | 'limited' | undefined {
  if (status === 429) return 'limited';
  if (state === 'blocked' || action === 'block') return 'blocked';
  return findings.length > 0 ? 'threat' : undefined;
}

/**
 * Returns each request that is blocked, limited or has findings exactly once. Records may arrive late, so most looks read the last minute
 * again, and one look each minute reads everything that may still have been running.
 */
export class RequestTail {
  private readonly read: ReadRequests;
  /** Start times of known requests (returned, or older than the tail), by id. */
  private readonly known = new Map<string, number>();
  private readonly sinceMs: number;
  private thoroughAt = Number.NEGATIVE_INFINITY;
  private lookedAt: number;

  /** Returns requests that started since `sinceMs`, and earlier ones only if they ended after the first look. */
  constructor(read: ReadRequests, sinceMs: number, nowMs: number) {
    this.read = read;
    this.sinceMs = sinceMs;
    this.lookedAt = nowMs;
  }

  /** New requests, the oldest first. After an error the next look covers the same time. */
  async look(nowMs: number): Promise<RequestRecord[]> {
    const first = this.thoroughAt === Number.NEGATIVE_INFINITY;
    const thorough = nowMs - this.thoroughAt >= THOROUGH_EVERY_MS;
    const reach = thorough ? LATEST_MS : RECENT_MS;
    const from = Math.min(this.lookedAt - reach, first ? this.sinceMs : Number.POSITIVE_INFINITY);
    const found: RequestRecord[] = [];
    for await (const record of this.read(new Date(from).toISOString())) {
      if (kindOf(record) !== undefined && !this.known.has(record.id)) found.push(record);
    }
    for (const { id, time } of found) this.known.set(id, Date.parse(time));
    if (thorough) this.thoroughAt = nowMs;
    this.lookedAt = nowMs;
    // Later looks do not reach back this far.
    for (const [id, timeMs] of this.known) if (timeMs < nowMs - 2 * LATEST_MS) this.known.delete(id);
    return found
      .filter(({ time }) => !first || Date.parse(time) >= this.sinceMs)
      .sort((a, b) => (a.time < b.time ? -1 : 1));
  }
}

/** Whether a retry makes sense: the API is unavailable or limits requests. */
export function isPassing(error: unknown): error is AdminApiError {
  return error instanceof AdminApiError && (error.status === undefined || error.status === 429 || error.status >= 500);
}
