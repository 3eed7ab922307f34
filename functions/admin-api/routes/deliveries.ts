import type { deliveryOperations } from '../../contract/index.ts';
import { audit, auditVoid } from '../../control/audit/index.ts';
import { toDeliveryView } from '../../control/webhooks/index.ts';
import { GatewayError } from '../../kernel/errors/index.ts';
import type { AdminDeps } from '../admin-deps.ts';
import type { Handlers } from '../operation-routes.ts';
import { webhookNotFound } from './webhooks.ts';

/** The deliveries of an endpoint, and redelivery. */
export const DELIVERY_HANDLERS: Handlers<typeof deliveryOperations, AdminDeps> = {
  async listDeliveries({ params, query }, deps) {
    if ((await deps.webhooks.find(params.id)) === undefined) throw webhookNotFound();
    const page = await deps.deliveries.list({ webhookId: params.id, ...query });
    return { object: 'list', data: page.deliveries.map(toDeliveryView), nextCursor: page.nextCursor ?? null };
  },
  async redeliver({ params: { id, deliveryId }, caller }, deps) {
    const [stored, delivery] = await Promise.all([deps.webhooks.find(id), deps.deliveries.get(deliveryId)]);
    if (stored === undefined) throw webhookNotFound();
    if (delivery?.webhookId !== id) throw new GatewayError('not_found', 'There is no such delivery.');
    if (stored.webhook.state !== 'active') {
      throw new GatewayError('conflict', 'The webhook is disabled: nothing is sent to it. Enable it first.');
    }
    if (delivery.state === 'gathered') {
      throw new GatewayError('conflict', `The event is part of a digest: redeliver ${delivery.digestId}.`);
    }
    if (delivery.state === 'pending') throw underWay();
    const fact = {
      action: 'webhook.redelivered',
      target: { type: 'delivery', id: deliveryId },
      before: null,
      after: null,
    } as const;
    const entry = await audit(caller, fact, deps);
    const pending = await deps.deliveries.redeliver(deliveryId);
    if (pending === undefined) {
      await auditVoid(caller, entry, deps);
      throw underWay();
    }
    // If the wake-up fails, the delivery function finds it within a minute.
    await deps.waker.wake(id, 0).catch(() => {});
    return toDeliveryView(pending);
  },
};

function underWay(): GatewayError {
  return new GatewayError('conflict', 'The delivery is already pending.');
}
