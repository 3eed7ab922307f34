import { audit } from '../../core/audit/audit-change.ts';
import { toValidationError } from '../../core/base/first-fault.ts';
import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { toWebhookView, type Webhook } from '../../core/model/webhook.ts';
import { mintWebhookSecret, newWebhookId } from '../../core/webhooks/webhook-secrets.ts';
import { readAdminBody } from '../admin-body.ts';
import { type AdminDeps, requireAdmin } from '../admin-service.ts';
import { requireEndpointUrl } from '../change-webhook.ts';
import { type CreatedWebhook, createWebhookSchema } from '../contract.ts';

/** `POST /v1/admin/webhooks`: 201 with the endpoint and, this once, its signing secret. */
export function createWebhookRoute(deps: AdminDeps): Route {
  return {
    method: 'POST',
    path: '/v1/admin/webhooks',
    async handle(routed) {
      const caller = await requireAdmin(routed, deps);
      const value = await readAdminBody(routed.request);
      const fields = createWebhookSchema.safeParse(value);
      if (!fields.success) throw toValidationError(fields.error, value);
      requireEndpointUrl(fields.data.url, deps);
      const now = deps.clock.now();
      const secret = mintWebhookSecret(now);
      const webhook: Webhook = {
        ...fields.data,
        id: newWebhookId(now),
        filter: fields.data.filter as Webhook['filter'],
        state: 'active',
        disabledReason: null,
        failingSince: null,
        createdAt: new Date(now).toISOString(),
        secrets: [secret],
      };
      const after = toWebhookView(webhook, now);
      const target = { type: 'webhook', id: webhook.id } as const;
      await audit(caller, { action: 'webhook.created', target, before: null, after }, deps);
      await deps.webhooks.create(webhook);
      const created: CreatedWebhook = { ...after, secret: secret.secret };
      return jsonResponse(201, created);
    },
  };
}
