import { LRUCache } from 'lru-cache';
import { StoreUnavailable } from '../../kernel/errors/index.ts';
import type { ApiKey } from '../../kernel/model/index.ts';
import type { Clock } from '../../kernel/tasks/index.ts';
import type { KeyFinder, KeyUseStore } from './key-store.ts';

/** After this time a key is read again, so that a change takes effect. */
const FRESH_MS = 10_000;
/**
 * While the store is unavailable, a known key stays valid at most this long, which is also the limit for revocation.
 */
const STALE_MS = 30_000;
const MAX_KEYS = 10_000;
/** Unknown secrets are cached separately, so that a flood of them evicts no key. */
const MAX_UNKNOWN = 10_000;

interface Entry<T> {
  readonly found: T;
  readonly readAt: number;
}

export interface KeyCacheOptions {
  /** How long a found key is not read again; 0 where changes must take effect at once. */
  readonly freshMs: number;
  /** How long a found key is used while the store is unavailable. */
  readonly staleMs: number;
}

/**
 * Caches look-ups for seconds, unknown secrets included; concurrent look-ups of one secret share a read. Secrets that
 * were never found are read only with the deployment's seal, or as often as `LookUpBudget` allows; else they count as
 * unknown.
 */
export class KeyCache {
  private readonly keys = new LRUCache<string, Entry<ApiKey>>({ maxSize: MAX_KEYS, sizeCalculation: () => 1 });
  private readonly unknown = new LRUCache<string, Entry<undefined>>({ maxSize: MAX_UNKNOWN, sizeCalculation: () => 1 });
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

  /** The key of a secret, by its hashes; `isSealed` is called only for secrets without a known key, and may throw to refuse them. */
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

  /** A read that began before a change may miss it: where changes must take effect at once, no read is shared. */
  private running(name: string): Promise<ApiKey | undefined> | undefined {
    return this.freshMs > 0 ? this.pending.get(name) : undefined;
  }

  private read(hashes: readonly [string, ...string[]]): Promise<ApiKey | undefined> {
    const [name] = hashes;
    // The age starts before the read, for the same reason.
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

/**
 * Look-ups of unsealed keys at once, per process. Such keys are rare: only the first admin key can be supplied from
 * outside.
 */
const AT_ONCE = 200;
const PER_SECOND = 20;

/** Limits how often this process looks up unsealed secrets: 200 at once, refilled at 20 a second. */
export class LookUpBudget {
  private readonly clock: Clock;
  private left = AT_ONCE;
  private countedAt: number;

  constructor(clock: Clock) {
    this.clock = clock;
    this.countedAt = clock.monotonic();
  }

  /** Takes one look-up; returns false where none is left. */
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
 * Records when a key was last used, at most once a minute, without delaying the request. A failed write is retried in
 * the next minute. Functions see each other's records when they read the key, and do not repeat them.
 */
export class KeyUses {
  /** When a use of a key was last recorded, as far as known; milliseconds. */
  private readonly noted = new LRUCache<string, number>({ maxSize: MAX_NOTED, sizeCalculation: () => 1 });
  private readonly store: KeyUseStore;
  private readonly clock: Clock;

  constructor(store: KeyUseStore, clock: Clock) {
    this.store = store;
    this.clock = clock;
  }

  /** `hashes`: those of the presented secret, the current pepper's first. Never throws. */
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
