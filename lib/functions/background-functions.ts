import { Duration, type Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import { RELAYED_TABLES, TABLES, type TableDefinition } from '../../functions/adapters/dynamo/tables.ts';
import type { EventRelayEnv } from '../../functions/event-relay/env.ts';
import type { FindingsExportEnv } from '../../functions/findings-export/env.ts';
import { KEY_WATCH_SETTINGS, type KeyWatchEnv } from '../../functions/key-watch/env.ts';
import type { SyntheticCheckEnv } from '../../functions/synthetic-check/env.ts';
import { USAGE_COUNTER_SETTINGS, type UsageCounterEnv } from '../../functions/usage-counter/env.ts';
import { WEBHOOK_DELIVERY_SETTINGS, type WebhookDeliveryEnv } from '../../functions/webhook-delivery/env.ts';
import { QueueConsumer, ScheduledFunction, StreamConsumer, type StreamSource } from '../constructs/event-functions.ts';
import { grantTables, grantValueOf } from '../constructs/grants.ts';
import { stageVariables } from '../settings/function-settings.ts';
import { shareConcurrency } from '../settings/operations-concurrency.ts';
import type { Settings } from '../settings/settings.ts';
import { constructId, type DataStack } from '../stacks/data-stack.ts';
import { type FunctionContext, tableNames } from './function-context.ts';

/** Adds the function that counts records, with its environment and permissions. */
export function addUsageCounter(
  stack: Stack,
  { settings, data, code }: FunctionContext,
): StreamConsumer<UsageCounterEnv> {
  const { logRetentionDays, tracing } = settings;
  const usageCounter = new StreamConsumer<UsageCounterEnv>(stack, 'UsageCounter', {
    description: 'Counts records of requests by hour, day and session, from the table stream.',
    code,
    environment: {
      ...tableNames('usage-counter', data),
      ...stageVariables(USAGE_COUNTER_SETTINGS, settings),
    },
    // Expired and marked records are not new.
    sources: { Stream: { table: data.tables.records, filter: { eventName: ['INSERT'] } } },
    undelivered: data.uncounted,
    // Only outages delay a batch, as unreadable records are skipped. The stream keeps given-up records for 12 hours more.
    maxRecordAge: Duration.hours(12),
    // Positions are counted in order, so a batch fails as a whole (toBatch).
    reportsRecords: false,
    batchSize: 1_000,
    maxBatchingWindow: Duration.seconds(2),
    // Only events of a window have the shard id, which deduplication needs.
    tumblingWindow: Duration.minutes(15),
    memoryMb: 512,
    timeout: Duration.minutes(1),
    reservedConcurrency: shareConcurrency(settings.operationsConcurrency).usageCounter,
    logRetentionDays,
    tracing,
  });
  grantTables('usage-counter', data.tables, usageCounter);
  return usageCounter;
}

/** Adds the function that relays events from the tables, with its environment and permissions. */
export function addEventRelay(stack: Stack, { settings, data, code }: FunctionContext): StreamConsumer<EventRelayEnv> {
  const { logRetentionDays, tracing } = settings;
  const eventRelay = new StreamConsumer<EventRelayEnv>(stack, 'EventRelay', {
    description: 'Sends the events in table items to the events queue, from the table streams.',
    code,
    environment: {
      SVC_EVENTS_QUEUE_URL: data.eventsQueue.queueUrl,
      ...(settings.findings !== undefined && { SVC_FINDINGS_QUEUE_URL: data.findingsQueue.queueUrl }),
      ...tableNames('event-relay', data),
    },
    sources: relayedTables(data),
    undelivered: data.unrelayed,
    // The longest delay that one bad record can cause in its shard, and the time to correct a permission.
    maxRecordAge: Duration.hours(6),
    reportsRecords: true,
    batchSize: 100,
    memoryMb: 256,
    timeout: Duration.minutes(1),
    reservedConcurrency: shareConcurrency(settings.operationsConcurrency).eventRelay,
    logRetentionDays,
    tracing,
  });
  data.eventsQueue.grant(eventRelay, 'sqs:SendMessage');
  if (settings.findings !== undefined) data.findingsQueue.grant(eventRelay, 'sqs:SendMessage');
  grantTables('event-relay', data.tables, eventRelay);
  return eventRelay;
}

/** The tables whose items may contain events, by construct id. */
function relayedTables({ tables }: DataStack): Record<string, StreamSource> {
  const withEvents = { dynamodb: { NewImage: { outboxPk: { S: [{ exists: true }] } } } };
  return Object.fromEntries(
    RELAYED_TABLES.map((name) => {
      const { access }: TableDefinition = TABLES[name];
      // The relay does not clear records, so their event stays: only new ones are relayed.
      const eventName = access['event-relay'] === undefined ? ['INSERT'] : ['INSERT', 'MODIFY'];
      return [constructId(name), { table: tables[name], filter: { eventName, ...withEvents } }];
    }),
  );
}

/** Adds the function that reports keys about to expire and watches roll-outs, with its environment and permissions. */
export function addKeyWatch(stack: Stack, { settings, data, code }: FunctionContext): ScheduledFunction<KeyWatchEnv> {
  const { logRetentionDays, tracing } = settings;
  const keyWatch = new ScheduledFunction<KeyWatchEnv>(stack, 'KeyWatch', {
    description:
      'Reports API keys that expire within a week and the spend of each month, evaluates alerts, and withdraws roll-outs of the policy that block too much.',
    code,
    environment: { ...tableNames('key-watch', data), ...stageVariables(KEY_WATCH_SETTINGS, settings) },
    every: Duration.minutes(1),
    memoryMb: 256,
    timeout: Duration.minutes(5),
    logRetentionDays,
    tracing,
  });
  grantTables('key-watch', data.tables, keyWatch);
  return keyWatch;
}

/** Adds the synthetic check of the deployment at `baseUrl`, with its environment and permissions. */
export function addSyntheticCheck(
  stack: Stack,
  { settings, data, code, baseUrl }: FunctionContext & { readonly baseUrl: string },
): ScheduledFunction<SyntheticCheckEnv> {
  const { logRetentionDays, tracing } = settings;
  const check = new ScheduledFunction<SyntheticCheckEnv>(stack, 'SyntheticCheck', {
    description: 'Checks the deployment through its front door.',
    code,
    environment: {
      SVC_BASE_URL: baseUrl,
      SVC_SYNTHETIC_CHECK_KEY_SECRET_ARN: data.syntheticCheckKey.secretArn,
    },
    every: Duration.minutes(1),
    memoryMb: 256,
    timeout: Duration.seconds(30),
    logRetentionDays,
    tracing,
  });
  grantValueOf(data.syntheticCheckKey, check);
  return check;
}

/** Adds the function that delivers webhooks, with its environment and permissions. */
export function addWebhookDelivery(
  stack: Stack,
  { settings, data, code }: FunctionContext,
): QueueConsumer<WebhookDeliveryEnv> {
  const { logRetentionDays, tracing, webhookShards = WEBHOOK_DELIVERY_SETTINGS.webhookShards.default } = settings;
  const webhookDelivery = new QueueConsumer<WebhookDeliveryEnv>(stack, 'WebhookDelivery', {
    description: 'Delivers signed events to webhook endpoints, with retries.',
    code,
    environment: {
      ...tableNames('webhook-delivery', data),
      SVC_DELIVERIES_QUEUE_URL: data.deliveriesQueue.queueUrl,
      SVC_SEALING_SECRET_ARN: data.sealingKey.secretArn,
      ...stageVariables(WEBHOOK_DELIVERY_SETTINGS, settings),
    },
    sources: {
      Events: { queue: data.eventsQueue, batchesAtOnce: 10 },
      // A batch takes at most ten seconds, or twenty if receivers do not respond. Four endpoints may have all their workers.
      Deliveries: { queue: data.deliveriesQueue, batchesAtOnce: 50 + 4 * (webhookShards - 1) },
    },
    sweepEvery: Duration.minutes(1),
    // Several workers are for endpoints that keep up, where CPU is the bound: a whole vCPU.
    memoryMb: webhookShards === 1 ? 512 : 1_769,
    timeout: Duration.seconds(60),
    logRetentionDays,
    tracing,
    // It sends itself a message for each next attempt.
    recursiveLoop: lambda.RecursiveLoop.ALLOW,
  });
  grantTables('webhook-delivery', data.tables, webhookDelivery);
  data.deliveriesQueue.grant(webhookDelivery, 'sqs:SendMessage');
  grantValueOf(data.sealingKey, webhookDelivery);
  const { alertTopicArns = [], spendReport } = settings;
  const resourceArns = [...new Set([...alertTopicArns, ...(spendReport?.topicArns ?? [])])];
  if (resourceArns.length > 0) {
    iam.Grant.addToPrincipal({ grantee: webhookDelivery, actions: ['sns:Publish'], resourceArns });
  }
  return webhookDelivery;
}

export interface FindingsExportContext {
  readonly settings: Settings;
  readonly findings: NonNullable<Settings['findings']>;
  readonly queue: sqs.Queue;
  readonly code: lambda.Code;
}

/** Adds the function that exports findings to a SIEM, with its environment and permissions. */
export function addFindingsExport(
  stack: Stack,
  { settings, findings, queue, code }: FindingsExportContext,
): QueueConsumer<FindingsExportEnv> {
  const { environment, action, arn } = targetOf(stack, findings);
  const findingsExport = new QueueConsumer<FindingsExportEnv>(stack, 'FindingsExport', {
    description: 'Exports findings to a SIEM, in the format of OCSF.',
    code,
    environment,
    sources: { Findings: { queue, batchesAtOnce: 5 } },
    memoryMb: 256,
    timeout: Duration.seconds(60),
    logRetentionDays: settings.logRetentionDays,
    tracing: settings.tracing,
  });
  iam.Grant.addToPrincipal({ grantee: findingsExport, actions: [action], resourceArns: [arn] });
  return findingsExport;
}

function targetOf(stack: Stack, findings: NonNullable<Settings['findings']>) {
  if ('firehose' in findings) {
    const { streamArn: arn } = findings.firehose;
    return { environment: { SVC_FINDINGS_STREAM_ARN: arn }, action: 'firehose:PutRecordBatch', arn };
  }
  const ownBus = stack.formatArn({ service: 'events', resource: 'event-bus', resourceName: 'default' });
  const arn = findings.eventBridge.busArn ?? ownBus;
  return { environment: { SVC_FINDINGS_BUS_ARN: arn }, action: 'events:PutEvents', arn };
}
