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
/** The shapes of the admin API, for its routes, the OpenAPI document and the dashboard. */
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
    permissions: z.array(z.enum(PERMISSIONS)).meta({ description: 'What may be done, exclusions taken off.' }),
    keyId: z.string().nullable().meta({ description: 'null where an identity provider vouched for a person.' }),
    name: z.string().meta({ description: "The key's, or the person's e-mail address." }),
    expiresAt: z.iso.datetime().meta({ description: 'At the latest; an hour without a request ends it before.' }),
    csrfToken: z.string().meta({ description: 'For the header `X-Svc-Csrf` of each call that changes something.' }),
  })
  .meta({ id: 'DashboardSession', description: 'Who is signed in at the dashboard.' });
export type DashboardSession = z.infer<typeof dashboardSessionSchema>;

export const sessionDeletionSchema = z
  .object({ object: z.literal('session.deletion'), deleted: z.literal(true) })
  .meta({ id: 'SessionDeletion', description: 'That nobody is signed in any more.' });
export type SessionDeletion = z.infer<typeof sessionDeletionSchema>;

export const sessionOptionsSchema = z
  .object({
    object: z.literal('session.options'),
    oidc: z
      .object({ label: z.string(), startUrl: z.string() })
      .nullable()
      .meta({ description: 'The identity provider and where to go for it; null where there is none.' }),
  })
  .meta({ id: 'SessionOptions', description: 'In which ways one may sign in, besides a key.' });
export type SessionOptions = z.infer<typeof sessionOptionsSchema>;

/** A key that is new or was rotated: the only time that its secret is shown. */
export const createdKeySchema = keySchema
  .extend({ key: z.string() })
  .meta({ id: 'CreatedKey', description: 'A key with its new secret, shown this once.' });

const allowance = z.object({ limit: z.int(), remaining: z.int(), fullAt: z.iso.datetime() });
export const keyUsageSchema = z
  .object({
    object: z.literal('key.usage'),
    keyId: z.string(),
    at: z.iso.datetime(),
    requests: allowance.meta({ description: 'Of `rateLimit`: `limit` is what a full bucket holds.' }),
    tokens: allowance.nullable().meta({ description: 'Of `tokenLimit`; null where there is none.' }),
    budget: z
      .object({ usd: z.number(), remainingUsd: z.number(), resetAt: z.iso.datetime() })
      .nullable()
      .meta({ description: 'Of `budget`; null where there is none.' }),
    concurrent: z
      .object({ limit: z.int(), remaining: z.int() })
      .nullable()
      .meta({ description: 'Of `maxConcurrent`; null where there is none.' }),
  })
  .meta({ id: 'KeyUsage', description: 'What the limits of a key would admit now, what runs taken off.' });
export type KeyUsage = z.infer<typeof keyUsageSchema>;

export const keyListSchema = z
  .object({ object: z.literal('list'), data: z.array(keySchema), nextCursor: z.string().nullable() })
  .meta({ id: 'KeyList', description: 'A page of keys, newest first.' });

/** An endpoint that is new or whose secret was rotated: the only time that its secret is shown. */
export const createdWebhookSchema = webhookSchema
  .extend({ secret: z.string() })
  .meta({ id: 'CreatedWebhook', description: 'An endpoint with its new signing secret, shown this once.' });

export const webhookListSchema = z
  .object({ object: z.literal('list'), data: z.array(webhookSchema), nextCursor: z.string().nullable() })
  .meta({ id: 'WebhookList', description: 'A page of endpoints, newest first.' });

export const webhookDeletionSchema = z
  .object({ object: z.literal('webhook.deletion'), id: z.string(), deleted: z.literal(true) })
  .meta({ id: 'WebhookDeletion', description: 'That an endpoint is gone.' });

export const deliveryListSchema = z
  .object({ object: z.literal('list'), data: z.array(deliverySchema), nextCursor: z.string().nullable() })
  .meta({ id: 'WebhookDeliveryList', description: 'A page of deliveries, newest first.' });
export type DeliveryList = z.infer<typeof deliveryListSchema>;

export const webhookTestSchema = z
  .object({ object: z.literal('webhook.test'), webhookId: z.string(), eventId: z.string() })
  .meta({ id: 'WebhookTest', description: 'The event that is on its way to the endpoint.' });

export const endUserDeletionSchema = z
  .object({
    object: z.literal('end_user.deletion'),
    deleted: z.record(z.string(), z.int()).meta({ description: 'How many items of each kind there were.' }),
  })
  .meta({ id: 'EndUserDeletion', description: 'What was deleted of an end user.' });
export type EndUserDeletion = z.infer<typeof endUserDeletionSchema>;

export const policyVersionListSchema = z
  .object({ object: z.literal('list'), data: z.array(policyVersionSchema), nextCursor: z.string().nullable() })
  .meta({ id: 'PolicyVersionList', description: "A page of the deployment's policies, newest first." });
export type PolicyVersionList = z.infer<typeof policyVersionListSchema>;

export const auditEntrySchema = auditRecordSchema.extend({ object: z.literal('audit.entry'), hash: z.string() }).meta({
  id: 'AuditEntry',
  description: 'What an administrator did. `hash` is SHA-256 of the entry without it and `object`.',
});

export const auditListSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(auditEntrySchema),
    nextCursor: z.string().nullable(),
    head: z
      .object({ seq: z.int(), hash: z.string(), at: z.iso.datetime() })
      .nullable()
      .meta({ description: 'Where the chain ends; it may lag behind for a moment.' }),
  })
  .meta({ id: 'AuditList', description: 'A page of what administrators did, newest first.' });

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
