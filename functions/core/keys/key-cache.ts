import { LRUCache } from 'lru-cache';
import type { Clock } from '../base/clock.ts';
import { StoreUnavailable } from '../base/errors.ts';
import type { ApiKey } from '../model/api-key.ts';
import type { KeyFinder, KeyUseStore } from './key-store.ts';

/** A key that was changed or revoked is seen everywhere within this time. */
const FRESH_MS = 10_000;
/** While the store is out of reach, a key that was known stays valid no longer than revocation may take. */
const STALE_MS = 30_000;
const MAX_KEYS = 10_000;
/** So many unknown ones, which cost an attacker nothing, never push out a key. */
const MAX_UNKNOWN = 10_000;

interface Entry<T> {
  readonly found: T;
  readonly readAt: number;
}

export interface KeyCacheOptions {
  /** How long a key that was found is not read again; 0 where a change must count at once. */
  readonly freshMs: number;
  /** How long it is used where the store is away. */
  readonly staleMs: number;
}

/**
 * Remembers look-ups, unknown secrets too, for seconds; concurrent look-ups of one secret share a read. Junk can neither fill
 * the memory nor become a flood of reads: what was never found is looked up only where the deployment's seal vouches for it,
 * or as often as the budget allows, and is unknown otherwise.
 */
export class KeyCache {
  private readonly keys = new LRUCache<string, Entry<ApiKey>>({ max: MAX_KEYS });
  private readonly unknown = new LRUCache<string, Entry<undefined>>({ max: MAX_UNKNOWN });
  private readonly pending = new Map<string, Promise<ApiKey | undefined>>();
  private readonly budget: LookUpBudget;
  private readonly finder: KeyFinder;
  private readonly clock: Clock;
  private readonly freshMs: number;
  private readonly staleMs: number;

  constructor(
    finder: KeyFinder,
    clock: Clock,
    { freshMs, staleMs }: KeyCacheOptions = { freshMs: FRESH_MS, staleMs: STALE_MS },
  ) {
    this.finder = finder;
    this.clock = clock;
    this.freshMs = freshMs;
    this.staleMs = staleMs;
    this.budget = new LookUpBudget(clock);
  }

  /** The key of a secret, by its hashes; `isSealed` is asked only about secrets that no key was found for. */
  async find(hashes: readonly [string, ...string[]], isSealed: () => Promise<boolean>): Promise<ApiKey | undefined> {
    const [name] = hashes;
    const known = this.keys.get(name);
    if (known && this.age(known) < this.freshMs) return known.found;
    if (known === undefined && this.running(name) === undefined) {
      const missed = this.unknown.get(name);
      if (missed && this.age(missed) < FRESH_MS) return undefined;
      if (!(await isSealed()) && !this.budget.take()) return undefined;
    }
    try {
      return await (this.running(name) ?? this.read(hashes));
    } catch (error) {
      if (known && this.age(known) < this.staleMs && error instanceof StoreUnavailable) return known.found;
      throw error;
    }
  }

  private age({ readAt }: Entry<unknown>): number {
    return this.clock.monotonic() - readAt;
  }

  /** A read that began before a change may not have it: where changes must count at once none is shared. */
  private running(name: string): Promise<ApiKey | undefined> | undefined {
    return this.freshMs > 0 ? this.pending.get(name) : undefined;
  }

  private read(hashes: readonly [string, ...string[]]): Promise<ApiKey | undefined> {
    const [name] = hashes;
    // The age counts from before the read, for the same reason.
    const readAt = this.clock.monotonic();
    const reading = this.finder
      .find(hashes)
      .then((found) => {
        this.keys.delete(name);
        this.unknown.delete(name);
        if (found === undefined) this.unknown.set(name, { found, readAt });
        else this.keys.set(name, { found, readAt });
        return found;
      })
      .finally(() => this.pending.delete(name));
    this.pending.set(name, reading);
    return reading;
  }
}

/** Keys that a deployment did not make itself are few: the first admin's, where it was brought along. */
const AT_ONCE = 200;
const PER_SECOND = 20;

/** How often this process may look for secrets that anybody could have invented. */
export class LookUpBudget {
  private readonly clock: Clock;
  private left = AT_ONCE;
  private countedAt: number;

  constructor(clock: Clock) {
    this.clock = clock;
    this.countedAt = clock.monotonic();
  }

  /** Takes one look-up; false where none is left. */
  take(): boolean {
    const now = this.clock.monotonic();
    this.left = Math.min(AT_ONCE, this.left + ((now - this.countedAt) * PER_SECOND) / 1000);
    this.countedAt = now;
    if (this.left < 1) return false;
    this.left -= 1;
    return true;
  }
}

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
