import * as z from 'zod';
import { EVENT_TYPES, type EventType } from './event-types.ts';
import { THREAT_TYPES } from './threat.ts';

/** Why no event goes to an endpoint any more: an administrator's wish, its own 410, or five days of failing. */
export type DisabledReason = 'admin' | 'gone' | 'failing';

/** A signing secret: `whsec_` and base64 of 32 random bytes. Kept sealed, open in memory only. */
export interface WebhookSecret {
  readonly secret: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Of one that was rotated out: until then both sign. */
  readonly validUntil?: string;
}

/** Which events an endpoint wants beyond their types: those of requests that fit, all of these. */
export interface WebhookFilter {
  /** 0..1: no `threat.detected` and no `request.blocked` of a lower score. */
  readonly minThreatScore?: number;
  /** Only where one of these types was found, for `threat.detected` and `request.blocked`. */
  readonly threatTypes?: readonly string[];
  readonly environments?: readonly string[];
}

/** An endpoint that is told of events (decisions, section 10), as those see it who deliver. */
export interface Webhook {
  /** `wh_...` */
  readonly id: string;
  readonly url: string;
  readonly events: readonly EventType[];
  readonly filter: WebhookFilter;
  readonly description: string | null;
  readonly state: 'active' | 'disabled';
  readonly disabledReason: DisabledReason | null;
  /** ISO 8601; the first failure since the last success, null where the last attempt was one. */
  readonly failingSince: string | null;
  readonly createdAt: string;
  /** Newest first; the first is the current one. */
  readonly secrets: readonly WebhookSecret[];
}

const MAX_ENVIRONMENTS = 32;
const MAX_GRACE_SECONDS = 30 * 86_400;
/** An endpoint is told of its test whatever it wants: it cannot be asked for. */
const WANTED_TYPES = EVENT_TYPES.filter((type) => type !== 'webhook.test');

const events = z
  .array(z.enum(WANTED_TYPES, { error: `must be one of ${WANTED_TYPES.join(', ')}` }))
  .min(1)
  .max(EVENT_TYPES.length * 2)
  .transform((list) => [...new Set(list)])
  .meta({ description: 'Types of events that the endpoint is told of.' });

const filter = z
  .strictObject({
    minThreatScore: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta({ description: 'No `threat.detected` and no `request.blocked` of a lower score.' }),
    threatTypes: z
      .array(z.enum(THREAT_TYPES))
      .min(1)
      .max(THREAT_TYPES.length)
      .optional()
      .meta({ description: '`threat.detected` and `request.blocked` only where one of these was found.' }),
    environments: z
      .array(z.string().min(1).max(256))
      .min(1)
      .max(MAX_ENVIRONMENTS)
      .optional()
      .meta({ description: 'Only events of these environments, as they stand in the event.' }),
  })
  .meta({ description: 'Narrows the events down; each member that is there must fit.' });

/** Checked as an address where it is taken (core/webhooks/endpoint-url.ts): what is allowed depends on the deployment. */
const url = z.string().min(1).max(2_048).meta({ description: 'An https address, without credentials in it.' });
const description = z.string().max(512).nullable();

/** Body of `POST /admin/webhooks`. */
export const createWebhookSchema = z
  .strictObject({ url, events, description: description.default(null), filter: filter.default({}) })
  .meta({ id: 'CreateWebhook', description: 'An endpoint that is to be told of events.' });
export type CreateWebhook = z.infer<typeof createWebhookSchema>;

/** Body of `PATCH /admin/webhooks/{id}`: what is absent stays. */
export const updateWebhookSchema = z
  .strictObject({ url, events, description, filter, state: z.enum(['active', 'disabled']) })
  .partial()
  .meta({
    id: 'UpdateWebhook',
    description: 'Changes to an endpoint. `active` takes back whatever disabled it, and forgets its failures.',
  });
export type UpdateWebhook = z.infer<typeof updateWebhookSchema>;

/** Body of `POST /admin/webhooks/{id}/rotate-secret`. */
export const rotateWebhookSecretSchema = z
  .strictObject({
    graceSeconds: z
      .int()
      .min(0)
      .max(MAX_GRACE_SECONDS)
      .default(86_400)
      .meta({ description: 'How long the old secret signs too; with 0 only the new one does.' }),
  })
  .meta({ id: 'RotateWebhookSecret', description: 'How an endpoint gets a new secret.' });

/** An endpoint as the admin API shows it: nothing of its secrets but when each came and goes. */
export const webhookSchema = z
  .object({
    id: z.string(),
    object: z.literal('webhook'),
    url: z.string(),
    events: z.array(z.enum(EVENT_TYPES)),
    description: z.string().nullable(),
    filter,
    state: z.enum(['active', 'disabled']),
    disabledReason: z
      .enum(['admin', 'gone', 'failing'])
      .nullable()
      .meta({ description: 'By an administrator, by its own 410, or after five days of failing.' }),
    failingSince: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'The first failure since the last success; null where the last attempt was one.' }),
    createdAt: z.iso.datetime(),
    previousSecrets: z
      .array(z.object({ createdAt: z.iso.datetime(), validUntil: z.iso.datetime() }))
      .meta({ description: 'Secrets from before a rotation that still sign.' }),
  })
  .meta({ id: 'Webhook', description: 'An endpoint that is told of events, without its secret.' });
export type WebhookView = z.infer<typeof webhookSchema>;

/** The endpoint as the admin API answers it, and as events tell of it. */
export function toWebhookView({ secrets, ...webhook }: Webhook, nowMs: number): WebhookView {
  const previousSecrets = secrets.flatMap(({ createdAt, validUntil }) =>
    validUntil !== undefined && nowMs < Date.parse(validUntil) ? [{ createdAt, validUntil }] : [],
  );
  return {
    id: webhook.id,
    object: 'webhook',
    url: webhook.url,
    events: [...webhook.events],
    description: webhook.description,
    filter: webhook.filter as WebhookView['filter'],
    state: webhook.state,
    disabledReason: webhook.disabledReason,
    failingSince: webhook.failingSince,
    createdAt: webhook.createdAt,
    previousSecrets,
  };
}
