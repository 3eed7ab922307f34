import * as z from 'zod';
import { DELIVERY_STATES, deliverySchema } from '../kernel/model/index.ts';
import { LIMIT_OPTION, laxPage, listOf } from './fields.ts';
import { defineOperations } from './operation.ts';
import { webhookExample, webhookId, webhookTestExample } from './webhooks.ts';

export const deliveryListSchema = listOf(deliverySchema).meta({
  id: 'WebhookDeliveryList',
  description: 'A page of deliveries, newest first.',
});

const deliveryExample = {
  id: 'delivery_5f0c9a1b2c3d4e5f60718293a4b5c6d7',
  object: 'webhook.delivery',
  webhookId: webhookExample.id,
  eventId: webhookTestExample.eventId,
  type: 'threat.detected',
  state: 'dead',
  count: 1,
  digestId: null,
  createdAt: '2026-11-21T09:30:00.000Z',
  nextAttemptAt: null,
  deadReason: 'exhausted',
  attempts: [
    { at: '2026-11-21T09:30:00.120Z', durationMs: 10_002, status: null, failure: 'timeout', response: null },
    { at: '2026-11-22T09:31:04.310Z', durationMs: 85, status: 503, failure: 'status', response: 'Try later' },
  ],
};
export const deliveryListExample = { object: 'list', data: [deliveryExample], nextCursor: null };

const STATE_ERROR = `must be one of ${DELIVERY_STATES.join(', ')}`;

/** The deliveries of an endpoint. */
export const deliveryOperations = defineOperations({
  listDeliveries: {
    method: 'GET',
    path: '/v1/admin/webhooks/{id}/deliveries',
    tag: 'Admin',
    summary: 'List deliveries',
    description: 'Newest first, with all attempts.',
    access: 'operator',
    scope: 'deployment',
    params: webhookId,
    query: z.object({
      ...laxPage,
      limit: laxPage.limit.meta({ ...laxPage.limit.meta(), option: LIMIT_OPTION }),
      state: z
        .enum(DELIVERY_STATES, { error: STATE_ERROR })
        .optional()
        .meta({
          description: 'Their state.',
          label: 'State of deliveries',
          choiceLabels: {
            pending: 'Waiting or retrying',
            delivered: 'Delivered',
            dead: 'Given up',
            gathered: 'Combined with others',
          },
          option: {
            name: 'state',
            format: 'text',
            value: 'STATE',
            help: 'Only deliveries in this state. Default: all.',
          },
        }),
    }),
    response: { description: 'A page of deliveries.', body: deliveryListSchema, example: deliveryListExample },
    errors: ['not_found'],
  },
  redeliver: {
    method: 'POST',
    path: '/v1/admin/webhooks/{id}/deliveries/{deliveryId}/redeliver',
    tag: 'Admin',
    summary: 'Repeat a delivery',
    description:
      'Sends a delivered or dead delivery again, with the same event id. A pending or gathered delivery is a 409, and so is a disabled webhook.',
    access: 'operator',
    scope: 'deployment',
    params: webhookId.extend({ deliveryId: z.string().meta({ description: 'Id of the delivery.' }) }),
    response: {
      status: 202,
      description: 'The delivery is queued.',
      body: deliverySchema,
      example: {
        ...deliveryExample,
        state: 'pending',
        deadReason: null,
        nextAttemptAt: '2026-11-22T10:00:00.000Z',
      },
    },
    errors: ['not_found', 'conflict'],
  },
});
