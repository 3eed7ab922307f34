import { audit, auditVoid } from '../../core/audit/audit-change.ts';
import { GatewayError } from '../../core/base/errors.ts';
import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { toDeliveryView } from '../../core/webhooks/delivery.ts';
import { type AdminDeps, requireAdmin } from '../admin-service.ts';
import { webhookNotFound } from '../change-webhook.ts';

/** `POST /v1/admin/webhooks/{id}/deliveries/{deliveryId}/redeliver`: 202, and the delivery is on its way again. */
export function redeliverRoute(deps: AdminDeps): Route {
  return {
    method: 'POST',
    path: '/v1/admin/webhooks/{id}/deliveries/{deliveryId}/redeliver',
    async handle(routed) {
      const caller = await requireAdmin(routed, deps);
      const { id = '', deliveryId = '' } = routed.params;
      const [stored, delivery] = await Promise.all([deps.webhooks.find(id), deps.deliveries.get(deliveryId)]);
      if (stored === undefined) throw webhookNotFound();
      if (delivery?.webhookId !== id) throw new GatewayError('not_found', 'There is no such delivery.');
      if (stored.webhook.state !== 'active') {
        throw new GatewayError('conflict', 'The webhook is disabled: nothing is sent to it. Enable it first.');
      }
      if (delivery.state === 'gathered') {
        throw new GatewayError('conflict', `It was told with others: redeliver ${delivery.digestId}.`);
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
      // Where nobody can be woken it is found within a minute.
      await deps.waker.wake(id, 0).catch(() => {});
      return jsonResponse(202, toDeliveryView(pending));
    },
  };
}

function underWay(): GatewayError {
  return new GatewayError('conflict', 'It is on its way already.');
}
