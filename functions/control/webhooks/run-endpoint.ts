import type { DeadReason, DeliveryAttempt, DisabledReason, Webhook } from '../../kernel/model/index.ts';
import { type Clock, inParallel } from '../../kernel/tasks/index.ts';
import { attempt, isDelivered, type SendOutcome, type WebhookSender } from './attempt.ts';
import { deliveredEventSchema, digestEvent, eventBody } from './delivered-event.ts';
import type {
  Delivery,
  DeliveryStore,
  DigestStore,
  EndpointTurns,
  EndpointWaker,
  TurnState,
} from './delivery-store.ts';
import type { WebhookStore } from './webhook-store.ts';

/** Attempts at one endpoint that run at once: more while there is a backlog and all succeed, the fewest again after a failure. */
export const ATTEMPTS_AT_ONCE = { fewest: 10, most: 100 };
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

export interface DeliverDeps {
  readonly webhooks: WebhookStore;
  readonly deliveries: DeliveryStore;
  readonly digests: DigestStore;
  readonly turns: EndpointTurns;
  readonly waker: EndpointWaker;
  readonly sender: WebhookSender;
  readonly clock: Clock;
  /** A turn starts no attempt after this time: others wait for the worker. */
  readonly turnMs: number;
  /** 0..1, for jitter. */
  readonly random: () => number;
  /** Receives each delivery that is given up. */
  readonly onDead: (delivery: Delivery, reason: DeadReason) => void;
}

/**
 * Delivers what is due for an endpoint, for one turn. Only one process has the turn, which bounds the concurrent
 * attempts. Before the turn ends, a wake-up is planned where more is pending.
 */
export async function runEndpoint(webhookId: string, deps: DeliverDeps): Promise<void> {
  const turn = await deps.turns.take(webhookId);
  if (turn === undefined) return;
  const run = new EndpointRun(webhookId, turn.state, deps);
  try {
    await run.work();
  } finally {
    // Also after a failure, so that other processes need not wait until the turn expires.
    const wanted = await turn.end(await run.planned());
    if (wanted) await deps.waker.wake(webhookId, SHORTEST_WAKE_MS);
  }
}

class EndpointRun {
  private readonly webhookId: string;
  private readonly deps: DeliverDeps;
  private readonly endsAt: number;
  private readonly wakeAtMs: number;
  private failures: number;
  /** Of this turn. */
  private failedAttempts = 0;
  private pausedUntilMs: number;
  private atOnce = ATTEMPTS_AT_ONCE.fewest;
  private failing = false;
  private disabling = false;
  /** Whether an attempt was made or given up since the last check. */
  private acted = false;
  /** Deliveries of this turn whose handling failed, with the error of the first. */
  private readonly failed = new Map<string, unknown>();
  /** Once it is set, all pending deliveries are given up. */
  private buried: DeadReason | undefined;

  constructor(webhookId: string, { failures, pausedUntilMs, wakeAtMs }: TurnState, deps: DeliverDeps) {
    this.webhookId = webhookId;
    this.deps = deps;
    this.endsAt = deps.clock.monotonic() + deps.turnMs;
    this.failures = failures;
    this.pausedUntilMs = pausedUntilMs;
    this.wakeAtMs = wakeAtMs;
  }

  /** Rejects with the first failure after the other deliveries. */
  async work(): Promise<void> {
    await this.rounds();
    for (const error of this.failed.values()) throw error;
  }

  private async rounds(): Promise<void> {
    while (this.mayStart()) {
      const webhook = await this.deps.webhooks.get(this.webhookId);
      if (webhook?.state !== 'active') this.buried ??= 'disabled';
      else this.look(webhook);
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

  private look({ failingSince }: Webhook): void {
    this.failing = failingSince !== null;
    if (this.failing) return;
    // An administrator changed the webhook since: it starts anew.
    this.failures = 0;
    this.pausedUntilMs = 0;
  }

  private async round(limit: number, work: (delivery: Delivery) => Promise<unknown>): Promise<void> {
    const { deliveries, clock } = this.deps;
    this.acted = false;
    const due = await deliveries.read(await deliveries.due(this.webhookId, limit));
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
    if (!keepsUp) this.atOnce = ATTEMPTS_AT_ONCE.fewest;
    else if (ready.length === limit) this.atOnce = Math.min(ATTEMPTS_AT_ONCE.most, this.atOnce * 2);
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

  private mayStart(): boolean {
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
      if (this.failing) {
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

const FIRST_MS = 5_000;
const LONGEST_MS = 3_600_000;
const SHORTEST_MS = 1_000;
/** Attempts continue for at least this long after an event arrived. */
export const GIVE_UP_MS = 24 * 3_600_000;

const PAUSE_FIRST_MS = 1_000;
const PAUSE_LONGEST_MS = 5 * 60_000;
/** This many failures in a row are the endpoint's fault, not the content's. */
export const TRIP_FAILURES = 10;

/** The delay after this many attempts (1, 2, ...): exponential up to an hour, with full jitter. */
export function retryDelayMs(attempts: number, random: () => number): number {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempts - 1));
  return Math.max(SHORTEST_MS, random() * longest);
}

/** How long an endpoint is paused after `failures` failures in a row; 0 while the content may be the cause. */
export function pauseMs(failures: number, random: () => number): number {
  if (failures < TRIP_FAILURES) return 0;
  const longest = Math.min(PAUSE_LONGEST_MS, PAUSE_FIRST_MS * 2 ** (failures - TRIP_FAILURES));
  // At least half of it, since jitter near 0 would be no pause.
  return longest * (0.5 + random() / 2);
}

/**
 * `Retry-After`, in seconds or as a date, as milliseconds from now, at most a day; undefined where it is invalid or
 * past.
 */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(ms) || ms < 0 ? undefined : Math.min(ms, GIVE_UP_MS);
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
