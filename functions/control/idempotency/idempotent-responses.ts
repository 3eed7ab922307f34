import { createHash } from 'node:crypto';
import type { ResponseSealer, SealerFor } from '../../kernel/crypto/index.ts';
import { GatewayError } from '../../kernel/errors/index.ts';
import { type Clock, runInSlices, type Scheduler } from '../../kernel/tasks/index.ts';
import type { IdempotencyClaim, IdempotencyEntry, IdempotencyStore } from './idempotency-store.ts';

const KEPT_MS = 24 * 60 * 60_000;
/** A larger response is not stored: a repetition runs again. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** A request with an idempotency key. */
export interface NamedRequest {
  readonly keyId: string;
  readonly route: string;
  readonly sealerFor: SealerFor;
  /** The header's value. */
  readonly idempotencyKey: string;
  /** The body: its exact text, where it is JSON. */
  readonly body: string;
  /** All else in the request that may change its response: method, path, query, headers. */
  readonly around: string;
  readonly endUserId: string | null;
  /** The policy in force and the allowed models, as JSON: a response that was returned under others is not replayed. */
  readonly rules: string;
}

/** The response to a repetition. */
export interface StoredResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The right to run the request: call exactly one of the two in the end. */
export interface Turn {
  keep(answer: StoredResponse): Promise<void>;
  release(): Promise<void>;
}

/**
 * Runs requests with an `Idempotency-Key` once in 24 hours, however many come at once: the first one runs, the same
 * request again receives its response, any other is refused. Names belong to a key, a route and the rules in force.
 */
export class IdempotentResponses {
  private readonly store: IdempotencyStore;
  private readonly clock: Clock;
  private readonly scheduler: Scheduler;
  private readonly longestRunMs: number;

  /** A request that has not ended after `longestRunMs` died with its function: the next one may run. */
  constructor(store: IdempotencyStore, clock: Clock, scheduler: Scheduler, longestRunMs: number) {
    this.store = store;
    this.clock = clock;
    this.scheduler = scheduler;
    this.longestRunMs = longestRunMs;
  }

  /**
   * @throws GatewayError `idempotency_conflict` for another request, and while the first request runs; StoreUnavailable
   */
  async begin(request: NamedRequest): Promise<Turn | StoredResponse> {
    const name = nameOf(request);
    const box = request.sealerFor(name);
    const now = this.clock.now();
    const claim: IdempotencyClaim = {
      token: crypto.randomUUID(),
      salt: box.salt,
      ...(await this.tagsOf(request, box)),
      nowMs: now,
      lockedUntilMs: now + this.longestRunMs,
      expiresAtMs: now + KEPT_MS,
      endUserId: request.endUserId,
    };
    const first = await this.store.claim(name, claim);
    if (first !== undefined) return this.answerOf(first, request, name);
    return {
      keep: async (answer) => {
        const sealed = await runInSlices(box.seal(JSON.stringify(answer)), this.scheduler);
        if (sealed.length > MAX_ANSWER_BYTES) await this.store.release(name, claim.token);
        else await this.store.complete(name, claim, sealed);
      },
      release: () => this.store.release(name, claim.token),
    };
  }

  private async answerOf(first: IdempotencyEntry, request: NamedRequest, name: string): Promise<StoredResponse> {
    const box = request.sealerFor(name, first.salt);
    const { bodyTag, aroundTag } = await this.tagsOf(request, box);
    if (bodyTag !== first.bodyTag || (first.aroundTag !== undefined && aroundTag !== first.aroundTag)) {
      const message =
        'This Idempotency-Key was used with another body, path, query or header, or with another secret of this API key.';
      throw conflict(message, { 'x-should-retry': 'false' });
    }
    if (first.answer === undefined) {
      throw conflict('The first request with this Idempotency-Key is still running.', { 'retry-after': '1' });
    }
    return JSON.parse(await runInSlices(box.open(first.answer), this.scheduler)) as StoredResponse;
  }

  private async tagsOf({ body, around }: NamedRequest, box: ResponseSealer) {
    return {
      bodyTag: await runInSlices(box.tagOf(body), this.scheduler),
      aroundTag: await runInSlices(box.tagOf(around), this.scheduler),
    };
  }
}

function conflict(message: string, headers: Readonly<Record<string, string>>): GatewayError {
  return new GatewayError('idempotency_conflict', message, { param: 'Idempotency-Key', headers });
}

function nameOf({ keyId, route, idempotencyKey, rules }: NamedRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([keyId, route, idempotencyKey, rules]))
    .digest('hex');
}
