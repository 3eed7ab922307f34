import type * as z from 'zod';
import {
  createdWebhookSchema,
  createWebhookSchema,
  deliveryListSchema,
  deliverySchema,
  rotateWebhookSecretSchema,
  updateWebhookSchema,
  webhookDeletionSchema,
  webhookListSchema,
  webhookSchema,
  webhookTestSchema,
} from '../../functions/admin-api/contract.ts';
import type { ErrorCode } from '../../functions/core/base/errors.ts';
import { DELIVERY_STATES } from '../../functions/core/webhooks/delivery-store.ts';
import { type Json, schemaRef } from './components.ts';
import * as examples from './examples.ts';
import { adminOperation, BODY_ERRORS, jsonBody, KEY_ERRORS, PAGE_PARAMETERS, pathId, query } from './operations.ts';
import { errorResponses, jsonResponse } from './responses.ts';

export const WEBHOOK_REQUESTS: readonly z.ZodType[] = [
  createWebhookSchema,
  updateWebhookSchema,
  rotateWebhookSecretSchema,
];
export const WEBHOOK_RESPONSES: readonly z.ZodType[] = [
  webhookSchema,
  createdWebhookSchema,
  webhookListSchema,
  webhookDeletionSchema,
  webhookTestSchema,
  deliverySchema,
  deliveryListSchema,
];

const parameters = [pathId('Id of the webhook.')];

function errors(...codes: readonly ErrorCode[]): Json {
  return errorResponses([...codes, ...KEY_ERRORS, 'not_found']);
}

export const WEBHOOK_PATHS: Readonly<Record<string, Json>> = {
  '/v1/admin/webhooks': {
    get: {
      ...adminOperation('listWebhooks', 'List webhooks', 'Newest first, including disabled ones.'),
      parameters: PAGE_PARAMETERS,
      responses: {
        200: jsonResponse('A page of webhooks.', schemaRef(webhookListSchema), {
          object: 'list',
          data: [examples.webhook],
          nextCursor: null,
        }),
        ...errorResponses(['invalid_value', ...KEY_ERRORS]),
      },
    },
    post: {
      ...adminOperation(
        'createWebhook',
        'Create a webhook',
        'The response has the signing secret in `secret`. It is not shown again.',
      ),
      requestBody: jsonBody(schemaRef(createWebhookSchema), { webhook: { value: examples.createWebhook } }),
      responses: {
        201: jsonResponse('The new webhook with its secret.', schemaRef(createdWebhookSchema), examples.createdWebhook),
        ...errorResponses([...BODY_ERRORS, ...KEY_ERRORS]),
      },
    },
  },
  '/v1/admin/webhooks/{id}': {
    parameters,
    get: {
      ...adminOperation('getWebhook', 'Read a webhook'),
      responses: { 200: jsonResponse('The webhook.', schemaRef(webhookSchema), examples.webhook), ...errors() },
    },
    patch: {
      ...adminOperation(
        'updateWebhook',
        'Change a webhook',
        'Absent fields keep their values; `events` and `filter` are replaced as a whole. `"state": "active"` enables a disabled webhook.',
      ),
      requestBody: jsonBody(schemaRef(updateWebhookSchema), { enable: { value: { state: 'active' } } }),
      responses: {
        200: jsonResponse('The webhook.', schemaRef(webhookSchema), examples.webhook),
        ...errors(...BODY_ERRORS, 'conflict'),
      },
    },
    delete: {
      ...adminOperation('deleteWebhook', 'Delete a webhook', 'Permanent; pending deliveries are dropped.'),
      responses: {
        200: jsonResponse('The webhook is deleted.', schemaRef(webhookDeletionSchema), {
          object: 'webhook.deletion',
          id: examples.webhook.id,
          deleted: true,
        }),
        ...errors('conflict'),
      },
    },
  },
  '/v1/admin/webhooks/{id}/rotate-secret': {
    parameters,
    post: {
      ...adminOperation(
        'rotateWebhookSecret',
        'Rotate the secret of a webhook',
        'The response has the new secret in `secret`. It is not shown again. The old secret also signs until the grace period ends.',
      ),
      requestBody: {
        ...jsonBody(schemaRef(rotateWebhookSecretSchema), { soon: { value: { graceSeconds: 3600 } } }),
        required: false,
      },
      responses: {
        200: jsonResponse('The webhook with its new secret.', schemaRef(createdWebhookSchema), examples.createdWebhook),
        ...errors(...BODY_ERRORS, 'conflict'),
      },
    },
  },
  '/v1/admin/webhooks/{id}/test': {
    parameters,
    post: {
      ...adminOperation(
        'testWebhook',
        'Send a test event',
        'Sends `webhook.test` to this webhook only, whatever its `events`. A disabled webhook is a 409.',
      ),
      responses: {
        202: jsonResponse('The event is queued.', schemaRef(webhookTestSchema), examples.webhookTest),
        ...errors('conflict'),
      },
    },
  },
  '/v1/admin/webhooks/{id}/deliveries': {
    parameters,
    get: {
      ...adminOperation('listDeliveries', 'List deliveries', 'Newest first, with all attempts.'),
      parameters: [...PAGE_PARAMETERS, query('state', 'Their state.', { type: 'string', enum: [...DELIVERY_STATES] })],
      responses: {
        200: jsonResponse('A page of deliveries.', schemaRef(deliveryListSchema), examples.deliveryList),
        ...errors('invalid_value'),
      },
    },
  },
  '/v1/admin/webhooks/{id}/deliveries/{deliveryId}/redeliver': {
    parameters: [...parameters, { ...pathId('Id of the delivery.'), name: 'deliveryId' }],
    post: {
      ...adminOperation(
        'redeliver',
        'Repeat a delivery',
        'Sends a delivered or dead delivery again, with the same event id. A pending or gathered delivery is a 409, and so is a disabled webhook.',
      ),
      responses: {
        202: jsonResponse('The delivery is queued.', schemaRef(deliverySchema), {
          ...examples.delivery,
          state: 'pending',
          deadReason: null,
          nextAttemptAt: '2026-11-22T10:00:00.000Z',
        }),
        ...errors('conflict'),
      },
    },
  },
};
