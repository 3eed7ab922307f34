import type { DeadReason, DeliveryAttempt, DisabledReason, Webhook } from '../../kernel/model/index.ts';
import { inParallel } from '../../kernel/tasks/index.ts';
import { attempt, isDelivered, type SendOutcome, type WebhookSender } from './attempt.ts';
import { deliveredEventSchema, digestEvent, eventBody } from './delivered-event.ts';
import { GIVE_UP_MS, pauseMs, retryAfterMs, retryDelayMs, TRIP_FAILURES } from './delivery-pace.ts';
import type { Delivery, DigestStore, TurnState } from './delivery-store.ts';
import type { WebhookStore } from './webhook-store.ts';
import { type PartitionDeps, WorkedPartitions } from './worked-partitions.ts';

/** Due deliveries of a round, for each attempt at once. */
const BATCH_SHARE = 5;
/** The longest delay of a queue's message. */
const LONGEST_WAKE_MS = 15 * 60_000;
/** An index shows the last changes a moment later. */
const SHORTEST_WAKE_MS = 1_000;
const DISABLE_AFTER_MS = 5 * 86_400_000;
/** `Retry-After` of these applies to the endpoint, not to one delivery. */
const BUSY = [429, 503];
const LONGEST_BUSY_MS = 3_600_000;

export interface DeliverDeps extends PartitionDeps {
  readonly webhooks: WebhookStore;
  readonly digests: DigestStore;
  readonly sender: WebhookSender;
  /** A turn starts no attempt after this time: others wait for the worker. */
  readonly turnMs: number;
  /** Attempts of a worker that run at once: more while there is a backlog and all succeed, the fewest again after a failure. */
  readonly attemptsAtOnce: { readonly fewest: number; readonly most: number };
  /** 0..1, for jitter. */
  readonly random: () => number;
  /** Receives each delivery that is given up. */
  readonly onDead: (delivery: Delivery, reason: DeadReason) => void;
}

/**
 * Delivers what is due for an endpoint, for one turn. Only one process has the turn of a worker, which bounds the concurrent
 * attempts. Before the turn ends, a wake-up is planned where more is pending.
 *
 * Worker 0 delivers from all partitions of the endpoint. While it cannot keep pace and no attempt fails, it keeps partition 0
 * and wakes worker 1, which wakes worker 2, and so on: each delivers from the partition of its number. They stop at the first failure of any of
 * them, so that worker 0 alone retries and pauses.
 */
export async function runEndpoint(webhookId: string, deps: DeliverDeps, worker = 0): Promise<void> {
  const turn = await deps.turns.take(webhookId, worker);
  if (turn === undefined) return;
  const run = new EndpointRun(webhookId, worker, turn.state, deps);
  try {
    await run.work();
  } finally {
    // Also after a failure, so that other processes need not wait until the turn expires.
    const wanted = await turn.end(worker === 0 ? await run.planned() : await run.handedOver());
    if (wanted) await deps.waker.wake(webhookId, SHORTEST_WAKE_MS, worker);
  }
}

class EndpointRun {
  private readonly webhookId: string;
  private readonly worker: number;
  private readonly deps: DeliverDeps;
  private readonly partitions: WorkedPartitions;
  private readonly endsAt: number;
  private readonly wakeAtMs: number;
  private failures: number;
  /** Of this turn. */
  private failedAttempts = 0;
  private pausedUntilMs: number;
  private atOnce: number;
  /** Whether the last round kept up, and more was due than it took. */
  private hasBacklog = false;
  private failing = false;
  private disabling = false;
  /** Whether an attempt was made or given up since the last check. */
  private acted = false;
  /** Deliveries of this turn whose handling failed, with the error of the first. */
  private readonly failed = new Map<string, unknown>();
  /** Once it is set, all pending deliveries are given up. */
  private buried: DeadReason | undefined;

  constructor(webhookId: string, worker: number, { failures, pausedUntilMs, wakeAtMs }: TurnState, deps: DeliverDeps) {
    this.webhookId = webhookId;
    this.worker = worker;
    this.deps = deps;
    this.partitions = new WorkedPartitions(webhookId, worker, deps);
    // Others are woken only while the endpoint keeps up with the most.
    this.atOnce = worker === 0 ? deps.attemptsAtOnce.fewest : deps.attemptsAtOnce.most;
    this.endsAt = deps.clock.monotonic() + deps.turnMs;
    this.failures = failures;
    this.pausedUntilMs = pausedUntilMs;
    this.wakeAtMs = wakeAtMs;
  }

  /** Rejects with the first failure after the other deliveries. */
  async work(): Promise<void> {
    if (this.worker > 0) await this.partitions.wakeNext();
    await this.rounds().finally(() => this.partitions.release());
    for (const error of this.failed.values()) throw error;
  }

  private async rounds(): Promise<void> {
    while (this.mayStart()) {
      const webhook = await this.deps.webhooks.get(this.webhookId);
      if (webhook?.state !== 'active') this.buried ??= 'disabled';
      else await this.look(webhook);
      if (this.worker > 0 && (this.buried !== undefined || this.failing || this.failedAttempts > 0)) return;
      if (this.buried === undefined && this.isPaused()) return;
      // An endpoint that keeps failing gets one attempt at a time.
      const probing = this.buried === undefined && this.failures >= TRIP_FAILURES;
      await this.round(probing ? 1 : this.atOnce * BATCH_SHARE, (delivery) => this.handle(delivery, webhook));
      // The index may still show finished ones: it is read again a moment later.
      if (!this.acted) return;
      // They were tried for 24 hours, together with others of the same endpoint.
      if (probing && this.failures >= TRIP_FAILURES) {
        await this.round(
          this.atOnce * BATCH_SHARE,
          async (delivery) => this.isOld(delivery) && this.bury(delivery, 'exhausted'),
        );
      }
    }
  }

  private async look({ failingSince }: Webhook): Promise<void> {
    this.failing = failingSince !== null;
    if (this.failing) {
      // Another worker may have met the failure, and what it says of a pause.
      if (this.deps.shards > 1) await this.joinPause();
      return;
    }
    // An administrator changed the webhook since: it starts anew.
    this.failures = 0;
    this.pausedUntilMs = 0;
  }

  private async joinPause(): Promise<void> {
    this.atOnce = this.deps.attemptsAtOnce.fewest;
    const { pausedUntilMs } = await this.deps.turns.read(this.webhookId);
    this.pausedUntilMs = Math.max(this.pausedUntilMs, pausedUntilMs);
  }

  private async round(limit: number, work: (delivery: Delivery) => Promise<unknown>): Promise<void> {
    const { deliveries, clock } = this.deps;
    this.acted = false;
    await this.partitions.addFree();
    const due = await deliveries.read(await deliveries.due(this.webhookId, limit, this.partitions.numbers));
    const now = clock.now();
    const failedBefore = this.failedAttempts;
    const ready = due.filter(
      ({ id, nextAttemptAt }) => nextAttemptAt !== null && Date.parse(nextAttemptAt) <= now && !this.failed.has(id),
    );
    // One that cannot be handled must not delay the others.
    await inParallel(ready, this.atOnce, (delivery) =>
      work(delivery).catch((error: unknown) => this.failed.set(delivery.id, error)),
    );
    const keepsUp = this.failedAttempts === failedBefore && this.failed.size === 0;
    const { fewest, most } = this.deps.attemptsAtOnce;
    this.hasBacklog = keepsUp && ready.length === limit;
    if (!keepsUp) this.atOnce = fewest;
    else if (this.hasBacklog) {
      if (this.worker === 0 && this.atOnce === most) await this.partitions.share();
      this.atOnce = Math.min(most, this.atOnce * 2);
    }
  }

  /** The state for the next turn, after its wake-up is planned. */
  async planned(): Promise<TurnState> {
    const { clock, deliveries, waker } = this.deps;
    const { failures, pausedUntilMs } = this;
    const nextDueAt = await deliveries.nextDueAt(this.webhookId);
    const now = clock.now();
    const told = this.wakeAtMs > now ? this.wakeAtMs : undefined;
    if (nextDueAt === undefined) return { failures, pausedUntilMs, wakeAtMs: told ?? 0 };
    const delayMs = Math.max(SHORTEST_WAKE_MS, Math.max(nextDueAt, pausedUntilMs) - now);
    const wakeAtMs = now + Math.min(delayMs, LONGEST_WAKE_MS);
    // One wake-up is enough: two would each plan another, endlessly.
    if (told !== undefined && told <= wakeAtMs) return { failures, pausedUntilMs, wakeAtMs: told };
    await waker.wake(this.webhookId, wakeAtMs - now);
    return { failures, pausedUntilMs, wakeAtMs };
  }

  /** The state of another worker than the first, for which nothing is kept: what it has learned of a pause is the endpoint's. */
  async handedOver(): Promise<TurnState> {
    const { turns, waker } = this.deps;
    if (this.isPaused()) await turns.pause(this.webhookId, this.pausedUntilMs);
    else if (this.hasBacklog) await waker.wake(this.webhookId, 0, this.worker);
    return { failures: 0, pausedUntilMs: 0, wakeAtMs: 0 };
  }

  private mayStart(): boolean {
    if (this.worker > 0 && this.failedAttempts > 0) return false;
    return this.deps.clock.monotonic() < this.endsAt;
  }

  private isPaused(): boolean {
    return this.deps.clock.now() < this.pausedUntilMs;
  }

  private async handle(delivery: Delivery, webhook: Webhook | undefined): Promise<void> {
    if (this.buried !== undefined || webhook === undefined) return this.bury(delivery, this.buried ?? 'disabled');
    if (this.isPaused() || !this.mayStart()) return;
    this.acted = true;
    const ready = await this.withBody(delivery);
    if (!(await this.deps.deliveries.begin(ready))) return;
    const { attempt: made, outcome } = await attempt(ready, webhook, this.deps);
    await this.take(ready, webhook, made, outcome);
  }

  private async bury(delivery: Delivery, reason: DeadReason): Promise<void> {
    this.acted = true;
    await this.deps.deliveries.bury(delivery, reason);
    this.deps.onDead(delivery, reason);
  }

  /** A digest is open until it is due. */
  private async withBody(delivery: Delivery): Promise<Delivery & { readonly body: string }> {
    if (delivery.body !== undefined) return { ...delivery, body: delivery.body };
    const { digests } = this.deps;
    const { count, first } = await digests.close(delivery);
    const event = digestEvent(delivery.id, deliveredEventSchema.parse(JSON.parse(first)), count);
    const body = eventBody(event);
    return { ...(await digests.complete(delivery, body, count)), body };
  }

  private async take(delivery: Delivery, webhook: Webhook, made: DeliveryAttempt, outcome: SendOutcome): Promise<void> {
    const { deliveries, webhooks, clock, random } = this.deps;
    if (isDelivered(outcome)) {
      this.failures = 0;
      await deliveries.end(delivery, made, { state: 'delivered' });
      // One that was under way when another failed does not end its pause, nor the failure that another worker has to know of.
      if (this.failing && this.worker === 0 && !this.isPaused()) {
        this.failing = false;
        await webhooks.noteFailing(webhook.id, null);
      }
      return;
    }
    if (outcome.answer?.status === 410) {
      await deliveries.end(delivery, made, { state: 'dead', reason: 'gone' });
      return this.disable(webhook, 'gone');
    }
    const now = clock.now();
    const asked = retryAfterMs(outcome.answer?.retryAfter, now) ?? 0;
    const delayMs = Math.max(asked, retryDelayMs(delivery.attempts.length + 1, random));
    this.failures += 1;
    this.failedAttempts += 1;
    this.pause(pauseMs(this.failures, random));
    if (BUSY.includes(outcome.answer?.status ?? 0)) this.pause(Math.min(asked, LONGEST_BUSY_MS));
    if (this.isOld(delivery)) {
      await deliveries.end(delivery, made, { state: 'dead', reason: 'exhausted' });
      this.deps.onDead(delivery, 'exhausted');
    } else await deliveries.end(delivery, made, { state: 'pending', nextAttemptAtMs: now + delayMs });
    await this.noteFailure(webhook, now);
  }

  private pause(ms: number): void {
    this.pausedUntilMs = Math.max(this.pausedUntilMs, this.deps.clock.now() + ms);
  }

  private isOld({ since }: Delivery): boolean {
    return this.deps.clock.now() - Date.parse(since) >= GIVE_UP_MS;
  }

  private async noteFailure(webhook: Webhook, now: number): Promise<void> {
    if (!this.failing) {
      this.failing = true;
      await this.deps.webhooks.noteFailing(webhook.id, new Date(now).toISOString());
      return;
    }
    const since = webhook.failingSince === null ? now : Date.parse(webhook.failingSince);
    if (now - since >= DISABLE_AFTER_MS) await this.disable(webhook, 'failing');
  }

  private async disable(webhook: Webhook, reason: DisabledReason): Promise<void> {
    if (this.disabling) return;
    this.disabling = true;
    // Where it was enabled again or has another address, the next round continues with that.
    if (await this.deps.webhooks.disable(webhook, reason)) this.buried = 'disabled';
  }
}

const AT_ONCE = 8;

/**
 * Wakes each active endpoint with due deliveries. Normally a delivery wakes its endpoint; this covers lost messages: of
 * a local run's queue, or of a process that died during its turn.
 */
export async function sweep({
  webhooks,
  deliveries,
  waker,
}: Pick<DeliverDeps, 'webhooks' | 'deliveries' | 'waker'>): Promise<void> {
  await inParallel(await webhooks.listActive(), AT_ONCE, async ({ id }) => {
    if ((await deliveries.due(id, 1)).length > 0) await waker.wake(id, 0);
  });
}
