import { toValidationError } from '../../core/base/first-fault.ts';
import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { toWebhookView, type UpdateWebhook, type Webhook } from '../../core/model/webhook.ts';
import { disabledEvent } from '../../core/webhooks/webhook-events.ts';
import { readAdminBody } from '../admin-body.ts';
import { type AdminDeps, requireAdmin } from '../admin-service.ts';
import { changeWebhook, requireEndpointUrl } from '../change-webhook.ts';
import { updateWebhookSchema } from '../contract.ts';

/** `PATCH /v1/admin/webhooks/{id}`: what is absent stays; `state` enables again, or disables. */
export function updateWebhookRoute(deps: AdminDeps): Route {
  return {
    method: 'PATCH',
    path: '/v1/admin/webhooks/{id}',
    async handle(routed) {
      const caller = await requireAdmin(routed, deps);
      const value = await readAdminBody(routed.request);
      const changes = updateWebhookSchema.safeParse(value);
      if (!changes.success) throw toValidationError(changes.error, value);
      if (changes.data.url !== undefined) requireEndpointUrl(changes.data.url, deps);
      const change = (webhook: Webhook) => {
        const changed = withChanges(webhook, changes.data);
        const isDisabled = webhook.state === 'active' && changed.state === 'disabled';
        return { webhook: changed, event: isDisabled ? disabledEvent(changed, deps.clock.now()) : undefined };
      };
      const webhook = await changeWebhook(routed.params.id as string, 'webhook.updated', change, caller, deps);
      return jsonResponse(200, toWebhookView(webhook, deps.clock.now()));
    },
  };
}

function withChanges(webhook: Webhook, changes: UpdateWebhook): Webhook {
  // An absent field parses to no property at all, so that it stays as it is.
  const changed: Webhook = { ...webhook, ...(changes as Partial<Webhook>) };
  const moved = changed.url !== webhook.url;
  return {
    ...changed,
    // Whoever disables one that had failed wants it to stay so.
    disabledReason: changes.state === 'disabled' ? 'admin' : changed.state === 'active' ? null : webhook.disabledReason,
    // What failed was another address, or what was wrong is mended.
    failingSince: moved || changes.state === 'active' ? null : webhook.failingSince,
  };
}
