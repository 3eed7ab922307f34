import * as z from 'zod';
import type { Webhook } from '../../kernel/model/index.ts';
import { inParallel } from '../../kernel/tasks/index.ts';
import {
  alikeName,
  type DeliveredEvent,
  deliveredEventSchema,
  deliveryIdOf,
  eventBody,
  wants,
} from './delivered-event.ts';
import type { DeliveryStore, DigestStore, NewDelivery } from './delivery-store.ts';
import { hasNotice, topicNotice } from './formats.ts';
import { type DeliverDeps, runEndpoint } from './run-endpoint.ts';

const AT_ONCE = 10;

/** A message of either queue: an event, or an endpoint to look at. */
export interface Message {
  readonly id: string;
  readonly body: string;
}

export type ReceiveDeps = FanOutDeps &
  DeliverDeps & {
    /** Topics of SNS that events name. Publishing throws if it has to be repeated. */
    readonly topics: { publish(topicArn: string, subject: string, text: string): Promise<void> };
  };

const wakeSchema = z.object({ wake: z.string(), worker: z.int().min(0).default(0) });

/**
 * Processes messages of the two queues.
 * @returns the errors of messages to deliver again, by id; the others are done
 */
export async function receive(messages: readonly Message[], deps: ReceiveDeps): Promise<ReadonlyMap<string, unknown>> {
  const failed = new Map<string, unknown>();
  const attempt: Attempt = async ({ id }, work) => {
    try {
      await work();
    } catch (error) {
      failed.set(id, error);
    }
  };
  const wakes = new Map<string, z.infer<typeof wakeSchema> & { readonly message: Message }>();
  const events: Message[] = [];
  for (const message of messages) {
    const wake = wakeSchema.safeParse(parse(message.body));
    if (!wake.success) events.push(message);
    else wakes.set(JSON.stringify(wake.data), { ...wake.data, message });
  }
  await inParallel([...(await spread(events, attempt, deps))], AT_ONCE, ([webhookId, named]) =>
    attemptAll(named, attempt, () => deps.waker.wake(webhookId, 0)),
  );
  await inParallel([...wakes.values()], AT_ONCE, ({ wake, worker, message }) =>
    attempt(message, () => runEndpoint(wake, deps, worker)),
  );
  return failed;
}

type Attempt = (message: Message, work: () => Promise<unknown>) => Promise<void>;

/** Creates deliveries of events. @returns the endpoints to wake, each with its events */
async function spread(
  events: readonly Message[],
  attempt: Attempt,
  deps: ReceiveDeps,
): Promise<ReadonlyMap<string, readonly Message[]>> {
  const wanted = new Map<string, Message[]>();
  if (events.length === 0) return wanted;
  const active = deps.webhooks.listActive();
  // Each event awaits it, and fails with it.
  active.catch(() => {});
  await inParallel(events, AT_ONCE, (message) =>
    attempt(message, async () => {
      const event = deliveredEventSchema.parse(parse(message.body));
      for (const id of await fanOut(event, await active, deps)) wanted.set(id, [...(wanted.get(id) ?? []), message]);
      await publish(event, deps);
    }),
  );
  return wanted;
}

/** Sends a notice to the topics that it names. If one fails, the message is repeated, and the others get the notice again. */
async function publish(event: DeliveredEvent, { topics }: ReceiveDeps): Promise<void> {
  const { topicArns } = event.data;
  if (!hasNotice(event) || !Array.isArray(topicArns)) return;
  const { subject, text } = topicNotice(event);
  const done = await Promise.allSettled(topicArns.map((arn) => topics.publish(String(arn), subject, text)));
  const failed = done.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** Runs the work once for all messages: they fail together. */
async function attemptAll(messages: readonly Message[], attempt: Attempt, work: () => Promise<unknown>): Promise<void> {
  const done = work();
  await Promise.all(messages.map((message) => attempt(message, () => done)));
}

/** undefined where it is not JSON. */
function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

const ENDPOINTS_AT_ONCE = 8;

export interface FanOutDeps {
  readonly deliveries: DeliveryStore;
  readonly digests: DigestStore;
}

/**
 * Creates the deliveries of an event for each endpoint that wants it. It may be repeated, in part or as a whole: each
 * endpoint gets an event once by itself, or counted once by a digest.
 * @returns the endpoints where something may be due now
 */
export async function fanOut(
  event: DeliveredEvent,
  webhooks: readonly Webhook[],
  deps: FanOutDeps,
): Promise<readonly string[]> {
  const wanting = webhooks.filter((webhook) => wants(webhook, event));
  if (wanting.length === 0) return [];
  const body = eventBody(event);
  await inParallel(wanting, ENDPOINTS_AT_ONCE, ({ id }) => sendOrGather(event, toDelivery(event, body, id), deps));
  return wanting.map(({ id }) => id);
}

async function sendOrGather(
  event: DeliveredEvent,
  delivery: NewDelivery,
  { deliveries, digests }: FanOutDeps,
): Promise<void> {
  const alike = alikeName(delivery.webhookId, event);
  if (alike === undefined) {
    await deliveries.create(delivery);
    return;
  }
  const before = await deliveries.get(delivery.id);
  if (before !== undefined) {
    if (before.state === 'gathered') await digests.gatherAgain(before, delivery);
    return;
  }
  const { digest } = await digests.enter(alike, event.id);
  if (digest === undefined) await deliveries.create(delivery);
  else await digests.gather(digest, delivery);
}

function toDelivery(event: DeliveredEvent, body: string, webhookId: string): NewDelivery {
  const { endUserId, identity, keyId } = event.data;
  const person = endUserId ?? (identity === undefined ? undefined : keyId);
  return {
    id: deliveryIdOf(event.id, webhookId),
    webhookId,
    eventId: event.id,
    type: event.type,
    body,
    endUserId: typeof person === 'string' ? person : undefined,
  };
}
