import { toValidationError } from '../../core/base/first-fault.ts';
import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { toWebhookView, type Webhook } from '../../core/model/webhook.ts';
import { mintWebhookSecret, rotateSecrets } from '../../core/webhooks/webhook-secrets.ts';
import { readOptionalAdminBody } from '../admin-body.ts';
import { type AdminDeps, requireAdmin } from '../admin-service.ts';
import { changeWebhook } from '../change-webhook.ts';
import { type CreatedWebhook, rotateWebhookSecretSchema } from '../contract.ts';

/** `POST /v1/admin/webhooks/{id}/rotate-secret`: 200 with, this once, the new secret. The old one signs too for the grace. */
export function rotateWebhookSecretRoute(deps: AdminDeps): Route {
  return {
    method: 'POST',
    path: '/v1/admin/webhooks/{id}/rotate-secret',
    async handle(routed) {
      const caller = await requireAdmin(routed, deps);
      const value = await readOptionalAdminBody(routed.request);
      const fields = rotateWebhookSecretSchema.safeParse(value);
      if (!fields.success) throw toValidationError(fields.error, value);
      const next = mintWebhookSecret(deps.clock.now());
      const rotate = (webhook: Webhook) => ({
        webhook: {
          ...webhook,
          secrets: rotateSecrets(webhook.secrets, next, fields.data.graceSeconds, deps.clock.now()),
        },
      });
      const id = routed.params.id as string;
      const webhook = await changeWebhook(id, 'webhook.secret_rotated', rotate, caller, deps);
      const created: CreatedWebhook = { ...toWebhookView(webhook, deps.clock.now()), secret: next.secret };
      return jsonResponse(200, created);
    },
  };
}
