import { Duration, type Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type { AdminEnv } from '../../functions/admin-api/env.ts';
import { grantTables, grantValueOf } from '../constructs/grants.ts';
import { StreamingFunction } from '../constructs/streaming-function.ts';
import type { Settings } from '../settings.ts';
import { auditDays, corsOrigins, type FunctionContext, frontDoor, logLevel, tableNames } from './function-context.ts';

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
      ...auditDays(settings),
      SVC_DELIVERIES_QUEUE_URL: data.deliveriesQueue.queueUrl,
      SVC_PEPPER_SECRET_ARN: data.pepper.secretArn,
      ...corsOrigins(settings),
      ...logLevel(settings),
      ...frontDoor(context),
      SVC_SEALING_SECRET_ARN: data.sealingKey.secretArn,
      ...oidcEnvironment(settings),
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

/** How people sign in at the dashboard, where it is not by keys alone. */
function oidcEnvironment({ oidc, dashboardUrl }: Settings): Partial<AdminEnv> {
  return {
    ...(dashboardUrl !== undefined && { SVC_DASHBOARD_URL: dashboardUrl }),
    ...(oidc !== undefined && { SVC_OIDC_ISSUER: oidc.issuer, SVC_OIDC_CLIENT_ID: oidc.clientId }),
    ...(oidc?.clientSecretArn !== undefined && { SVC_OIDC_CLIENT_SECRET_ARN: oidc.clientSecretArn }),
    ...(oidc?.label !== undefined && { SVC_OIDC_LABEL: oidc.label }),
    ...(oidc?.adminGroups !== undefined && { SVC_OIDC_ADMIN_GROUPS: oidc.adminGroups.join() }),
    ...(oidc?.analyticsGroups !== undefined && { SVC_OIDC_ANALYTICS_GROUPS: oidc.analyticsGroups.join() }),
    ...(oidc?.groupsClaim !== undefined && { SVC_OIDC_GROUPS_CLAIM: oidc.groupsClaim }),
  };
}
