import { createHash } from 'node:crypto';
import type { SealerFor } from '../../kernel/crypto/index.ts';
import { type Clock, runInSlices, type Scheduler } from '../../kernel/tasks/index.ts';
import type { ItemStore } from './item-store.ts';

/** A larger response is not stored. */
export const MAX_CACHED_BYTES = 4 * 1024 * 1024;
const SALT_BYTES = 16;

/** Those who share cached responses: a key, or a team. */
export interface CacheScope {
  readonly id: string;
  readonly sealerFor: SealerFor;
}

/** A request in a scope. */
export interface CachedRequest {
  readonly scope: CacheScope;
  readonly name: string;
}

/** How long a response is kept, and whose data it is. */
export interface CacheTerms {
  readonly ttlMs: number;
  readonly endUserId: string | null;
}

/** Responses by the exact request, encrypted with a secret of their scope. */
export class ResponseCache {
  private readonly store: ItemStore;
  private readonly clock: Clock;
  private readonly scheduler: Scheduler;
  private readonly version: string;

  /** @param version of the gateway: another one may write responses in another form */
  constructor(store: ItemStore, clock: Clock, scheduler: Scheduler, version: string) {
    this.store = store;
    this.clock = clock;
    this.scheduler = scheduler;
    this.version = version;
  }

  /** Names the request. Without the scope's secret, no guess of the request can be compared with the name. */
  async nameOf(scope: CacheScope, request: string): Promise<CachedRequest> {
    const of = `svc response cache ${this.version} ${scope.id}`;
    const salt = createHash('sha256').update(of).digest().subarray(0, SALT_BYTES);
    const tag = await runInSlices(scope.sealerFor(of, salt).tagOf(request), this.scheduler);
    return {
      scope,
      name: createHash('sha256')
        .update(JSON.stringify([of, tag]))
        .digest('hex'),
    };
  }

  /** The stored text if it is younger than `maxAgeMs`; undefined if there is none that this scope can read. @throws StoreUnavailable */
  async find({ scope, name }: CachedRequest, maxAgeMs: number): Promise<string | undefined> {
    const now = this.clock.now();
    for await (const { salt, bytes } of this.store.read([name], now)) {
      const opening = runInSlices(scope.sealerFor(name, salt).open(bytes), this.scheduler);
      // Two writers at once may mix the parts of a long text: it cannot be opened then.
      const stored = await opening.catch(() => undefined);
      if (stored === undefined) return undefined;
      const at = stored.indexOf('\n');
      return now - Number(stored.slice(0, at)) < maxAgeMs ? stored.slice(at + 1) : undefined;
    }
    return undefined;
  }

  /** Stores a text, in place of an earlier one. One that is too large is not stored. @throws StoreUnavailable */
  async keep({ scope, name }: CachedRequest, text: string, { ttlMs, endUserId }: CacheTerms): Promise<void> {
    const now = this.clock.now();
    const sealer = scope.sealerFor(name);
    const bytes = await runInSlices(sealer.seal(`${now}\n${text}`), this.scheduler);
    if (bytes.length > MAX_CACHED_BYTES) return;
    await this.store.write({ name, salt: sealer.salt, bytes, expiresAtMs: now + ttlMs, endUserId });
  }
}
