import * as z from 'zod';
import { inParallel } from '../analytics/in-parallel.ts';
import { deliveredEventSchema } from './delivered-event.ts';
import { type FanOutDeps, fanOut } from './fan-out.ts';
import { type DeliverDeps, runEndpoint } from './run-endpoint.ts';

const AT_ONCE = 10;

/** A message of either queue: an event, or an endpoint for which something may be due. */
export interface Message {
  readonly id: string;
  readonly body: string;
}

export type ReceiveDeps = FanOutDeps & DeliverDeps;

const wakeSchema = z.object({ wake: z.string() });

/**
 * Takes messages of the two queues.
 * @returns the errors of those that have to come again, by id; the others are done with
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
  const wakes = new Map<string, Message[]>();
  const events: Message[] = [];
  for (const message of messages) {
    const wake = wakeSchema.safeParse(parse(message.body));
    if (!wake.success) events.push(message);
    else wakes.set(wake.data.wake, [...(wakes.get(wake.data.wake) ?? []), message]);
  }
  await inParallel([...(await spread(events, attempt, deps))], AT_ONCE, ([webhookId, named]) =>
    attemptAll(named, attempt, () => deps.waker.wake(webhookId, 0)),
  );
  await inParallel([...wakes], AT_ONCE, ([webhookId, named]) =>
    attempt(named[0] as Message, () => runEndpoint(webhookId, deps)),
  );
  return failed;
}

type Attempt = (message: Message, work: () => Promise<unknown>) => Promise<void>;

/** Puts events on their way. @returns the endpoints to wake, now that all is there, each with the events that it is for */
async function spread(
  events: readonly Message[],
  attempt: Attempt,
  deps: ReceiveDeps,
): Promise<ReadonlyMap<string, readonly Message[]>> {
  const wanted = new Map<string, Message[]>();
  if (events.length === 0) return wanted;
  const active = deps.webhooks.listActive();
  // Each event asks for it, and fails with it.
  active.catch(() => {});
  await inParallel(events, AT_ONCE, (message) =>
    attempt(message, async () => {
      const event = deliveredEventSchema.parse(parse(message.body));
      for (const id of await fanOut(event, await active, deps)) wanted.set(id, [...(wanted.get(id) ?? []), message]);
    }),
  );
  return wanted;
}

/** Does the work once for all of them: with it they all fail. */
async function attemptAll(messages: readonly Message[], attempt: Attempt, work: () => Promise<unknown>): Promise<void> {
  const done = work();
  await Promise.all(messages.map((message) => attempt(message, () => done)));
}

/** undefined where it is no JSON: then it is neither. */
function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
