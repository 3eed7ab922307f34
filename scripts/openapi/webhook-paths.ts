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
import { errorResponses, jsonAnswer } from './responses.ts';

export const WEBHOOK_REQUESTS: readonly z.ZodType[] = [
  createWebhookSchema,
  updateWebhookSchema,
  rotateWebhookSecretSchema,
];
export const WEBHOOK_ANSWERS: readonly z.ZodType[] = [
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
      ...adminOperation('listWebhooks', 'List webhooks', 'Newest first, disabled ones too.'),
      parameters: PAGE_PARAMETERS,
      responses: {
        200: jsonAnswer('A page of webhooks.', schemaRef(webhookListSchema), {
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
        'Register a webhook',
        'The answer holds the signing secret, `secret`: it is not shown again.',
      ),
      requestBody: jsonBody(schemaRef(createWebhookSchema), { webhook: { value: examples.createWebhook } }),
      responses: {
        201: jsonAnswer('The new webhook with its secret.', schemaRef(createdWebhookSchema), examples.createdWebhook),
        ...errorResponses([...BODY_ERRORS, ...KEY_ERRORS]),
      },
    },
  },
  '/v1/admin/webhooks/{id}': {
    parameters,
    get: {
      ...adminOperation('getWebhook', 'Read a webhook'),
      responses: { 200: jsonAnswer('The webhook.', schemaRef(webhookSchema), examples.webhook), ...errors() },
    },
    patch: {
      ...adminOperation(
        'updateWebhook',
        'Change a webhook',
        'What is absent stays; `events` and `filter` are replaced whole. `"state": "active"` enables one that was disabled, for whatever reason.',
      ),
      requestBody: jsonBody(schemaRef(updateWebhookSchema), { enable: { value: { state: 'active' } } }),
      responses: {
        200: jsonAnswer('The webhook.', schemaRef(webhookSchema), examples.webhook),
        ...errors(...BODY_ERRORS, 'conflict'),
      },
    },
    delete: {
      ...adminOperation('deleteWebhook', 'Delete a webhook', 'For good, with its secrets.'),
      responses: {
        200: jsonAnswer('It is gone.', schemaRef(webhookDeletionSchema), {
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
        'Give a webhook a new secret',
        'The answer holds the new secret, `secret`: it is not shown again. The old one signs too until the grace is over.',
      ),
      requestBody: {
        ...jsonBody(schemaRef(rotateWebhookSecretSchema), { soon: { value: { graceSeconds: 3600 } } }),
        required: false,
      },
      responses: {
        200: jsonAnswer('The webhook with its new secret.', schemaRef(createdWebhookSchema), examples.createdWebhook),
        ...errors(...BODY_ERRORS, 'conflict'),
      },
    },
  },
  '/v1/admin/webhooks/{id}/test': {
    parameters,
    post: {
      ...adminOperation(
        'testWebhook',
        'Send a webhook a test event',
        'A `webhook.test` goes to this webhook alone, whatever events it wants. One that is disabled is a 409.',
      ),
      responses: {
        202: jsonAnswer('The event is on its way.', schemaRef(webhookTestSchema), examples.webhookTest),
        ...errors('conflict'),
      },
    },
  },
  '/v1/admin/webhooks/{id}/deliveries': {
    parameters,
    get: {
      ...adminOperation(
        'listDeliveries',
        'List deliveries',
        'What was sent to a webhook and what became of it, newest first.',
      ),
      parameters: [
        ...PAGE_PARAMETERS,
        query('state', 'Only those in this state.', { type: 'string', enum: [...DELIVERY_STATES] }),
      ],
      responses: {
        200: jsonAnswer('A page of deliveries.', schemaRef(deliveryListSchema), examples.deliveryList),
        ...errors('invalid_value'),
      },
    },
  },
  '/v1/admin/webhooks/{id}/deliveries/{deliveryId}/redeliver': {
    parameters: [...parameters, { ...pathId('Id of the delivery.'), name: 'deliveryId' }],
    post: {
      ...adminOperation(
        'redeliver',
        'Send a delivery again',
        'One that was delivered or is dead, by the same event id. One that is under way or was gathered is a 409, and so is a webhook that is disabled.',
      ),
      responses: {
        202: jsonAnswer('It is on its way.', schemaRef(deliverySchema), {
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
