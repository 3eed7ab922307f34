import * as z from 'zod';
import { auditRecordSchema } from '../core/audit/audit-record.ts';
import {
  markThreatSchema,
  requestDetailSchema,
  requestListSchema,
  requestRecordSchema,
  sessionListSchema,
  sessionSchema,
  summarySchema,
  threatListSchema,
  threatSchema,
  timeseriesSchema,
} from '../core/model/analytics.ts';
import { createKeySchema, keySchema, PERMISSIONS, rotateKeySchema, updateKeySchema } from '../core/model/api-key.ts';
import { captureSchema } from '../core/model/capture.ts';
import { webhookSchema } from '../core/model/webhook.ts';
import { policyVersionSchema } from '../core/policy/effective-policy.ts';
import { deliverySchema } from '../core/webhooks/delivery-store.ts';

export { deploymentPolicySchema } from '../core/model/deployment-policy.ts';
export { EVENT_TYPES } from '../core/model/event-types.ts';
export { createWebhookSchema, rotateWebhookSecretSchema, updateWebhookSchema } from '../core/model/webhook.ts';
export { policyReplaySchema, replayRequestSchema } from '../core/replay/replay-report.ts';
/** The schemas of the admin API, for its routes, the OpenAPI document and the dashboard. */
export {
  captureSchema,
  createKeySchema,
  deliverySchema,
  keySchema,
  markThreatSchema,
  policyVersionSchema,
  requestDetailSchema,
  requestListSchema,
  requestRecordSchema,
  rotateKeySchema,
  sessionListSchema,
  sessionSchema,
  summarySchema,
  threatListSchema,
  threatSchema,
  timeseriesSchema,
  updateKeySchema,
  webhookSchema,
};

/** Body of `POST /admin/session`. */
export const signInSchema = z
  .strictObject({ key: z.string().max(256) })
  .meta({ id: 'SignIn', description: 'A key with the permission `analytics` or `admin`.' });

export const dashboardSessionSchema = z
  .object({
    object: z.literal('session'),
    permissions: z.array(z.enum(PERMISSIONS)).meta({ description: 'The permissions in force.' }),
    keyId: z.string().nullable().meta({ description: 'null if a person signed in through an identity provider.' }),
    name: z.string().meta({ description: "The key's name, or the person's e-mail address." }),
    expiresAt: z.iso.datetime().meta({ description: 'The latest end; an hour without a request ends it earlier.' }),
    csrfToken: z.string().meta({ description: 'For the header `X-Svc-Csrf` of each call that changes something.' }),
  })
  .meta({ id: 'DashboardSession', description: 'The user who is signed in to the dashboard.' });
export type DashboardSession = z.infer<typeof dashboardSessionSchema>;

export const sessionDeletionSchema = z
  .object({ object: z.literal('session.deletion'), deleted: z.literal(true) })
  .meta({ id: 'SessionDeletion', description: 'Confirms that the session has ended.' });
export type SessionDeletion = z.infer<typeof sessionDeletionSchema>;

export const sessionOptionsSchema = z
  .object({
    object: z.literal('session.options'),
    oidc: z
      .object({ label: z.string(), startUrl: z.string() })
      .nullable()
      .meta({ description: 'The identity provider and its sign-in URL; null if there is none.' }),
  })
  .meta({ id: 'SessionOptions', description: 'The ways to sign in besides a key.' });
export type SessionOptions = z.infer<typeof sessionOptionsSchema>;

/** A key that was created or rotated: the only time that its secret is shown. */
export const createdKeySchema = keySchema
  .extend({ key: z.string() })
  .meta({ id: 'CreatedKey', description: 'A key with its new secret, which is shown only once.' });

const allowance = z.object({ limit: z.int(), remaining: z.int(), fullAt: z.iso.datetime() });
export const keyUsageSchema = z
  .object({
    object: z.literal('key.usage'),
    keyId: z.string(),
    at: z.iso.datetime(),
    requests: allowance.meta({ description: 'Of `rateLimit`: `limit` is the capacity of a full bucket.' }),
    tokens: allowance.nullable().meta({ description: 'Of `tokenLimit`; null if there is none.' }),
    budget: z
      .object({ usd: z.number(), remainingUsd: z.number(), resetAt: z.iso.datetime() })
      .nullable()
      .meta({ description: 'Of `budget`; null if there is none.' }),
    concurrent: z
      .object({ limit: z.int(), remaining: z.int() })
      .nullable()
      .meta({ description: 'Of `maxConcurrent`; null if there is none.' }),
  })
  .meta({ id: 'KeyUsage', description: "What a key's limits would admit now, without what running requests reserve." });
export type KeyUsage = z.infer<typeof keyUsageSchema>;

export const keyListSchema = z
  .object({ object: z.literal('list'), data: z.array(keySchema), nextCursor: z.string().nullable() })
  .meta({ id: 'KeyList', description: 'A page of keys, newest first.' });

/** An endpoint that was created or whose secret was rotated: the only time that its secret is shown. */
export const createdWebhookSchema = webhookSchema
  .extend({ secret: z.string() })
  .meta({ id: 'CreatedWebhook', description: 'An endpoint with its new signing secret, which is shown only once.' });

export const webhookListSchema = z
  .object({ object: z.literal('list'), data: z.array(webhookSchema), nextCursor: z.string().nullable() })
  .meta({ id: 'WebhookList', description: 'A page of endpoints, newest first.' });

export const webhookDeletionSchema = z
  .object({ object: z.literal('webhook.deletion'), id: z.string(), deleted: z.literal(true) })
  .meta({ id: 'WebhookDeletion', description: 'Confirms that an endpoint was deleted.' });

export const deliveryListSchema = z
  .object({ object: z.literal('list'), data: z.array(deliverySchema), nextCursor: z.string().nullable() })
  .meta({ id: 'WebhookDeliveryList', description: 'A page of deliveries, newest first.' });
export type DeliveryList = z.infer<typeof deliveryListSchema>;

export const webhookTestSchema = z
  .object({ object: z.literal('webhook.test'), webhookId: z.string(), eventId: z.string() })
  .meta({ id: 'WebhookTest', description: 'The event that will be sent to the endpoint.' });

export const endUserDeletionSchema = z
  .object({
    object: z.literal('end_user.deletion'),
    deleted: z.record(z.string(), z.int()).meta({ description: 'Number of items of each kind.' }),
  })
  .meta({ id: 'EndUserDeletion', description: 'The deleted data of an end user.' });
export type EndUserDeletion = z.infer<typeof endUserDeletionSchema>;

export const policyVersionListSchema = z
  .object({ object: z.literal('list'), data: z.array(policyVersionSchema), nextCursor: z.string().nullable() })
  .meta({ id: 'PolicyVersionList', description: "A page of the deployment's policies, newest first." });
export type PolicyVersionList = z.infer<typeof policyVersionListSchema>;

export const auditEntrySchema = auditRecordSchema.extend({ object: z.literal('audit.entry'), hash: z.string() }).meta({
  id: 'AuditEntry',
  description: 'An action of an administrator. `hash` is SHA-256 of the entry without it and `object`.',
});

export const auditListSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(auditEntrySchema),
    nextCursor: z.string().nullable(),
    head: z
      .object({ seq: z.int(), hash: z.string(), at: z.iso.datetime() })
      .nullable()
      .meta({ description: 'The end of the chain; may lag behind briefly.' }),
  })
  .meta({ id: 'AuditList', description: "A page of administrators' actions, newest first." });

export type AuditList = z.infer<typeof auditListSchema>;
export type CreatedKey = z.infer<typeof createdKeySchema>;
export type KeyList = z.infer<typeof keyListSchema>;
export type CreatedWebhook = z.infer<typeof createdWebhookSchema>;
export type WebhookList = z.infer<typeof webhookListSchema>;
export type WebhookDeletion = z.infer<typeof webhookDeletionSchema>;
export type WebhookTest = z.infer<typeof webhookTestSchema>;
export type {
  Figures,
  Group,
  Interval,
  Mark,
  RequestDetail,
  RequestRecord,
  Session,
  Summary,
  Threat,
  Timeseries,
} from '../core/model/analytics.ts';
export type { CreateKey, KeyView, UpdateKey } from '../core/model/api-key.ts';
export type { CreateWebhook, UpdateWebhook, WebhookView } from '../core/model/webhook.ts';
export type { PolicyVersionView } from '../core/policy/effective-policy.ts';
export type { PolicyReplay } from '../core/replay/replay-report.ts';
