import { readPageQuery } from '../../core/http/page.ts';
import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { toWebhookView } from '../../core/model/webhook.ts';
import { type AdminDeps, requireAdmin } from '../admin-service.ts';
import type { WebhookList } from '../contract.ts';

/** `GET /v1/admin/webhooks?limit&cursor`: newest first. */
export function listWebhooksRoute(deps: AdminDeps): Route {
  return {
    method: 'GET',
    path: '/v1/admin/webhooks',
    async handle(routed) {
      await requireAdmin(routed, deps);
      const { limit, cursor } = readPageQuery(routed.request.url);
      const page = await deps.webhooks.list(limit, cursor);
      const list: WebhookList = {
        object: 'list',
        data: page.webhooks.map(({ webhook }) => toWebhookView(webhook, deps.clock.now())),
        nextCursor: page.nextCursor ?? null,
      };
      return jsonResponse(200, list);
    },
  };
}
