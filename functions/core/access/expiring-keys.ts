import { createHash } from 'node:crypto';
import { type ApiKey, keyState, toKeyView } from '../model/api-key.ts';
import type { Clock } from '../ports/clock.ts';
import type { EventPublisher } from '../ports/event-publisher.ts';
import type { KeyExpiryStore, KeyStore } from '../ports/key-store.ts';

/** So long before its end it is told that a key expires. */
export const NOTICE_MS = 7 * 86_400_000;
const PAGE = 100;

export interface ExpiringKeysDeps {
  readonly keys: Pick<KeyStore, 'list'> & KeyExpiryStore;
  readonly events: EventPublisher;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Tells of each active key that expires within a week, once for each end that it is given. An event is noted after it is
 * published: who is cut off between the two tells it again, by the same id.
 * @returns how many it told of
 * @throws StoreUnavailable: what was told until then is noted, the rest is for the next time
 */
export async function tellExpiringKeys({ keys, events, clock }: ExpiringKeysDeps): Promise<number> {
  let told = 0;
  let cursor: string | undefined;
  do {
    const page = await keys.list(PAGE, cursor);
    for (const { key, expiryTold } of page.keys) {
      const now = clock.now();
      if (key.expiresAt === null || key.expiresAt === expiryTold || !isExpiring(key, now)) continue;
      const [id, created] = [eventIdOf(key.id, key.expiresAt), new Date(now).toISOString()];
      await events.publish({ id, type: 'key.expiring', created, data: toKeyView(key, now) });
      await keys.noteExpiryTold(key, key.expiresAt);
      told += 1;
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return told;
}

function isExpiring(key: ApiKey, nowMs: number): boolean {
  return keyState(key, nowMs) === 'active' && Date.parse(key.expiresAt ?? '') - nowMs <= NOTICE_MS;
}

function eventIdOf(keyId: string, expiresAt: string): string {
  return `evt_${createHash('sha256').update(`${keyId} expires ${expiresAt}`).digest('hex').slice(0, 32)}`;
}
