import type { Session } from '../model/analytics.ts';
import type { AggregateReader, SessionList, SessionQuery } from './aggregate-store.ts';
import { type SessionValue, sessionKey, toSession } from './session-totals.ts';

/** Which sessions are listed. */
export interface SessionFilter extends SessionQuery {
  readonly environment?: string | undefined;
  readonly model?: string | undefined;
}

/** So many sessions are looked at for one page, where few of them fit. */
const MAX_LOOKED_AT = 1_000;
const MIN_READ = 25;

/** Sessions, those that began last first; `next` is where the page ended, undefined on the last. */
export async function listSessions(
  filter: SessionFilter,
  limit: number,
  after: string | undefined,
  list: SessionList,
): Promise<{ items: Session[]; next: string | undefined }> {
  const items: Session[] = [];
  let from = after;
  for (let lookedAt = 0; lookedAt < MAX_LOOKED_AT; ) {
    const size = Math.max(MIN_READ, limit - items.length + 1);
    const { values, next } = await list.listSessions(filter, size, from);
    const found = values as readonly SessionValue[];
    for (const [at, value] of found.entries()) {
      if (!fits(value, filter)) continue;
      items.push(toSession(value));
      if (items.length < limit) continue;
      const last = at === found.length - 1 && next === undefined;
      return { items, next: last ? undefined : value.sort };
    }
    if (next === undefined) return { items, next: undefined };
    lookedAt += size;
    from = next;
  }
  return { items, next: from };
}

/** The sessions of this name: several keys may each have one. */
export async function findSessions(sessionId: string, reader: AggregateReader): Promise<Session[]> {
  const { pk } = sessionKey(sessionId, '');
  const rows = await reader.range(pk, 'key_', 'key_~');
  return rows.map(({ value }) => toSession(value as SessionValue));
}

function fits(value: SessionValue, { keyId, endUserId, environment, model }: SessionFilter): boolean {
  return (
    (keyId === undefined || value.keyId === keyId) &&
    // Its place among an end user's stays when another one is named.
    (endUserId === undefined || value.endUser?.id === endUserId) &&
    (environment === undefined || value.environment === environment) &&
    (model === undefined || value.models.includes(model))
  );
}
