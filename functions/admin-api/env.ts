import * as z from 'zod';
import { logLevelSchema } from '../adapters/log-level.ts';
import { frontDoorVariables } from '../core/access/front-door-env.ts';
import { auditDaysVariable } from '../core/audit/audit-days-variable.ts';
import { corsVariable } from '../core/http/cors.ts';

/** What the admin function reads from its environment; the construct in lib/ takes exactly this type. */
export const adminEnvSchema = z.object({
  /** DynamoDB table of keys. */
  SVC_KEYS_TABLE: z.string().min(1),
  /** DynamoDB table of what administrators did. */
  SVC_AUDIT_TABLE: z.string().min(1),
  /** How long its records are kept, days. */
  SVC_AUDIT_RETENTION_DAYS: auditDaysVariable,
  /** DynamoDB table of limits: attempts to sign in are counted there, and keys' allowances read. */
  SVC_LIMITS_TABLE: z.string().min(1),
  /** DynamoDB table of answers that repetitions are told. */
  SVC_IDEMPOTENCY_TABLE: z.string().min(1),
  /** DynamoDB table of the deployment's policy. */
  SVC_POLICIES_TABLE: z.string().min(1),
  /** DynamoDB table of the sessions' live state. */
  SVC_SESSIONS_TABLE: z.string().min(1),
  /** DynamoDB table of the requests' records. */
  SVC_RECORDS_TABLE: z.string().min(1),
  /** DynamoDB table of what records add up to. */
  SVC_AGGREGATES_TABLE: z.string().min(1),
  /** DynamoDB table of captured texts. */
  SVC_CAPTURES_TABLE: z.string().min(1),
  /** DynamoDB table of endpoints that are told of events. */
  SVC_WEBHOOKS_TABLE: z.string().min(1),
  /** DynamoDB table of deliveries of webhooks. */
  SVC_DELIVERIES_TABLE: z.string().min(1),
  /** SQS queue that names endpoints for which something is due. */
  SVC_DELIVERIES_QUEUE_URL: z.url(),
  /** Secrets Manager: the pepper that keys are hashed with. */
  SVC_PEPPER_SECRET_ARN: z.string().min(1),
  /** Origins whose pages may call from a browser, with commas between them. */
  SVC_CORS_ORIGINS: corsVariable,
  ...frontDoorVariables,
  /** Secrets Manager: what the endpoints' signing secrets and the dashboard's sessions are sealed with. */
  SVC_SEALING_SECRET_ARN: z.string().min(1),
  /** The least that is logged: `debug`, `info`, `warn` or `error`. */
  SVC_LOG_LEVEL: logLevelSchema,
});

/** As the construct sets it: texts, those with a default left out where it stands. */
export type AdminEnv = z.input<typeof adminEnvSchema>;
