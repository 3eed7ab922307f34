import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as kms from 'aws-cdk-lib/aws-kms';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import type * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { AdminEnv } from '../../functions/admin-api/env.ts';
import type { EventRelayEnv } from '../../functions/event-relay/env.ts';
import type { GatewayEnv } from '../../functions/gateway/env.ts';
import type { KeyWatchEnv } from '../../functions/key-watch/env.ts';
import type { UsageCounterEnv } from '../../functions/usage-counter/env.ts';
import type { WebhookDeliveryEnv } from '../../functions/webhook-delivery/env.ts';
import { GatewayAlarms } from '../constructs/gateway-alarms.ts';
import { grantModels } from '../constructs/grant-models.ts';
import { QueueConsumer } from '../constructs/queue-consumer.ts';
import { ScheduledFunction } from '../constructs/scheduled-function.ts';
import { StreamConsumer } from '../constructs/stream-consumer.ts';
import { StreamingFunction } from '../constructs/streaming-function.ts';
import { WebhookAlarms } from '../constructs/webhook-alarms.ts';
import type { Settings } from '../settings.ts';
import { TABLE_DEFINITIONS } from '../table-definitions.ts';
import { alarmTopic, type DataStack } from './data-stack.ts';

/** The folders that scripts/build.mjs writes, as Lambda code. */
export interface Bundles {
  readonly gateway: lambda.Code;
  readonly adminApi: lambda.Code;
  readonly usageCounter: lambda.Code;
  readonly keyWatch: lambda.Code;
  readonly eventRelay: lambda.Code;
  readonly webhookDelivery: lambda.Code;
}

export interface GatewayStackProps extends StackProps {
  readonly settings: Settings;
  readonly data: DataStack;
  readonly bundles: Bundles;
}

/** The functions and their addresses: nothing here holds state, so it can be deleted and deployed again at will. */
export class GatewayStack extends Stack {
  constructor(scope: Construct, id: string, props: GatewayStackProps) {
    super(scope, id, props);
    const { settings, data, bundles } = props;
    const { logRetentionDays, tracing } = settings;
    const models = settings.bedrock?.models ?? ['*'];

    const gateway = new StreamingFunction<GatewayEnv>(this, 'Gateway', {
      description: 'The OpenAI-compatible gateway: authenticates, admits, inspects and streams.',
      code: bundles.gateway,
      environment: {
        SVC_KEYS_TABLE: data.keysTable.tableName,
        SVC_LIMITS_TABLE: data.limitsTable.tableName,
        SVC_SESSIONS_TABLE: data.sessionsTable.tableName,
        SVC_POLICIES_TABLE: data.policiesTable.tableName,
        SVC_IDEMPOTENCY_TABLE: data.idempotencyTable.tableName,
        SVC_RECORDS_TABLE: data.recordsTable.tableName,
        SVC_CAPTURES_TABLE: data.capturesTable.tableName,
        SVC_EVENTS_QUEUE_URL: data.eventsQueue.queueUrl,
        SVC_PEPPER_SECRET_ARN: data.pepper.secretArn,
        SVC_PROVIDERS_SECRET_ARN: data.providers.secretArn,
        SVC_STAGE: settings.stage,
        ...(settings.echo !== undefined && { SVC_ECHO: settings.echo ? 'true' : 'false' }),
        ...(settings.bedrock !== undefined && { SVC_BEDROCK: models.length > 0 ? 'true' : 'false' }),
        ...(settings.providerTimeoutSeconds !== undefined && {
          SVC_PROVIDER_TIMEOUT_MS: String(settings.providerTimeoutSeconds * 1000),
        }),
        ...(settings.maxRequestSeconds !== undefined && {
          SVC_MAX_REQUEST_MS: String(settings.maxRequestSeconds * 1000),
        }),
        ...(settings.modelPrices !== undefined && { SVC_MODEL_PRICES: JSON.stringify(settings.modelPrices) }),
        ...(settings.routes !== undefined && { SVC_ROUTES: JSON.stringify(settings.routes) }),
        ...corsOrigins(settings),
        ...(settings.sessionIdleMinutes !== undefined && {
          SVC_SESSION_IDLE_MINUTES: String(settings.sessionIdleMinutes),
        }),
        ...recordDays(settings),
        ...(settings.retentionDays?.captures !== undefined && {
          SVC_CAPTURE_DAYS: String(settings.retentionDays.captures),
        }),
        ...outsideEnvironment(settings.outsideDetectors),
      },
      memoryMb: settings.memoryMb,
      // As long as Lambda allows: a model may stream for minutes.
      timeout: Duration.minutes(15),
      reservedConcurrency: settings.reservedConcurrency,
      logRetentionDays,
      tracing,
    });
    grantOnTable(data.keysTable, gateway, 'dynamodb:GetItem');
    grantWriting(data.keysTable, gateway, 'lastUsedAt', 'seenHash');
    grantOnTable(data.limitsTable, gateway, 'dynamodb:GetItem', 'dynamodb:UpdateItem');
    grantOnTable(
      data.sessionsTable,
      gateway,
      'dynamodb:GetItem',
      'dynamodb:BatchGetItem',
      'dynamodb:PutItem',
      'dynamodb:BatchWriteItem',
      'dynamodb:UpdateItem',
    );
    grantOnTable(data.recordsTable, gateway, 'dynamodb:PutItem', 'dynamodb:BatchWriteItem');
    grantOnTable(data.capturesTable, gateway, 'dynamodb:PutItem');
    // Its attributes tell GET /readyz that the queue is there.
    grantOnTable(data.policiesTable, gateway, 'dynamodb:GetItem');
    grantOnTable(
      data.idempotencyTable,
      gateway,
      'dynamodb:GetItem',
      'dynamodb:BatchGetItem',
      'dynamodb:PutItem',
      'dynamodb:UpdateItem',
      'dynamodb:DeleteItem',
    );
    // For readiness: what it has to tell stands in its tables, and is relayed.
    data.eventsQueue.grant(gateway, 'sqs:GetQueueAttributes');
    grantValueOf(data.pepper, gateway);
    grantValueOf(data.providers, gateway);
    if (models.length > 0) grantModels(models, gateway);
    const guardrail = settings.outsideDetectors?.bedrockGuardrail;
    if (guardrail !== undefined) grantApplying(this, guardrail.id, gateway);

    const adminApi = new StreamingFunction<AdminEnv>(this, 'AdminApi', {
      description:
        'The admin API: makes, lists, changes, rotates and revokes keys and webhooks; tells usage and threats.',
      code: bundles.adminApi,
      environment: {
        SVC_KEYS_TABLE: data.keysTable.tableName,
        SVC_POLICIES_TABLE: data.policiesTable.tableName,
        SVC_IDEMPOTENCY_TABLE: data.idempotencyTable.tableName,
        SVC_AUDIT_TABLE: data.auditTable.tableName,
        ...(settings.retentionDays?.audit !== undefined && {
          SVC_AUDIT_RETENTION_DAYS: String(settings.retentionDays.audit),
        }),
        SVC_SESSIONS_TABLE: data.sessionsTable.tableName,
        SVC_RECORDS_TABLE: data.recordsTable.tableName,
        SVC_AGGREGATES_TABLE: data.aggregatesTable.tableName,
        SVC_CAPTURES_TABLE: data.capturesTable.tableName,
        SVC_WEBHOOKS_TABLE: data.webhooksTable.tableName,
        SVC_DELIVERIES_TABLE: data.deliveriesTable.tableName,
        SVC_DELIVERIES_QUEUE_URL: data.deliveriesQueue.queueUrl,
        SVC_PEPPER_SECRET_ARN: data.pepper.secretArn,
        ...corsOrigins(settings),
        SVC_SEALING_SECRET_ARN: data.sealingKey.secretArn,
      },
      memoryMb: 512,
      timeout: Duration.seconds(30),
      logRetentionDays,
      tracing,
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
    grantForgetting(data.aggregatesTable, adminApi);
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
    grantValueOf(data.sealingKey, adminApi);

    const usageCounter = new StreamConsumer<UsageCounterEnv>(this, 'UsageCounter', {
      description: 'Adds up the records of requests by hour, day and session, as the table delivers them.',
      code: bundles.usageCounter,
      environment: {
        SVC_AGGREGATES_TABLE: data.aggregatesTable.tableName,
        ...(settings.retentionDays?.aggregates !== undefined && {
          SVC_AGGREGATE_DAYS: String(settings.retentionDays.aggregates),
        }),
        ...recordDays(settings),
      },
      // Neither what expires nor what is marked is new.
      sources: { Stream: { table: data.recordsTable, filter: { eventName: ['INSERT'] } } },
      undelivered: data.uncounted,
      batchSize: 1_000,
      maxBatchingWindow: Duration.seconds(2),
      // Without a shard nothing tells what was counted already.
      tumblingWindow: Duration.minutes(15),
      memoryMb: 512,
      timeout: Duration.minutes(1),
      logRetentionDays,
      tracing,
    });
    grantOnTable(data.aggregatesTable, usageCounter, 'dynamodb:BatchGetItem', 'dynamodb:PutItem');

    const tells = { dynamodb: { NewImage: { outboxPk: { S: [{ exists: true }] } } } };
    const changed = { eventName: ['INSERT', 'MODIFY'], ...tells };
    const eventRelay = new StreamConsumer<EventRelayEnv>(this, 'EventRelay', {
      description: 'Hands the events that items hold to the events queue, as the tables deliver them.',
      code: bundles.eventRelay,
      environment: {
        SVC_EVENTS_QUEUE_URL: data.eventsQueue.queueUrl,
        SVC_KEYS_TABLE: data.keysTable.tableName,
        SVC_SESSIONS_TABLE: data.sessionsTable.tableName,
        SVC_WEBHOOKS_TABLE: data.webhooksTable.tableName,
      },
      sources: {
        // A record keeps its event until it expires: a mark on it is none.
        Records: { table: data.recordsTable, filter: { eventName: ['INSERT'], ...tells } },
        Keys: { table: data.keysTable, filter: changed },
        Sessions: { table: data.sessionsTable, filter: changed },
        Webhooks: { table: data.webhooksTable, filter: changed },
      },
      undelivered: data.unrelayed,
      batchSize: 100,
      memoryMb: 256,
      timeout: Duration.minutes(1),
      logRetentionDays,
      tracing,
    });
    data.eventsQueue.grant(eventRelay, 'sqs:SendMessage');
    const outbox = ['outbox', 'outboxPk'];
    grantWriting(data.keysTable, eventRelay, ...outbox);
    grantWriting(data.sessionsTable, eventRelay, ...outbox);
    grantWriting(data.webhooksTable, eventRelay, 'sk', ...outbox);

    const topic = alarmTopic(this, settings.alarmTopicArn);
    new GatewayAlarms(this, 'Alarms', {
      gateway: gateway.handler,
      usageCounter: usageCounter.handler,
      uncounted: data.uncounted,
      eventRelay: eventRelay.handler,
      unrelayed: data.unrelayed,
      topic,
    });

    const keyWatch = new ScheduledFunction<KeyWatchEnv>(this, 'KeyWatch', {
      description: 'Tells of API keys that expire within a week.',
      code: bundles.keyWatch,
      environment: { SVC_KEYS_TABLE: data.keysTable.tableName },
      every: Duration.hours(1),
      memoryMb: 256,
      timeout: Duration.minutes(5),
      logRetentionDays,
      tracing,
    });
    grantOnTable(data.keysTable, keyWatch, 'dynamodb:BatchGetItem', 'dynamodb:GetItem');
    for (const index of TABLE_DEFINITIONS.keys.indexes) grantQueryOn(data.keysTable, index.name, keyWatch);
    grantWriting(data.keysTable, keyWatch, 'expiryTold', 'outbox', 'outboxPk');

    const webhookDelivery = new QueueConsumer<WebhookDeliveryEnv>(this, 'WebhookDelivery', {
      description: 'Delivers events to the endpoints that want them, signed, until they take them.',
      code: bundles.webhookDelivery,
      environment: {
        SVC_WEBHOOKS_TABLE: data.webhooksTable.tableName,
        SVC_DELIVERIES_TABLE: data.deliveriesTable.tableName,
        ...(settings.retentionDays?.deliveries !== undefined && {
          SVC_DELIVERY_DAYS: String(settings.retentionDays.deliveries),
        }),
        SVC_DELIVERIES_QUEUE_URL: data.deliveriesQueue.queueUrl,
        SVC_SEALING_SECRET_ARN: data.sealingKey.secretArn,
      },
      sources: {
        Events: { queue: data.eventsQueue, batchesAtOnce: 10 },
        // A batch is worked on for ten seconds at most, or twice that where receivers do not answer.
        Deliveries: { queue: data.deliveriesQueue, batchesAtOnce: 50 },
      },
      sweepEvery: Duration.minutes(1),
      memoryMb: 512,
      timeout: Duration.seconds(60),
      logRetentionDays,
      tracing,
    });
    grantOnTable(data.webhooksTable, webhookDelivery, 'dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:UpdateItem');
    grantOnTable(
      data.deliveriesTable,
      webhookDelivery,
      'dynamodb:GetItem',
      'dynamodb:BatchGetItem',
      'dynamodb:Query',
      'dynamodb:PutItem',
      'dynamodb:UpdateItem',
      'dynamodb:DeleteItem',
    );
    grantQueryOn(data.deliveriesTable, 'due', webhookDelivery);
    data.deliveriesQueue.grant(webhookDelivery, 'sqs:SendMessage');
    grantValueOf(data.sealingKey, webhookDelivery);
    new WebhookAlarms(this, 'WebhookAlarms', {
      delivery: webhookDelivery.handler,
      events: data.eventsQueue,
      deliveries: data.deliveriesQueue,
      topic,
    });

    for (const grantee of [gateway, adminApi, usageCounter, eventRelay, keyWatch, webhookDelivery])
      grantKey(data.encryptionKey, grantee);

    new CfnOutput(this, 'BaseUrl', { description: 'base_url of an OpenAI client', value: `${gateway.url}v1` });
    new CfnOutput(this, 'AdminUrl', { description: 'The admin API is under /admin here', value: `${adminApi.url}v1` });
  }
}

function corsOrigins({ corsOrigins }: Settings): Pick<GatewayEnv, 'SVC_CORS_ORIGINS'> {
  return corsOrigins === undefined ? {} : { SVC_CORS_ORIGINS: corsOrigins.join() };
}

function recordDays({ retentionDays }: Settings): { SVC_RECORD_DAYS?: string } {
  return retentionDays?.records === undefined ? {} : { SVC_RECORD_DAYS: String(retentionDays.records) };
}

function outsideEnvironment(outside: Settings['outsideDetectors']): Partial<GatewayEnv> {
  const { bedrockGuardrail, moderation, deadlineMs, when } = outside ?? {};
  return {
    ...(bedrockGuardrail !== undefined && { SVC_BEDROCK_GUARDRAIL_ID: bedrockGuardrail.id }),
    ...(bedrockGuardrail?.version !== undefined && { SVC_BEDROCK_GUARDRAIL_VERSION: bedrockGuardrail.version }),
    ...(moderation !== undefined && { SVC_OUTSIDE_MODERATION: moderation }),
    ...(deadlineMs !== undefined && { SVC_OUTSIDE_DEADLINE_MS: String(deadlineMs) }),
    ...(when !== undefined && { SVC_OUTSIDE_WHEN: when }),
  };
}

/** One guardrail and no other; an id names one of this account and region. */
function grantApplying(stack: Stack, guardrail: string, grantee: iam.IGrantable): void {
  const ofThisAccount = { service: 'bedrock', resource: 'guardrail', resourceName: guardrail };
  const resourceArns = [guardrail.startsWith('arn:') ? guardrail : stack.formatArn(ofThisAccount)];
  iam.Grant.addToPrincipal({ grantee, actions: ['bedrock:ApplyGuardrail'], resourceArns });
}

/** Leaves out the table's indexes, which `table.grants` would add with a wildcard. */
function grantOnTable(table: dynamodb.TableV2, grantee: iam.IGrantable, ...actions: string[]): void {
  dynamodb.TableGrants.fromTable(table, [], false).actions(grantee, ...actions);
}

/** What DynamoDB, SQS and Secrets Manager do with a customer's key on behalf of who calls them, and only through them. */
function grantKey(key: kms.IKey | undefined, grantee: iam.IGrantable): void {
  if (key === undefined) return;
  const services = ['dynamodb', 'sqs', 'secretsmanager'].map((service) => `${service}.*.amazonaws.com`);
  iam.Grant.addToPrincipal({
    grantee,
    actions: ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey'],
    resourceArns: [key.keyArn],
    conditions: { StringLike: { 'kms:ViaService': services } },
  });
}

/** These attributes of a key, such as when it was used, and nothing else of it: who serves keys must not be able to change what they may do. */
function grantWriting(table: dynamodb.TableV2, grantee: iam.IGrantable, ...attributes: string[]): void {
  iam.Grant.addToPrincipal({
    grantee,
    actions: ['dynamodb:UpdateItem'],
    resourceArns: [table.tableArn],
    conditions: {
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', ...attributes] },
      // Or the answer would tell the rest.
      StringEqualsIfExists: { 'dynamodb:ReturnValues': ['NONE', 'UPDATED_OLD', 'UPDATED_NEW'] },
    },
  });
}

/** That an end user's data was deleted, which the counting function asks for; and no total. */
function grantForgetting(table: dynamodb.TableV2, grantee: iam.IGrantable): void {
  iam.Grant.addToPrincipal({
    grantee,
    actions: ['dynamodb:PutItem'],
    resourceArns: [table.tableArn],
    conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['forgotten#*'] } },
  });
}

/** Where the chain ends, and no record of it. */
function grantMovingHead(table: dynamodb.TableV2, grantee: iam.IGrantable): void {
  iam.Grant.addToPrincipal({
    grantee,
    actions: ['dynamodb:UpdateItem'],
    resourceArns: [table.tableArn],
    conditions: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['head'] } },
  });
}

function grantQueryOn(table: dynamodb.TableV2, indexName: string, grantee: iam.IGrantable): void {
  const resourceArns = [`${table.tableArn}/index/${indexName}`];
  iam.Grant.addToPrincipal({ grantee, actions: ['dynamodb:Query'], resourceArns });
}

/** `secret.grantRead` would also let the function describe the secret. */
function grantValueOf(secret: secretsmanager.Secret, grantee: iam.IGrantable): void {
  iam.Grant.addToPrincipal({
    grantee,
    actions: ['secretsmanager:GetSecretValue'],
    resourceArns: [secret.secretArn],
  });
}
