import { audit, auditVoid } from '../../core/audit/audit-change.ts';
import { GatewayError } from '../../core/base/errors.ts';
import { readPageQuery } from '../../core/http/request-body.ts';
import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { DELIVERY_STATES, type DeliveryState, toDeliveryView } from '../../core/webhooks/delivery-store.ts';
import { type AdminDeps, requireAdmin } from '../admin-deps.ts';
import type { DeliveryList } from '../contract.ts';
import { webhookNotFound } from './webhooks.ts';

/** `/v1/admin/webhooks/{id}/deliveries`: the deliveries of an endpoint, and redelivery. */
export function deliveryRoutes(deps: AdminDeps): Route[] {
  return [listDeliveriesRoute(deps), redeliverRoute(deps)];
}

/** `GET /v1/admin/webhooks/{id}/deliveries?state&limit&cursor`: newest first. */
function listDeliveriesRoute(deps: AdminDeps): Route {
  return {
    method: 'GET',
    path: '/v1/admin/webhooks/{id}/deliveries',
    async handle(routed) {
      await requireAdmin(routed, deps);
      const webhookId = routed.params.id as string;
      const query = { ...readPageQuery(routed.request.url), state: readState(routed.request.url) };
      if ((await deps.webhooks.find(webhookId)) === undefined) throw webhookNotFound();
      const page = await deps.deliveries.list({ webhookId, ...query });
      const list: DeliveryList = {
        object: 'list',
        data: page.deliveries.map(toDeliveryView),
        nextCursor: page.nextCursor ?? null,
      };
      return jsonResponse(200, list);
    },
  };
}

function readState(url: string): DeliveryState | undefined {
  const text = new URL(url).searchParams.get('state');
  if (text === null) return undefined;
  const state = DELIVERY_STATES.find((name) => name === text);
  if (state !== undefined) return state;
  throw new GatewayError('invalid_value', `'state' must be one of ${DELIVERY_STATES.join(', ')}.`, { param: 'state' });
}

/** `POST /v1/admin/webhooks/{id}/deliveries/{deliveryId}/redeliver`: 202; the delivery is scheduled again. */
function redeliverRoute(deps: AdminDeps): Route {
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
      return jsonResponse(202, toDeliveryView(pending));
    },
  };
}

function underWay(): GatewayError {
  return new GatewayError('conflict', 'The delivery is already pending.');
}
