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
  threatDetailSchema,
  threatListSchema,
  threatSchema,
  timeseriesSchema,
} from '../core/model/analytics.ts';
import { createKeySchema, keySchema, PERMISSIONS, rotateKeySchema, updateKeySchema } from '../core/model/api-key.ts';
import { CAPTURE_MODES, captureSchema } from '../core/model/capture.ts';
import { deploymentPolicySchema } from '../core/model/deployment-policy.ts';
import { PRESETS, policySchema } from '../core/model/policy.ts';
import { THREAT_TYPES } from '../core/model/threat.ts';
import { webhookSchema } from '../core/model/webhook.ts';
import { policyVersionSchema, putPolicySchema } from '../core/policy/effective-policy.ts';
import { POLICY_SOURCES } from '../core/policy/explain-policy.ts';
import { CIRCUIT_STATES } from '../core/routing/circuit-breaker.ts';
import { HEALTH_STATES } from '../core/routing/provider-health.ts';
import { deliverySchema } from '../core/webhooks/delivery-store.ts';

export {
  type CreatedKey,
  createdKeySchema,
  type KeyList,
  type KeyUsage,
  keyListSchema,
  keyUsageSchema,
} from '../contract/keys.ts';
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
  putPolicySchema,
  requestDetailSchema,
  requestListSchema,
  requestRecordSchema,
  rotateKeySchema,
  sessionListSchema,
  sessionSchema,
  summarySchema,
  threatDetailSchema,
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

export const keyNameListSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(z.object({ object: z.literal('key.name'), id: z.string(), name: z.string() })),
  })
  .meta({ id: 'KeyNameList', description: 'The names of keys. An id without a key is left out.' });
export type KeyNameList = z.infer<typeof keyNameListSchema>;

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
export const rollbackPolicySchema = z
  .strictObject({ version: z.int().min(0).meta({ description: 'The version to restore; 0 is the initial policy.' }) })
  .meta({ id: 'RollbackPolicy' });
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
  ThreatDetail,
  Timeseries,
} from '../core/model/analytics.ts';
export type { CreateKey, KeyView, UpdateKey } from '../core/model/api-key.ts';
export type { CreateWebhook, UpdateWebhook, WebhookView } from '../core/model/webhook.ts';
export type { PolicyVersionView } from '../core/policy/effective-policy.ts';
export type { PolicyReplay } from '../core/replay/replay-report.ts';

const source = z
  .enum(POLICY_SOURCES)
  .meta({ description: "Where the value is set. `default`: the gateway's own value." });
const sourced = <T extends z.ZodType>(value: T) => z.object({ value, source });
const effectiveType = z.object({
  action: z.enum(['off', 'flag', 'redact', 'block']),
  threshold: z.number().meta({ description: 'The score from which the action applies.' }),
  source,
  thresholdSource: source,
});
const effectiveDirection = z.record(z.enum(THREAT_TYPES), effectiveType);
const failureAction = z.enum(['pass', 'block']);
const { shape: policyFields } = policySchema;

export const effectivePolicySchema = z
  .object({
    object: z.literal('policy.effective'),
    keyId: z.string().nullable().meta({ description: "null for the deployment's policy." }),
    version: z.int().min(0).meta({ description: "The version of the deployment's policy." }),
    flagFrom: z.number().meta({ description: 'From this score on a finding is reported, below its threshold too.' }),
    preset: sourced(z.enum(PRESETS)),
    input: effectiveDirection,
    output: effectiveDirection,
    contactDetails: sourced(z.enum(['allow', 'as_pii'])).meta({
      description:
        'E-mail addresses, telephone numbers and IP addresses in requests: only recorded, or like other `pii`.',
    }),
    onBlock: sourced(z.enum(['error', 'refusal'])),
    onDetectorFailure: sourced(failureAction),
    onUnfinishedInspection: sourced(failureAction).meta({ description: 'If inspection exceeds its CPU time.' }),
    unreadable: sourced(z.enum(['allow', 'flag', 'block'])),
    maxOutputTokens: sourced(z.int().nullable()),
    canary: sourced(z.boolean()),
    evidence: sourced(z.boolean()),
    capture: sourced(z.enum(CAPTURE_MODES)),
    rules: sourced(policyFields.rules.unwrap()),
    allow: sourced(policyFields.allow.unwrap()),
    bannedTopics: sourced(policyFields.bannedTopics.unwrap()),
    shadow: sourced(policyFields.shadow.unwrap().nullable()),
    tagBudgets: sourced(deploymentPolicySchema.shape.tagBudgets.unwrap()),
  })
  .meta({ id: 'EffectivePolicy', description: 'Every value of a policy that is in force, with its source.' });
export type EffectivePolicy = z.infer<typeof effectivePolicySchema>;

export const keyPolicySchema = z
  .object({ object: z.literal('key.policy'), keyId: z.string(), policy: policySchema })
  .meta({ id: 'KeyPolicy', description: "A key's own policy." });
export type KeyPolicy = z.infer<typeof keyPolicySchema>;

const scoreCounts = z.partialRecord(z.enum(THREAT_TYPES), z.array(z.int().min(0)));
export const policyScoresSchema = z
  .object({
    object: z.literal('policy.scores'),
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    requests: z.int().meta({ description: 'Requests with findings that were read, the newest.' }),
    isCut: z.boolean().meta({ description: 'There are older ones in the range, which were not read.' }),
    bins: z.int().meta({ description: 'Number of equal intervals from 0 to 1; the last one contains 1.' }),
    input: scoreCounts,
    output: scoreCounts,
  })
  .meta({ id: 'PolicyScores', description: 'Counts of recorded findings by type and score.' });
export type PolicyScores = z.infer<typeof policyScoresSchema>;

const lastError = z
  .object({
    code: z.string().nullable(),
    status: z.int().nullable(),
    time: z.iso.datetime(),
  })
  .nullable();
export const providerSchema = z
  .object({
    object: z.literal('provider'),
    name: z.string(),
    isBuiltIn: z.boolean().meta({ description: 'false for a server that `SVC_PROVIDERS` names.' }),
    credentials: z.enum(['present', 'absent', 'not_needed', 'aws_role']),
    keyVariable: z.string().nullable().meta({ description: 'Where an operator sets the key. Never its value.' }),
    host: z.string().nullable().meta({ description: 'Host of the base URL, without user info, path and query.' }),
    isConfigured: z.boolean(),
    isCallable: z.boolean().meta({ description: 'Whether the gateway sends requests to it.' }),
    routes: z.array(z.string()).meta({ description: "`models` of the deployment's routes that name it." }),
    circuit: z
      .array(
        z.object({
          model: z.string(),
          state: z.enum(CIRCUIT_STATES),
          failures: z.int().meta({ description: 'Failed requests in a row.' }),
          openUntil: z.iso.datetime().nullable().meta({ description: 'Of an open circuit; null for others.' }),
        }),
      )
      .nullable()
      .meta({
        description:
          'The models that failed since their last success; all others are `closed`. null where each process of the gateway has its own circuits, which the admin API cannot see.',
      }),
    health: z.object({
      state: z.enum(HEALTH_STATES),
      requests: z.int(),
      errors: z.int(),
      lastError,
    }),
    models: z.object({
      count: z.int(),
      data: z
        .array(z.object({ name: z.string(), maxTestCostUsd: z.number().nullable() }))
        .meta({ description: 'The first 50 that are known, with the highest list price of a test.' }),
    }),
    test: z.object({
      isPossible: z.boolean(),
      reason: z.string().nullable().meta({ description: 'Why it is not possible.' }),
      model: z.string().nullable().meta({
        description:
          "The first model of the deployment's routes at this provider; null: a test uses one of the provider's own list.",
      }),
      maxCostUsd: z
        .number()
        .nullable()
        .meta({ description: 'The highest list price of a test of it; null if unknown.' }),
    }),
  })
  .meta({ id: 'Provider', description: 'A provider as the gateway is configured, without credentials.' });
export type ProviderView = z.infer<typeof providerSchema>;

export const providerListSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(providerSchema),
    health: z
      .object({ from: z.iso.datetime(), to: z.iso.datetime(), records: z.int(), isCut: z.boolean() })
      .meta({ description: 'The request records of the last 15 minutes from which `health` is derived.' }),
  })
  .meta({ id: 'ProviderList', description: 'The providers of the gateway.' });
export type ProviderList = z.infer<typeof providerListSchema>;

const routeTarget = z.object({
  provider: z.string(),
  model: z.string().nullable().meta({ description: 'null: the requested name.' }),
  isCallable: z.boolean(),
});
export const routeSchema = z
  .object({
    object: z.literal('route'),
    models: z.string(),
    source: z.enum(['deployment', 'standard']),
    targets: z.array(
      routeTarget.extend({
        share: z.number().meta({ description: 'Share of the requests among callable targets, 0 to 1.' }),
      }),
    ),
    fallbacks: z.array(routeTarget),
  })
  .meta({ id: 'ModelRoute', description: 'Where requests of a model name go. The first route that matches decides.' });
export type ModelRoute = z.infer<typeof routeSchema>;

export const routeListSchema = z
  .object({ object: z.literal('list'), data: z.array(routeSchema) })
  .meta({ id: 'ModelRouteList', description: "The deployment's routes, then the standard ones." });
export type ModelRouteList = z.infer<typeof routeListSchema>;

/** Body of `POST /admin/providers/{name}/test`. */
export const testProviderSchema = z.strictObject({ model: z.string().min(1).max(256).optional() }).meta({
  id: 'TestProvider',
  description:
    "The model at the provider. If absent: one of the deployment's routes, else the cheapest chat model of the provider's own list.",
});

export const providerTestSchema = z
  .object({
    object: z.literal('provider.test'),
    provider: z.string(),
    model: z.string(),
    result: z.enum(['ok', 'failed']),
    code: z.string().nullable().meta({ description: 'Of the failure; null for `ok`.' }),
    status: z.int().nullable().meta({ description: 'The status that a client would get; null for `ok`.' }),
    message: z.string().meta({ description: 'What happened, without any text of the provider.' }),
    durationMs: z.number(),
    tokens: z.object({ input: z.int(), output: z.int() }).nullable(),
    costUsd: z.number().nullable().meta({ description: 'The known part, by list prices; null if nothing is known.' }),
  })
  .meta({ id: 'ProviderTest', description: 'The result of one test request.' });
export type ProviderTest = z.infer<typeof providerTestSchema>;

export const settingsSchema = z
  .object({
    object: z.literal('settings'),
    version: z.string(),
    stage: z.enum(['Production', 'Staging', 'Development', 'local']),
    region: z.string().nullable(),
    stores: z.object({
      database: z.enum(['dynamodb', 'embedded', 'custom']),
      queues: z.enum(['sqs', 'embedded', 'custom']),
      dataFolder: z.string().nullable().meta({ description: 'Of embedded stores.' }),
    }),
    retentionDays: z.object({
      records: z.int(),
      captures: z.int(),
      aggregates: z.int(),
      deliveries: z.int(),
      audit: z.int(),
    }),
    defaultMaxConcurrent: z.int().meta({ description: '`maxConcurrent` of a key that is created without it.' }),
    singleSignOn: z.string().nullable().meta({ description: 'Its label; null if keys are the only way to sign in.' }),
    corsOrigins: z.array(z.string()),
    onlyThroughDistribution: z.boolean(),
    echo: z.boolean(),
    prices: z.object({
      date: z.string().meta({ description: 'Date of the built-in price table.' }),
      own: z.int().meta({ description: 'Prices that the deployment sets.' }),
    }),
  })
  .meta({ id: 'Settings', description: 'How the deployment is set up, without any secret.' });
export type Settings = z.infer<typeof settingsSchema>;
