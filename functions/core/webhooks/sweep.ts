import { inParallel } from '../analytics/in-parallel.ts';
import type { DeliverDeps } from './run-endpoint.ts';

const AT_ONCE = 8;

/**
 * Wakes each active endpoint for which something is due. What is due wakes its endpoint by itself; this is for when a message
 * was lost on the way: with the queue of a run on one machine, or with a process that had an endpoint's turn when it died.
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
