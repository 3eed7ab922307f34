import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { type AdminDeps, requireAdmin } from '../admin-service.ts';
import { deleteWebhook } from '../change-webhook.ts';
import type { WebhookDeletion } from '../contract.ts';

/** `DELETE /v1/admin/webhooks/{id}`: for good, with its secrets; 404 where there is none any more. */
export function deleteWebhookRoute(deps: AdminDeps): Route {
  return {
    method: 'DELETE',
    path: '/v1/admin/webhooks/{id}',
    async handle(routed) {
      const caller = await requireAdmin(routed, deps);
      const id = routed.params.id as string;
      await deleteWebhook(id, caller, deps);
      const deletion: WebhookDeletion = { object: 'webhook.deletion', id, deleted: true };
      return jsonResponse(200, deletion);
    },
  };
}
