import { createHash } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { type ApiKey, keyState } from '../model/api-key.ts';
import type { KeyExpiryStore, KeyStore } from './key-store.ts';
import { keyEventData } from './make-key.ts';

/** So long before its end it is told that a key expires. */
export const NOTICE_MS = 7 * 86_400_000;
const PAGE = 100;

export interface ExpiringKeysDeps {
  readonly keys: Pick<KeyStore, 'list'> & KeyExpiryStore;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Tells of each active key that expires within a week, once for each end that it is given: the event is in the write that
 * notes that it was told.
 * @returns how many it told of
 * @throws StoreUnavailable: what was told until then is noted, the rest is for the next time
 */
export async function tellExpiringKeys({ keys, clock }: ExpiringKeysDeps): Promise<number> {
  let told = 0;
  let cursor: string | undefined;
  do {
    const page = await keys.list(PAGE, cursor);
    for (const { key, expiryTold } of page.keys) {
      const now = clock.now();
      if (key.expiresAt === null || key.expiresAt === expiryTold || !isExpiring(key, now)) continue;
      const [id, created] = [eventIdOf(key.id, key.expiresAt), new Date(now).toISOString()];
      const event = { id, type: 'key.expiring', created, data: keyEventData(key, now) } as const;
      if (await keys.tellExpiry(key, key.expiresAt, event)) told += 1;
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
