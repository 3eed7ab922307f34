import { GatewayError } from '../../core/base/errors.ts';
import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import type { Webhook } from '../../core/model/webhook.ts';
import { testEvent } from '../../core/webhooks/webhook-events.ts';
import { type AdminDeps, requireAdmin } from '../admin-service.ts';
import { changeWebhook } from '../change-webhook.ts';
import type { WebhookTest } from '../contract.ts';

/** `POST /v1/admin/webhooks/{id}/test`: 202, and a `webhook.test` for this endpoint alone is on its way. */
export function testWebhookRoute(deps: AdminDeps): Route {
  return {
    method: 'POST',
    path: '/v1/admin/webhooks/{id}/test',
    async handle(routed) {
      const caller = await requireAdmin(routed, deps);
      const id = routed.params.id as string;
      const event = testEvent(id, deps.clock.now());
      const test = (webhook: Webhook) => {
        if (webhook.state === 'active') return { webhook, event };
        throw new GatewayError('conflict', 'The webhook is disabled: nothing is sent to it. Enable it first.');
      };
      await changeWebhook(id, 'webhook.tested', test, caller, deps);
      const sent: WebhookTest = { object: 'webhook.test', webhookId: id, eventId: event.id };
      return jsonResponse(202, sent);
    },
  };
}
