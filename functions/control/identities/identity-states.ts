import { LRUCache } from 'lru-cache';
import { GatewayError, StoreUnavailable } from '../../kernel/errors/index.ts';
import type { Clock } from '../../kernel/tasks/index.ts';
import type { IdentityStore, SeenIdentity, StoredIdentity } from './identity-store.ts';

/** How long the state of an identity is not read again, and how long it is used while the store is unavailable. */
export interface StateAges {
  readonly freshMs: number;
  readonly staleMs: number;
}

const LIKE_KEYS: StateAges = { freshMs: 10_000, staleMs: 30_000 };
const MAX_KNOWN = 10_000;
const NOTED_EVERY_MS = 60_000;
/** New identities of an issuer are counted by the day. */
const RETRY_S = 3_600;

interface Known {
  readonly identity: StoredIdentity;
  readonly readAt: number;
}

/** Whether identities are active, as this process knows it: one that is disabled is refused within 30 s, like a key. */
export class IdentityStates {
  private readonly known = new LRUCache<string, Known>({ maxSize: MAX_KNOWN, sizeCalculation: () => 1 });
  private readonly reading = new Map<string, Promise<Known>>();
  private readonly store: IdentityStore;
  private readonly clock: Clock;
  private readonly ages: StateAges;

  constructor(store: IdentityStore, clock: Clock, ages: StateAges = LIKE_KEYS) {
    this.store = store;
    this.clock = clock;
    this.ages = ages;
  }

  /**
   * The state of an identity, which is stored if it is new. @throws GatewayError `rate_limit_exceeded` for a new one of an issuer that had
   * too many; StoreUnavailable
   */
  async stateOf(seen: SeenIdentity): Promise<StoredIdentity['state']> {
    const { identity } = await this.find(seen);
    if (identity.state === 'active') this.note(seen, identity);
    return identity.state;
  }

  private async find(seen: SeenIdentity): Promise<Known> {
    const { id } = seen;
    const known = this.known.get(id);
    if (known !== undefined && this.ageOf(known) < this.ages.freshMs) return known;
    try {
      // A read that began before a change may miss it: where changes must take effect at once, no read is shared.
      return await ((this.ages.freshMs > 0 ? this.reading.get(id) : undefined) ?? this.read(seen));
    } catch (error) {
      if (known !== undefined && this.ageOf(known) < this.ages.staleMs && error instanceof StoreUnavailable)
        return known;
      throw error;
    }
  }

  private ageOf({ readAt }: Known): number {
    return this.clock.monotonic() - readAt;
  }

  private read(seen: SeenIdentity): Promise<Known> {
    // The age starts before the read.
    const readAt = this.clock.monotonic();
    const reading = this.stored(seen)
      .then((identity) => {
        const known = { identity, readAt };
        this.known.set(seen.id, known);
        return known;
      })
      .finally(() => this.reading.delete(seen.id));
    this.reading.set(seen.id, reading);
    return reading;
  }

  private async stored(seen: SeenIdentity): Promise<StoredIdentity> {
    const identity = (await this.store.get(seen.id)) ?? (await this.store.add(seen));
    if (identity !== undefined) return identity;
    const message = 'The issuer or the team of the token has had too many new identities today. Known ones are served.';
    throw new GatewayError('rate_limit_exceeded', message, { headers: { 'retry-after': String(RETRY_S) } });
  }

  /** Never throws. A failed write is retried after the next read. */
  private note(seen: SeenIdentity, identity: StoredIdentity): void {
    const isNoted = Date.parse(seen.lastSeenAt) - Date.parse(identity.lastSeenAt) < NOTED_EVERY_MS;
    const { ruleId, teamId } = seen;
    if (isNoted && identity.ruleId === ruleId && identity.teamId === teamId) return;
    const known = this.known.get(seen.id);
    const noted = { ...identity, ruleId, teamId, lastSeenAt: seen.lastSeenAt };
    if (known !== undefined) this.known.set(seen.id, { ...known, identity: noted });
    this.store.noteUse(seen).catch(() => {});
  }
}
