import { createFrontDoor } from '../adapters/aws/front-door.ts';
import { secretSource } from '../adapters/aws/secrets-manager-source.ts';
import { createHttpHandler } from '../adapters/lambda/http-handler.ts';
import { setLogLevel } from '../adapters/telemetry/log-level.ts';
import { withCors } from '../core/http/cors.ts';
import { composeAdmin } from './compose.ts';
import { adminEnvSchema, readOidcEnv } from './env.ts';

const env = adminEnvSchema.parse(process.env);
setLogLevel(env.SVC_LOG_LEVEL);
const app = withCors(
  composeAdmin({
    keysTable: env.SVC_KEYS_TABLE,
    limitsTable: env.SVC_LIMITS_TABLE,
    idempotencyTable: env.SVC_IDEMPOTENCY_TABLE,
    policiesTable: env.SVC_POLICIES_TABLE,
    auditTable: env.SVC_AUDIT_TABLE,
    auditRetentionDays: env.SVC_AUDIT_RETENTION_DAYS,
    recordsTable: env.SVC_RECORDS_TABLE,
    sessionsTable: env.SVC_SESSIONS_TABLE,
    aggregatesTable: env.SVC_AGGREGATES_TABLE,
    capturesTable: env.SVC_CAPTURES_TABLE,
    webhooksTable: env.SVC_WEBHOOKS_TABLE,
    deliveriesTable: env.SVC_DELIVERIES_TABLE,
    deliveriesQueueUrl: env.SVC_DELIVERIES_QUEUE_URL,
    pepper: secretSource(env.SVC_PEPPER_SECRET_ARN),
    sealingKey: secretSource(env.SVC_SEALING_SECRET_ARN),
    oidc: readOidcEnv(env),
    oidcSecret: env.SVC_OIDC_CLIENT_SECRET_ARN === undefined ? undefined : secretSource(env.SVC_OIDC_CLIENT_SECRET_ARN),
    isSecure: true,
    allowLoopbackWebhooks: false,
  }),
  env.SVC_CORS_ORIGINS,
);

/** The admin API as a Lambda function. */
export const handler = createHttpHandler({ app, frontDoor: createFrontDoor(env) });
