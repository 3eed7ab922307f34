import type { RequestRecord } from '../../functions/admin-api/contract.ts';
import { AdminApiError } from './admin-client.ts';

/** A record is written when its request ends, 15 minutes after it came in at the latest, and stands under when it came in; clocks may differ. */
export const LATEST_MS = 20 * 60_000;
/** Most requests have ended, and are in the list, so soon. */
const RECENT_MS = 60_000;
/** Between two looks at all that may still come. */
const THOROUGH_EVERY_MS = 60_000;

/** The records of requests that came in from a time on, in any order. */
export type ReadRequests = (from: string) => AsyncIterable<RequestRecord>;

/** What happened in a request, for who watches; undefined where it is no matter for them. */
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
 * Tells each request that is blocked, limited or has findings once, and none of them never: every look covers what may have come
 * in behind the one before, most looks the last minute, one each minute everything that may still have been running.
 */
export class RequestTail {
  private readonly read: ReadRequests;
  /** By id, when they came in: what was told, or is from before. */
  private readonly known = new Map<string, number>();
  private readonly sinceMs: number;
  private thoroughAt = Number.NEGATIVE_INFINITY;
  private lookedAt: number;

  /** Tells what came in since `sinceMs`, and of what came in before it only what ended later than the first look. */
  constructor(read: ReadRequests, sinceMs: number, nowMs: number) {
    this.read = read;
    this.sinceMs = sinceMs;
    this.lookedAt = nowMs;
  }

  /** What is new, the oldest first. Where it throws nothing was told, and the next look covers it. */
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
    // Nothing reads so far back any more.
    for (const [id, timeMs] of this.known) if (timeMs < nowMs - 2 * LATEST_MS) this.known.delete(id);
    return found
      .filter(({ time }) => !first || Date.parse(time) >= this.sinceMs)
      .sort((a, b) => (a.time < b.time ? -1 : 1));
  }
}

/** Whether it makes sense to ask again: the API is away, or too many ask. */
export function isPassing(error: unknown): error is AdminApiError {
  return error instanceof AdminApiError && (error.status === undefined || error.status === 429 || error.status >= 500);
}
