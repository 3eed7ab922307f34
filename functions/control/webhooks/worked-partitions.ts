import type { Clock } from '../../kernel/tasks/index.ts';
import type { DeliveryStore, EndpointTurns, EndpointWaker, Turn, TurnState } from './delivery-store.ts';

export interface PartitionDeps {
  readonly deliveries: DeliveryStore;
  readonly turns: EndpointTurns;
  readonly waker: EndpointWaker;
  readonly clock: Clock;
  /** Partitions of the due deliveries of an endpoint, each of which can have a worker. */
  readonly shards: number;
}

/** For which released partitions are left to the workers that were woken for them. */
const LEFT_MS = 2_000;
/** A wake-up for what was asked for meanwhile; an index shows the last changes a moment later. */
const WANTED_MS = 1_000;
/** Only the turn of partition 0 has a state: the endpoint's. */
const NO_STATE: TurnState = { failures: 0, pausedUntilMs: 0, wakeAtMs: 0 };

/**
 * The partitions of an endpoint's due deliveries that a worker delivers from. It has the turn of each, so no other worker does: a delivery that
 * two workers read could be sent twice.
 */
export class WorkedPartitions {
  private readonly webhookId: string;
  private readonly worker: number;
  private readonly deps: PartitionDeps;
  private readonly others = new Map<number, Turn>();
  private leftUntilMs = 0;

  constructor(webhookId: string, worker: number, deps: PartitionDeps) {
    this.webhookId = webhookId;
    this.worker = worker;
    this.deps = deps;
  }

  get numbers(): readonly number[] {
    return [this.worker, ...this.others.keys()];
  }

  /** Worker 0 adds the partitions that have due deliveries and no worker. */
  async addFree(): Promise<void> {
    const { turns, deliveries, clock, shards } = this.deps;
    if (this.worker > 0 || clock.now() < this.leftUntilMs) return;
    const without = Array.from({ length: shards }, (_, at) => at).filter((at) => !this.numbers.includes(at));
    await Promise.all(
      without.map(async (partition) => {
        if ((await deliveries.due(this.webhookId, 1, [partition])).length === 0) return;
        const turn = await turns.take(this.webhookId, partition);
        if (turn !== undefined) this.others.set(partition, turn);
      }),
    );
  }

  /** Leaves all partitions but its own to workers of theirs, and wakes the first of them. */
  async share(): Promise<void> {
    if (this.deps.clock.now() < this.leftUntilMs) return;
    this.leftUntilMs = this.deps.clock.now() + LEFT_MS;
    await this.release();
    await this.wakeNext();
  }

  /** The next worker, which wakes the one after it: each by itself, so that each gets a process. */
  async wakeNext(): Promise<void> {
    const next = this.worker + 1;
    if (next < this.deps.shards) await this.deps.waker.wake(this.webhookId, 0, next);
  }

  /** Ends the turns of all partitions but its own. */
  async release(): Promise<void> {
    const others = [...this.others];
    this.others.clear();
    await Promise.all(
      others.map(async ([partition, turn]) => {
        if (await turn.end(NO_STATE)) await this.deps.waker.wake(this.webhookId, WANTED_MS, partition);
      }),
    );
  }
}
