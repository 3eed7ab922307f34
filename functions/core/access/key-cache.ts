import type { ApiKey } from '../model/api-key.ts';
import type { Clock } from '../ports/clock.ts';
import { StoreUnavailable } from '../ports/key-store.ts';

/** A key that was changed or revoked is seen everywhere within this time. */
const FRESH_MS = 10_000;
/** While the store is out of reach, a key that was known stays valid no longer than revocation may take. */
const STALE_MS = 30_000;
const MAX_ENTRIES = 10_000;

interface Entry {
  readonly key: ApiKey | undefined;
  readonly readAt: number;
}

/**
 * Remembers look-ups by secret hash, unknown keys too, for seconds; concurrent look-ups of one hash share a read. The
 * oldest entry goes first when there are too many, so that junk cannot fill the memory.
 */
export class KeyCache {
  private readonly entries = new Map<string, Entry>();
  private readonly pending = new Map<string, Promise<ApiKey | undefined>>();
  private readonly read: (secretHash: string) => Promise<ApiKey | undefined>;
  private readonly clock: Clock;

  constructor(read: (secretHash: string) => Promise<ApiKey | undefined>, clock: Clock) {
    this.read = read;
    this.clock = clock;
  }

  async find(secretHash: string): Promise<ApiKey | undefined> {
    const entry = this.entries.get(secretHash);
    if (entry && this.clock.monotonic() - entry.readAt < FRESH_MS) return entry.key;
    try {
      return await this.refresh(secretHash);
    } catch (error) {
      const known = entry?.key !== undefined && this.clock.monotonic() - entry.readAt < STALE_MS;
      if (known && error instanceof StoreUnavailable) return entry.key;
      throw error;
    }
  }

  private refresh(secretHash: string): Promise<ApiKey | undefined> {
    const running = this.pending.get(secretHash);
    if (running) return running;
    // The age counts from before the read: what is written while it runs may not be in it.
    const readAt = this.clock.monotonic();
    const reading = this.read(secretHash)
      .then((key) => {
        this.entries.delete(secretHash);
        this.entries.set(secretHash, { key, readAt });
        const oldest = this.entries.size > MAX_ENTRIES ? this.entries.keys().next().value : undefined;
        if (oldest !== undefined) this.entries.delete(oldest);
        return key;
      })
      .finally(() => this.pending.delete(secretHash));
    this.pending.set(secretHash, reading);
    return reading;
  }
}
