import { readTables } from '../adapters/dynamo/tables.ts';
import { settingsIn } from '../adapters/env.ts';
import { createHandler } from '../adapters/lambda/event-handler.ts';
import { composeFirstAdminKey } from './compose.ts';
import { FIRST_ADMIN_KEY_SETTINGS, firstAdminKeyEnvSchema } from './env.ts';

const env = firstAdminKeyEnvSchema.parse(process.env);
const respond = composeFirstAdminKey({
  tables: readTables('first-admin-key', env),
  ...settingsIn(FIRST_ADMIN_KEY_SETTINGS, env),
  pepperArn: env.SVC_PEPPER_SECRET_ARN,
  secretArn: env.SVC_FIRST_ADMIN_KEY_SECRET_ARN,
  checkSecretArn: env.SVC_SYNTHETIC_CHECK_KEY_SECRET_ARN,
});

/** CloudFormation custom resources that create the first admin key and the synthetic check's key when they are first deployed. */
export const handler = createHandler(respond);
