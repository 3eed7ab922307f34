import { Duration, type Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import { ADMIN_SETTINGS, type AdminEnv } from '../../functions/admin-api/env.ts';
import { grantTables, grantValueOf } from '../constructs/grants.ts';
import { StreamingFunction } from '../constructs/streaming-function.ts';
import { stageVariables } from '../settings/function-settings.ts';
import { type FunctionContext, frontDoor, tableNames } from './function-context.ts';

/** The admin API's function, what it is told and what its role may do. */
export function addAdminApi(stack: Stack, context: FunctionContext): StreamingFunction<AdminEnv> {
  const { settings, data, code } = context;
  const { logRetentionDays, tracing } = settings;
  const adminApi = new StreamingFunction<AdminEnv>(stack, 'AdminApi', {
    description:
      'The admin API: makes, lists, changes, rotates and revokes keys and webhooks; tells usage and threats.',
    code,
    environment: {
      ...tableNames('admin-api', data),
      SVC_DELIVERIES_QUEUE_URL: data.deliveriesQueue.queueUrl,
      SVC_PEPPER_SECRET_ARN: data.pepper.secretArn,
      ...frontDoor(data),
      SVC_SEALING_SECRET_ARN: data.sealingKey.secretArn,
      ...stageVariables(ADMIN_SETTINGS, settings),
    },
    memoryMb: 512,
    timeout: Duration.seconds(30),
    logRetentionDays,
    tracing,
    settings,
  });
  grantTables('admin-api', data.tables, adminApi);
  data.deliveriesQueue.grant(adminApi, 'sqs:SendMessage');
  grantValueOf(data.pepper, adminApi);
  if (data.originSecret !== undefined) grantValueOf(data.originSecret, adminApi);
  grantValueOf(data.sealingKey, adminApi);
  const clientSecret = settings.oidc?.clientSecretArn;
  if (clientSecret !== undefined) {
    const actions = ['secretsmanager:GetSecretValue'];
    iam.Grant.addToPrincipal({ grantee: adminApi, actions, resourceArns: [clientSecret] });
  }
  return adminApi;
}
