import { createFrontDoor } from '../adapters/aws/front-door.ts';
import { secretSource } from '../adapters/aws/secrets-manager-source.ts';
import { readTables } from '../adapters/dynamo/tables.ts';
import { createHttpHandler } from '../adapters/lambda/http-handler.ts';
import { setLogLevel } from '../adapters/telemetry/log-level.ts';
import { withCors } from '../core/http/cors.ts';
import { composeAdmin } from './compose.ts';
import { adminEnvSchema, readOidcEnv } from './env.ts';

const env = adminEnvSchema.parse(process.env);
setLogLevel(env.SVC_LOG_LEVEL);
const app = withCors(
  composeAdmin({
    tables: readTables('admin-api', env),
    auditRetentionDays: env.SVC_AUDIT_RETENTION_DAYS,
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
