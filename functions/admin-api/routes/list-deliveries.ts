import { GatewayError } from '../../core/base/errors.ts';
import { readPageQuery } from '../../core/http/page.ts';
import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { DELIVERY_STATES, type DeliveryState, toDeliveryView } from '../../core/webhooks/delivery.ts';
import { type AdminDeps, requireAdmin } from '../admin-service.ts';
import { webhookNotFound } from '../change-webhook.ts';
import type { DeliveryList } from '../contract.ts';

/** `GET /v1/admin/webhooks/{id}/deliveries?state&limit&cursor`: newest first. */
export function listDeliveriesRoute(deps: AdminDeps): Route {
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
