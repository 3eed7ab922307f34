import * as z from 'zod';

export const DELIVERY_STATES = ['pending', 'delivered', 'dead', 'gathered'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Outcomes of an attempt other than 2xx. */
const ATTEMPT_FAILURES = [
  'address',
  'dns',
  'connect',
  'tls',
  'timeout',
  'reset',
  'protocol',
  'status',
  'unknown',
] as const;

export const deliveryAttemptSchema = z
  .object({
    at: z.iso.datetime(),
    durationMs: z.number().nullable(),
    status: z.int().nullable().meta({ description: "The receiver's status; null where there was no response." }),
    failure: z.enum(ATTEMPT_FAILURES).nullable().meta({
      description:
        'null: delivered. `status`: not 2xx. `address`: not an allowed address. `unknown`: the attempt was interrupted; it may have arrived.',
    }),
    response: z
      .string()
      .nullable()
      .meta({ description: 'The beginning of the response: at most 1 KB, possible secrets masked.' }),
  })
  .meta({ id: 'WebhookAttempt', description: 'One attempt to deliver.' });
export type DeliveryAttempt = z.infer<typeof deliveryAttemptSchema>;

export const DEAD_REASONS = ['exhausted', 'gone', 'disabled'] as const;
/** Why a delivery is no longer tried: 24 hours of failures, the endpoint's 410, or a disabled or deleted webhook. */
export type DeadReason = (typeof DEAD_REASONS)[number];

export const deliverySchema = z
  .object({
    id: z.string(),
    object: z.literal('webhook.delivery'),
    webhookId: z.string(),
    eventId: z.string(),
    type: z.string(),
    state: z.enum(DELIVERY_STATES).meta({
      description:
        '`gathered`: reported with similar events by the delivery `digestId`. `dead`: given up, until it is redelivered.',
    }),
    count: z
      .int()
      .nullable()
      .meta({ description: 'How many events it reports; null while a digest still gathers them.' }),
    digestId: z.string().nullable(),
    createdAt: z.iso.datetime(),
    nextAttemptAt: z.iso.datetime().nullable(),
    deadReason: z.enum(DEAD_REASONS).nullable(),
    attempts: z.array(deliveryAttemptSchema),
  })
  .meta({
    id: 'WebhookDelivery',
    description: 'An event for one endpoint, and each attempt to deliver it.',
  });

/** A delivery in the API's form. */
export type DeliveryView = z.infer<typeof deliverySchema>;
