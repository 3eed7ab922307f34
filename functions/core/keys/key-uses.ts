import { LRUCache } from 'lru-cache';
import type { Clock } from '../base/clock.ts';
import type { ApiKey } from '../model/api-key.ts';
import type { KeyUseStore } from './key-store.ts';

const NOTED_EVERY_MS = 60_000;
const MAX_NOTED = 10_000;

/**
 * Notes when a key was last used, at most once a minute. Nobody waits for the note; where it cannot be written the next
 * minute's is tried. Functions that share a key see each other's notes when they read it, and do not repeat them.
 */
export class KeyUses {
  /** When a use of a key was last noted, here or, as far as is known, elsewhere; milliseconds. */
  private readonly noted = new LRUCache<string, number>({ max: MAX_NOTED });
  private readonly store: KeyUseStore;
  private readonly clock: Clock;

  constructor(store: KeyUseStore, clock: Clock) {
    this.store = store;
    this.clock = clock;
  }

  /** `hashes`: those of the secret that was presented, the current pepper's first. Never throws. */
  note(key: ApiKey, hashes: readonly [string, ...string[]]): void {
    const now = this.clock.now();
    const noted = this.noted.get(key.id) ?? 0;
    if (now - noted < NOTED_EVERY_MS) return;
    const elsewhere = Date.parse(key.lastUsedAt ?? '') || 0;
    const isNoted = now - elsewhere < NOTED_EVERY_MS;
    this.noted.set(key.id, isNoted ? elsewhere : now);
    if (isNoted) return;
    const [current, ...others] = hashes;
    const use = { usedAt: new Date(now).toISOString(), ...(others.includes(key.secretHash) && { seenHash: current }) };
    this.store.noteUse(key, use).catch(() => {});
  }
}
