import { createFrontDoor } from '../adapters/aws/front-door.ts';
import { RenewableSecret, secretSource } from '../adapters/aws/secrets-manager.ts';
import { readTables } from '../adapters/dynamo/tables.ts';
import { settingsIn } from '../adapters/env.ts';
import { createHttpHandler } from '../adapters/lambda/http-handler.ts';
import { providerSettingsIn } from '../adapters/provider-settings.ts';
import { logUnreadableSettings } from '../adapters/telemetry/json-log.ts';
import { setLogLevel } from '../adapters/telemetry/logger.ts';
import { withCors } from '../kernel/http/index.ts';
import { composeAdmin } from './compose.ts';
import { ADMIN_SETTINGS, adminEnvSchema } from './env.ts';

const env = adminEnvSchema.parse(process.env);
const settings = settingsIn(ADMIN_SETTINGS, env);
setLogLevel(settings.logLevel);
const providersSecret = new RenewableSecret(env.SVC_PROVIDERS_SECRET_ARN);
const app = withCors(
  composeAdmin({
    tables: readTables('admin-api', env),
    settings,
    auditRetentionDays: settings.auditRetentionDays,
    deliveriesQueueUrl: env.SVC_DELIVERIES_QUEUE_URL,
    pepper: secretSource(env.SVC_PEPPER_SECRET_ARN),
    sealingKey: secretSource(env.SVC_SEALING_SECRET_ARN),
    credentialsKey: secretSource(env.SVC_CREDENTIALS_SECRET_ARN),
    oidcSecret: settings.oidcClientSecretArn === undefined ? undefined : secretSource(settings.oidcClientSecretArn),
    isSecure: true,
    upstream: {
      settings: providerSettingsIn(() => providersSecret.read(), logUnreadableSettings),
      echo: settings.echo ?? env.SVC_STAGE !== 'Production',
      bedrock: settings.bedrock,
      // Only the gateway's role may call models.
      signsBedrock: false,
    },
    hasAwsIdentity: true,
    deployment: {
      stage: env.SVC_STAGE,
      stores: { database: 'dynamodb', queues: 'sqs', dataFolder: null },
      onlyThroughDistribution: settings.onlyThroughDistribution,
    },
    allowLoopbackWebhooks: false,
  }),
  settings.corsOrigins,
);

export const handler = createHttpHandler({
  app,
  frontDoor: createFrontDoor(env.SVC_ORIGIN_SECRET_ARN, settings.onlyThroughDistribution),
});
