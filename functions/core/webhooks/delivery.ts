import * as z from 'zod';

export const DELIVERY_STATES = ['pending', 'delivered', 'dead', 'gathered'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** What came of an attempt that was not answered with 2xx. */
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
    status: z.int().nullable().meta({ description: "The receiver's status; null where there was no answer." }),
    failure: z.enum(ATTEMPT_FAILURES).nullable().meta({
      description:
        'null: delivered. `status`: another answer than 2xx. `address`: it is none that may be sent to. `unknown`: we were interrupted; it may have arrived.',
    }),
    response: z
      .string()
      .nullable()
      .meta({ description: 'How the answer began: 1 KB at most, what may be a secret in it masked.' }),
  })
  .meta({ id: 'WebhookAttempt', description: 'One attempt to deliver.' });
export type DeliveryAttempt = z.infer<typeof deliveryAttemptSchema>;

export const DEAD_REASONS = ['exhausted', 'gone', 'disabled'] as const;
/** Why nobody tries any more: 24 hours of failing, the endpoint's own 410, or that it was disabled or deleted meanwhile. */
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
        '`gathered`: told with others of its kind by the delivery `digestId`. `dead`: nobody tries any more, until it is redelivered.',
    }),
    count: z
      .int()
      .nullable()
      .meta({ description: 'How many events it tells of; null while a digest still gathers them.' }),
    digestId: z.string().nullable(),
    createdAt: z.iso.datetime(),
    nextAttemptAt: z.iso.datetime().nullable(),
    deadReason: z.enum(DEAD_REASONS).nullable(),
    attempts: z.array(deliveryAttemptSchema),
  })
  .meta({
    id: 'WebhookDelivery',
    description: 'An event on its way to one endpoint, and each attempt to get it there.',
  });

/** A delivery as it is listed. */
export type DeliveryView = z.infer<typeof deliverySchema>;

/** A delivery as those see it who deliver. */
export interface Delivery extends DeliveryView {
  /** The exact text that is sent; undefined while a digest still gathers, and for what was gathered. */
  readonly body: string | undefined;
  /** ISO 8601; since when it is tried: since it came, or was put on its way again. */
  readonly since: string;
}

export function toDeliveryView({ body: _body, since: _since, ...view }: Delivery): DeliveryView {
  return view;
}
