import type { IdentityStore, SeenIdentity, StoredIdentity } from './identity-store.ts';

/** Identities in memory, at most `most` of them. */
export class MemoryIdentities implements IdentityStore {
  readonly stored = new Map<string, StoredIdentity>();
  failure: Error | undefined;
  reads = 0;
  uses = 0;
  most = Number.POSITIVE_INFINITY;

  async get(id: string): Promise<StoredIdentity | undefined> {
    this.reads += 1;
    if (this.failure) throw this.failure;
    return this.stored.get(id);
  }

  async add(seen: SeenIdentity): Promise<StoredIdentity | undefined> {
    if (this.stored.size >= this.most) return undefined;
    const identity = { ...seen, state: 'active', firstSeenAt: seen.lastSeenAt } as const;
    this.stored.set(seen.id, identity);
    return identity;
  }

  async noteUse(seen: SeenIdentity): Promise<void> {
    this.uses += 1;
    const known = this.stored.get(seen.id);
    if (known) this.stored.set(seen.id, { ...known, ...seen });
  }

  disable(id: string): void {
    this.stored.set(id, { ...(this.stored.get(id) as StoredIdentity), state: 'disabled' });
  }
}
