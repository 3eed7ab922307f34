import * as z from 'zod';
import {
  createWebhookSchema,
  rotateWebhookSecretSchema,
  updateWebhookSchema,
  webhookSchema,
} from '../kernel/model/index.ts';
import { idOf, laxPage, listOf } from './fields.ts';
import { defineOperations } from './operation.ts';

/** An endpoint that was created or whose secret was rotated: the only time that its secret is shown. */
export const createdWebhookSchema = webhookSchema
  .extend({
    secret: z.string().optional().meta({
      description:
        'Of the format `svc`. Services of the other formats verify no signature: their address is the secret.',
    }),
  })
  .meta({ id: 'CreatedWebhook', description: 'An endpoint with its new signing secret, which is shown only once.' });
export type CreatedWebhook = z.infer<typeof createdWebhookSchema>;

export const webhookListSchema = listOf(webhookSchema).meta({
  id: 'WebhookList',
  description: 'A page of endpoints, newest first.',
});

export const webhookDeletionSchema = z
  .object({ object: z.literal('webhook.deletion'), id: z.string(), deleted: z.literal(true) })
  .meta({ id: 'WebhookDeletion', description: 'Confirms that an endpoint was deleted.' });
export type WebhookDeletion = z.infer<typeof webhookDeletionSchema>;

export const webhookTestSchema = z
  .object({ object: z.literal('webhook.test'), webhookId: z.string(), eventId: z.string() })
  .meta({ id: 'WebhookTest', description: 'The event that will be sent to the endpoint.' });

const createExample = {
  url: 'https://alerts.example.com/svc',
  events: ['threat.detected', 'request.blocked', 'budget.exceeded'],
  filter: { minThreatScore: 0.8 },
};
export const webhookExample = {
  id: 'wh_019a9f3b5b7d4c2f8e0a1b2c3d4e5f60',
  object: 'webhook',
  ...createExample,
  description: null,
  state: 'active',
  disabledReason: null,
  failingSince: null,
  createdAt: '2026-11-21T09:30:00.000Z',
  previousSecrets: [],
};
const createdExample = { ...webhookExample, secret: 'whsec_<base64 of 32 bytes>' };
export const webhookTestExample = {
  object: 'webhook.test',
  webhookId: webhookExample.id,
  eventId: 'evt_2b3c4d5e6f708192a3b4c5d6e7f80910',
};

export const webhookId = idOf('Id of the webhook.');
const params = webhookId;
const oneWebhook = { description: 'The webhook.', body: webhookSchema, example: webhookExample };

/** Endpoints for events, and their signing secrets; each change is in the audit log. */
export const webhookOperations = defineOperations({
  listWebhooks: {
    method: 'GET',
    path: '/v1/admin/webhooks',
    tag: 'Admin',
    summary: 'List webhooks',
    description: 'Newest first, including disabled ones.',
    access: 'operator',
    scope: 'deployment',
    query: z.object(laxPage),
    response: {
      description: 'A page of webhooks.',
      body: webhookListSchema,
      example: { object: 'list', data: [webhookExample], nextCursor: null },
    },
  },
  createWebhook: {
    method: 'POST',
    path: '/v1/admin/webhooks',
    tag: 'Admin',
    summary: 'Create a webhook',
    description: 'With the format `svc` the response has the signing secret in `secret`. It is not shown again.',
    access: 'operator',
    scope: 'deployment',
    body: { schema: createWebhookSchema, examples: { webhook: { value: createExample } } },
    response: {
      status: 201,
      description: 'The new webhook with its secret.',
      body: createdWebhookSchema,
      example: createdExample,
    },
  },
  getWebhook: {
    method: 'GET',
    path: '/v1/admin/webhooks/{id}',
    tag: 'Admin',
    summary: 'Read a webhook',
    access: 'operator',
    scope: 'deployment',
    params,
    response: oneWebhook,
    errors: ['not_found'],
  },
  updateWebhook: {
    method: 'PATCH',
    path: '/v1/admin/webhooks/{id}',
    tag: 'Admin',
    summary: 'Change a webhook',
    description:
      'Absent fields keep their values; `events` and `filter` are replaced as a whole. `"state": "active"` enables a disabled webhook.',
    access: 'operator',
    scope: 'deployment',
    params,
    body: { schema: updateWebhookSchema, examples: { enable: { value: { state: 'active' } } } },
    response: oneWebhook,
    errors: ['not_found', 'conflict'],
  },
  deleteWebhook: {
    method: 'DELETE',
    path: '/v1/admin/webhooks/{id}',
    tag: 'Admin',
    summary: 'Delete a webhook',
    description: 'Permanent; pending deliveries are dropped.',
    access: 'operator',
    scope: 'deployment',
    params,
    response: {
      description: 'The webhook is deleted.',
      body: webhookDeletionSchema,
      example: { object: 'webhook.deletion', id: webhookExample.id, deleted: true },
    },
    errors: ['not_found', 'conflict'],
  },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/v1/admin/webhooks/{id}/rotate-secret',
    tag: 'Admin',
    summary: 'Rotate the secret of a webhook',
    description:
      'The response has the new secret in `secret`. It is not shown again. The old secret also signs until the grace period ends. A webhook of another format has no secret: 409.',
    access: 'operator',
    scope: 'deployment',
    params,
    body: {
      schema: rotateWebhookSecretSchema,
      examples: { soon: { value: { graceSeconds: 3600 } } },
      isOptional: true,
    },
    response: { description: 'The webhook with its new secret.', body: createdWebhookSchema, example: createdExample },
    errors: ['not_found', 'conflict'],
  },
  testWebhook: {
    method: 'POST',
    path: '/v1/admin/webhooks/{id}/test',
    tag: 'Admin',
    summary: 'Send a test event',
    description: 'Sends `webhook.test` to this webhook only, whatever its `events`. A disabled webhook is a 409.',
    access: 'operator',
    scope: 'deployment',
    params,
    response: {
      status: 202,
      description: 'The event is queued.',
      body: webhookTestSchema,
      example: webhookTestExample,
    },
    errors: ['not_found', 'conflict'],
  },
});
