import { GetCommand, UpdateCommand, type UpdateCommandInput, type UpdateCommandOutput } from '@aws-sdk/lib-dynamodb';
import { LRUCache } from 'lru-cache';
import {
  EMPTY_LEDGER,
  fitting,
  type Ledger,
  type LimitStore,
  type Limits,
  leasableCount,
  NO_NEED,
  roomFor,
  type Settlement,
  slotOf,
  type TakeRequest,
  type TakeResult,
  withoutReservations,
} from '../../control/limits/index.ts';
import { StoreUnavailable } from '../../kernel/errors/index.ts';
import type { Clock } from '../../kernel/tasks/index.ts';
import type { DynamoClient } from '../aws/clients.ts';
import { reachStore } from '../aws/reach-store.ts';
import type { CallOptions } from '../aws/sdk-transport.ts';
import { tryWrite, type WriteOutcome } from './dynamo-calls.ts';
import { settleUpdate, takeUpdate, toLedger, withoutExpired } from './dynamo-limit-updates.ts';

const MAX_KNOWN = 10_000;
/** Usually one; two if the key was last seen long ago; more only during concurrent writes at its limit. */
const MAX_WRITES = 12;

interface LimitClients {
  readonly client: DynamoClient;
  /**
   * For settlements in background tasks, never executed twice. Until a settlement succeeds or its reservation expires, the key has less
   * quota than it should.
   */
  readonly settling: DynamoClient;
}

/**
 * All limits of a key in one item, changed by conditional writes that need not see each other (docs/decisions/0002-exact-admission.md). The
 * last known item decides the form of the first write. If it fails, the current item shows whether to refuse or how to write again.
 */
export class DynamoLimitStore implements LimitStore {
  private readonly client: DynamoClient;
  private readonly settling: DynamoClient;
  private readonly tableName: string;
  private readonly clock: Clock;
  private readonly known = new LRUCache<string, Ledger>({ max: MAX_KNOWN });

  constructor({ client, settling }: LimitClients, tableName: string, clock: Clock) {
    this.client = client;
    this.settling = settling;
    this.tableName = tableName;
    this.clock = clock;
  }

  async take(keyId: string, limits: Limits, ask: TakeRequest, onSent?: () => void): Promise<TakeResult> {
    const nowMs = this.clock.now();
    const taken = (granted: number, leased: number, ledger: Ledger) => ({
      granted,
      leased,
      slot: slotOf(nowMs),
      ledger,
      nowMs,
    });
    let seen = this.known.get(keyId) ?? EMPTY_LEDGER;
    const atBest = withoutReservations(seen);
    let count = fitting(roomFor(atBest, limits, nowMs), ask.needs, limits);
    if (count === 0) return taken(0, 0, atBest);
    let leased = leasableCount(roomFor(seen, limits, nowMs), ask, limits);
    for (let writes = 0; count > 0; writes += 1) {
      if (writes === MAX_WRITES) throw new StoreUnavailable('limits table: too many conflicts');
      const needs = ask.needs.slice(0, count);
      const { need: leasedNeed = NO_NEED, leaseMs = 0 } = leased > 0 ? (ask.lease ?? {}) : {};
      const parts = takeUpdate(seen, limits, { needs, leased, leasedNeed, leaseMs, nowMs });
      const outcome = await this.update(parts.toInput(this.tableName, keyId), this.client, onSent);
      seen = await this.see(keyId, outcome);
      if (outcome.ok) return taken(count, leased, seen);
      leased = 0;
      count = fitting(roomFor(seen, limits, nowMs), needs, limits);
    }
    return taken(0, 0, seen);
  }

  async settle(keyId: string, settlement: Settlement): Promise<void> {
    let rest = settlement;
    let seen = this.known.get(keyId) ?? EMPTY_LEDGER;
    for (let writes = 0; writes < MAX_WRITES; writes += 1) {
      const parts = settleUpdate(seen, rest, this.clock.now());
      if (parts.isEmpty) return;
      const outcome = await this.update(parts.toInput(this.tableName, keyId), this.settling);
      seen = await this.see(keyId, outcome);
      if (outcome.ok) return;
      rest = withoutExpired(rest, seen);
    }
    throw new StoreUnavailable('limits table: too many conflicts');
  }

  lastSeen(keyId: string): { ledger: Ledger; nowMs: number } | undefined {
    const ledger = this.known.get(keyId);
    return ledger && { ledger, nowMs: this.clock.now() };
  }

  async peek(keyId: string): Promise<{ ledger: Ledger; nowMs: number }> {
    const ledger = this.known.get(keyId) ?? (await this.read(keyId));
    return { ledger, nowMs: this.clock.now() };
  }

  /** @throws StoreUnavailable if the table does not respond */
  async check(): Promise<void> {
    await this.read('readiness');
  }

  private update(
    input: UpdateCommandInput,
    client = this.client,
    onSent?: () => void,
  ): Promise<WriteOutcome<UpdateCommandOutput>> {
    const options: CallOptions = { onSent };
    return tryWrite('limits table', () => client.send(new UpdateCommand(input), options));
  }

  /** The item after a write. If the store does not return it for a failed write, it is read. */
  private async see(keyId: string, outcome: WriteOutcome<UpdateCommandOutput>): Promise<Ledger> {
    const item = outcome.ok ? (outcome.answer.Attributes ?? {}) : outcome.old;
    const ledger = item === undefined ? await this.read(keyId) : toLedger(item);
    this.remember(keyId, ledger);
    return ledger;
  }

  private async read(keyId: string): Promise<Ledger> {
    const read = () =>
      this.client.send(new GetCommand({ TableName: this.tableName, Key: { pk: keyId }, ConsistentRead: true }));
    const { Item } = await reachStore('limits table', read);
    return Item === undefined ? EMPTY_LEDGER : toLedger(Item);
  }

  private remember(keyId: string, ledger: Ledger): void {
    const before = this.known.get(keyId);
    // Responses may arrive out of order, but times at which a bucket is full never go back.
    const fullAtMicros = Math.max(before?.fullAtMicros ?? 0, ledger.fullAtMicros);
    const tokensBefore = before?.tokensFullAt ?? 0n;
    const tokensFullAt = tokensBefore > ledger.tokensFullAt ? tokensBefore : ledger.tokensFullAt;
    this.known.set(keyId, { ...ledger, fullAtMicros, tokensFullAt });
  }
}
