import { GetCommand, UpdateCommand, type UpdateCommandInput, type UpdateCommandOutput } from '@aws-sdk/lib-dynamodb';
import { LRUCache } from 'lru-cache';
import {
  EMPTY_LEDGER,
  fitting,
  type KeyUse,
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
import { type Item, tryWrite, type WriteOutcome } from './dynamo-calls.ts';
import {
  isMarked,
  type Margins,
  marginsOf,
  NO_MARGINS,
  settleUpdate,
  takeUpdate,
  toLedger,
  withoutExpired,
  writesOf,
} from './dynamo-limit-updates.ts';
import { KnownKey } from './known-key.ts';

const MAX_KNOWN = 10_000;
/** Usually one; two if the key was last seen long ago; more only during concurrent writes at its limit. */
const MAX_WRITES = 12;
/** So many that two recent writes of a key have different ones. */
const MARKS = 2 ** 40;

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
  private readonly known = new LRUCache<string, KnownKey>({ maxSize: MAX_KNOWN, sizeCalculation: () => 1 });

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
    const known = this.known.get(keyId);
    if (known !== undefined) known.limits = limits;
    const atBest = withoutReservations(known?.ledger ?? EMPTY_LEDGER);
    let count = fitting(roomFor(atBest, limits, nowMs), ask.needs, limits);
    if (count === 0) return taken(0, 0, atBest);
    let seen = known?.expectedAt(nowMs) ?? EMPTY_LEDGER;
    let leased = leasableCount(roomFor(seen, limits, nowMs), ask, limits);
    for (let writes = 0; count > 0; writes += 1) {
      if (writes === MAX_WRITES) throw new StoreUnavailable('limits table: too many conflicts');
      const needs = ask.needs.slice(0, count);
      const { need: leasedNeed = NO_NEED, leaseMs = 0 } = leased > 0 ? (ask.lease ?? {}) : {};
      const mark = Math.floor(Math.random() * MARKS);
      const parts = takeUpdate(seen, limits, {
        needs,
        leased,
        leasedNeed,
        leaseMs,
        nowMs,
        mark,
        margins: this.marginsOf(keyId),
      });
      const outcome = await this.update(parts.toInput(this.tableName, keyId), this.client, onSent);
      const item = await this.itemAfter(keyId, outcome);
      seen = this.remember(keyId, item);
      // The SDK's retry of a write that was made fails its condition.
      if (outcome.ok || isMarked(item, mark)) return taken(count, leased, seen);
      leased = 0;
      count = fitting(roomFor(seen, limits, nowMs), needs, limits);
    }
    return taken(0, 0, seen);
  }

  async settle(keyId: string, settlement: Settlement): Promise<void> {
    let rest = settlement;
    let seen = this.known.get(keyId)?.expectedAt(this.clock.now()) ?? EMPTY_LEDGER;
    for (let writes = 0; writes < MAX_WRITES; writes += 1) {
      const parts = settleUpdate(seen, rest, this.clock.now(), this.marginsOf(keyId));
      if (parts.isEmpty) return;
      const outcome = await this.update(parts.toInput(this.tableName, keyId), this.settling);
      seen = this.remember(keyId, await this.itemAfter(keyId, outcome));
      if (outcome.ok) return;
      rest = withoutExpired(rest, seen);
    }
    throw new StoreUnavailable('limits table: too many conflicts');
  }

  lastSeen(keyId: string): { ledger: Ledger; nowMs: number } | undefined {
    const known = this.known.get(keyId);
    return known && { ledger: known.ledger, nowMs: this.clock.now() };
  }

  useOf(keyId: string): KeyUse | undefined {
    return this.known.get(keyId)?.use;
  }

  async peek(keyId: string): Promise<{ ledger: Ledger; nowMs: number }> {
    const ledger = this.known.get(keyId)?.ledger ?? toLedger(await this.read(keyId));
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

  /** The item after a write, or before a failed one. If the store does not return it for a failed write, it is read. */
  private async itemAfter(keyId: string, outcome: WriteOutcome<UpdateCommandOutput>): Promise<Item> {
    const item = outcome.ok ? (outcome.answer.Attributes ?? {}) : outcome.old;
    return item ?? this.read(keyId);
  }

  private async read(keyId: string): Promise<Item> {
    const read = () =>
      this.client.send(new GetCommand({ TableName: this.tableName, Key: { pk: keyId }, ConsistentRead: true }));
    return (await reachStore('limits table', read)).Item ?? {};
  }

  private marginsOf(keyId: string): Margins {
    const known = this.known.get(keyId);
    return known?.isShared && known.limits !== undefined ? marginsOf(known.limits) : NO_MARGINS;
  }

  private remember(keyId: string, item: Item): Ledger {
    const ledger = toLedger(item);
    const known = this.known.get(keyId) ?? new KnownKey();
    known.see(ledger, writesOf(item), this.clock.now());
    this.known.set(keyId, known);
    return ledger;
  }
}
