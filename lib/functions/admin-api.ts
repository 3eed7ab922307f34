import { Duration, type Stack } from 'aws-cdk-lib';
import type * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import * as iam from 'aws-cdk-lib/aws-iam';
import type { AdminEnv } from '../../functions/admin-api/env.ts';
import { grantMovingHead, grantOnTable, grantQueryOn, grantValueOf } from '../constructs/grants.ts';
import { StreamingFunction } from '../constructs/streaming-function.ts';
import type { Settings } from '../settings.ts';
import { TABLE_DEFINITIONS } from '../table-definitions.ts';
import { auditDays, corsOrigins, type FunctionContext, frontDoor, logLevel } from './function-context.ts';

/** The admin API's function, what it is told and what its role may do. */
export function addAdminApi(stack: Stack, context: FunctionContext): StreamingFunction<AdminEnv> {
  const { settings, data, code } = context;
  const { logRetentionDays, tracing } = settings;
  const adminApi = new StreamingFunction<AdminEnv>(stack, 'AdminApi', {
    description:
      'The admin API: makes, lists, changes, rotates and revokes keys and webhooks; tells usage and threats.',
    code,
    environment: {
      SVC_KEYS_TABLE: data.keysTable.tableName,
      SVC_LIMITS_TABLE: data.limitsTable.tableName,
      SVC_POLICIES_TABLE: data.policiesTable.tableName,
      SVC_IDEMPOTENCY_TABLE: data.idempotencyTable.tableName,
      SVC_AUDIT_TABLE: data.auditTable.tableName,
      ...auditDays(settings),
      SVC_SESSIONS_TABLE: data.sessionsTable.tableName,
      SVC_RECORDS_TABLE: data.recordsTable.tableName,
      SVC_AGGREGATES_TABLE: data.aggregatesTable.tableName,
      SVC_CAPTURES_TABLE: data.capturesTable.tableName,
      SVC_WEBHOOKS_TABLE: data.webhooksTable.tableName,
      SVC_DELIVERIES_TABLE: data.deliveriesTable.tableName,
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
  grantOnTable(
    data.keysTable,
    adminApi,
    'dynamodb:GetItem',
    'dynamodb:BatchGetItem',
    'dynamodb:PutItem',
    'dynamodb:UpdateItem',
    'dynamodb:DeleteItem',
  );
  for (const index of TABLE_DEFINITIONS.keys.indexes) grantQueryOn(data.keysTable, index.name, adminApi);
  // It counts who signs in, and reads what keys have left: an item that limits a key it cannot change.
  grantOnTable(data.limitsTable, adminApi, 'dynamodb:GetItem');
  grantCountingSignIns(data.limitsTable, adminApi);
  grantOnTable(data.policiesTable, adminApi, 'dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:PutItem');
  grantOnTable(data.auditTable, adminApi, 'dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:PutItem');
  grantMovingHead(data.auditTable, adminApi);
  // What is kept for an end user is found and deleted, and not read.
  grantOnTable(data.idempotencyTable, adminApi, 'dynamodb:DeleteItem');
  for (const index of TABLE_DEFINITIONS.idempotency.indexes) {
    grantQueryOn(data.idempotencyTable, index.name, adminApi);
  }
  // A record is only ever marked.
  grantOnTable(data.recordsTable, adminApi, 'dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:UpdateItem');
  for (const index of TABLE_DEFINITIONS.records.indexes) grantQueryOn(data.recordsTable, index.name, adminApi);
  grantOnTable(data.capturesTable, adminApi, 'dynamodb:GetItem');
  grantOnTable(data.aggregatesTable, adminApi, 'dynamodb:BatchGetItem', 'dynamodb:Query');
  for (const index of TABLE_DEFINITIONS.aggregates.indexes) grantQueryOn(data.aggregatesTable, index.name, adminApi);
  for (const table of [data.recordsTable, data.sessionsTable, data.aggregatesTable, data.capturesTable]) {
    grantOnTable(table, adminApi, 'dynamodb:DeleteItem');
  }
  for (const index of TABLE_DEFINITIONS.sessions.indexes) grantQueryOn(data.sessionsTable, index.name, adminApi);
  grantForgetting([data.aggregatesTable, data.sessionsTable], adminApi);
  grantOnTable(
    data.webhooksTable,
    adminApi,
    'dynamodb:GetItem',
    'dynamodb:Query',
    'dynamodb:PutItem',
    'dynamodb:UpdateItem',
    'dynamodb:DeleteItem',
  );
  // The log of deliveries is read, and one is put on its way again; an end user's are deleted.
  grantOnTable(
    data.deliveriesTable,
    adminApi,
    'dynamodb:GetItem',
    'dynamodb:BatchGetItem',
    'dynamodb:UpdateItem',
    'dynamodb:DeleteItem',
  );
  for (const index of ['byWebhook', 'byState', 'byEndUser']) grantQueryOn(data.deliveriesTable, index, adminApi);
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

/**
 * That an end user's data was deleted, which the counting function asks for, and that an id is no key's any more; no total and no session.
 * One statement for both tables: a role's policy has 10,240 characters.
 */
function grantForgetting(tables: readonly dynamodb.TableV2[], grantee: iam.IGrantable): void {
  iam.Grant.addToPrincipal({
    grantee,
    actions: ['dynamodb:PutItem'],
    resourceArns: tables.map(({ tableArn }) => tableArn),
    conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['forgotten#*', 'given#*'] } },
  });
}

/** Attempts to sign in, and no key's limits. */
function grantCountingSignIns(table: dynamodb.TableV2, grantee: iam.IGrantable): void {
  iam.Grant.addToPrincipal({
    grantee,
    actions: ['dynamodb:UpdateItem'],
    resourceArns: [table.tableArn],
    conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['sign-in#*'] } },
  });
}
