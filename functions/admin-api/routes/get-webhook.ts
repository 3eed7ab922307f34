import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { toWebhookView } from '../../core/model/webhook.ts';
import { type AdminDeps, requireAdmin } from '../admin-service.ts';
import { webhookNotFound } from '../change-webhook.ts';

/** `GET /v1/admin/webhooks/{id}` */
export function getWebhookRoute(deps: AdminDeps): Route {
  return {
    method: 'GET',
    path: '/v1/admin/webhooks/{id}',
    async handle(routed) {
      await requireAdmin(routed, deps);
      const stored = await deps.webhooks.find(routed.params.id as string);
      if (stored === undefined) throw webhookNotFound();
      return jsonResponse(200, toWebhookView(stored.webhook, deps.clock.now()));
    },
  };
}
