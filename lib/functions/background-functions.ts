import { Duration, type Stack } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import { RELAYED_TABLES, TABLES, type TableDefinition } from '../../functions/adapters/dynamo/tables.ts';
import type { EventRelayEnv } from '../../functions/event-relay/env.ts';
import type { FindingsExportEnv } from '../../functions/findings-export/env.ts';
import type { KeyWatchEnv } from '../../functions/key-watch/env.ts';
import { USAGE_COUNTER_SETTINGS, type UsageCounterEnv } from '../../functions/usage-counter/env.ts';
import { WEBHOOK_DELIVERY_SETTINGS, type WebhookDeliveryEnv } from '../../functions/webhook-delivery/env.ts';
import { QueueConsumer, ScheduledFunction, StreamConsumer, type StreamSource } from '../constructs/event-functions.ts';
import { grantTables, grantValueOf } from '../constructs/grants.ts';
import { stageVariables } from '../settings/function-settings.ts';
import type { Settings } from '../settings/settings.ts';
import { constructId, type DataStack } from '../stacks/data-stack.ts';
import { type FunctionContext, tableNames } from './function-context.ts';

/** The function that adds records up, what it is told and what its role may do. */
export function addUsageCounter(
  stack: Stack,
  { settings, data, code }: FunctionContext,
): StreamConsumer<UsageCounterEnv> {
  const { logRetentionDays, tracing } = settings;
  const usageCounter = new StreamConsumer<UsageCounterEnv>(stack, 'UsageCounter', {
    description: 'Adds up the records of requests by hour, day and session, as the table delivers them.',
    code,
    environment: {
      ...tableNames('usage-counter', data),
      ...stageVariables(USAGE_COUNTER_SETTINGS, settings),
    },
    // Neither what expires nor what is marked is new.
    sources: { Stream: { table: data.tables.records, filter: { eventName: ['INSERT'] } } },
    undelivered: data.uncounted,
    // Only an outage holds a batch up: a record that cannot be counted is skipped. Half a day is left to look into what was not counted.
    maxRecordAge: Duration.hours(12),
    // Positions are counted in order, so that a batch fails as one (toBatch).
    reportsRecords: false,
    batchSize: 1_000,
    maxBatchingWindow: Duration.seconds(2),
    // Without a shard nothing tells what was counted already.
    tumblingWindow: Duration.minutes(15),
    memoryMb: 512,
    timeout: Duration.minutes(1),
    logRetentionDays,
    tracing,
  });
  grantTables('usage-counter', data.tables, usageCounter);
  return usageCounter;
}

/** The function that relays events out of the tables, what it is told and what its role may do. */
export function addEventRelay(stack: Stack, { settings, data, code }: FunctionContext): StreamConsumer<EventRelayEnv> {
  const { logRetentionDays, tracing } = settings;
  const eventRelay = new StreamConsumer<EventRelayEnv>(stack, 'EventRelay', {
    description: 'Hands the events that items hold to the events queue, as the tables deliver them.',
    code,
    environment: {
      SVC_EVENTS_QUEUE_URL: data.eventsQueue.queueUrl,
      ...(data.findingsQueue !== undefined && { SVC_FINDINGS_QUEUE_URL: data.findingsQueue.queueUrl }),
      ...tableNames('event-relay', data),
    },
    sources: relayedTables(data),
    undelivered: data.unrelayed,
    // A record that can never be relayed holds up later batches of its shard for so long; a wrong permission is mended in that time.
    maxRecordAge: Duration.hours(6),
    reportsRecords: true,
    batchSize: 100,
    memoryMb: 256,
    timeout: Duration.minutes(1),
    logRetentionDays,
    tracing,
  });
  data.eventsQueue.grant(eventRelay, 'sqs:SendMessage');
  data.findingsQueue?.grant(eventRelay, 'sqs:SendMessage');
  grantTables('event-relay', data.tables, eventRelay);
  return eventRelay;
}

/** The tables whose items may hold events, as sources by their names in the stack. */
function relayedTables({ tables }: DataStack): Record<string, StreamSource> {
  const withEvents = { dynamodb: { NewImage: { outboxPk: { S: [{ exists: true }] } } } };
  return Object.fromEntries(
    RELAYED_TABLES.map((name) => {
      const { access }: TableDefinition = TABLES[name];
      // An item that the relay does not clear, a record, keeps its event until it expires: only a new one is relayed.
      const eventName = access['event-relay'] === undefined ? ['INSERT'] : ['INSERT', 'MODIFY'];
      return [constructId(name), { table: tables[name], filter: { eventName, ...withEvents } }];
    }),
  );
}

/** The function that tells of keys about to expire, what it is told and what its role may do. */
export function addKeyWatch(stack: Stack, { settings, data, code }: FunctionContext): ScheduledFunction<KeyWatchEnv> {
  const { logRetentionDays, tracing } = settings;
  const keyWatch = new ScheduledFunction<KeyWatchEnv>(stack, 'KeyWatch', {
    description: 'Tells of API keys that expire within a week.',
    code,
    environment: tableNames('key-watch', data),
    every: Duration.hours(1),
    memoryMb: 256,
    timeout: Duration.minutes(5),
    logRetentionDays,
    tracing,
  });
  grantTables('key-watch', data.tables, keyWatch);
  return keyWatch;
}

/** The function that delivers webhooks, what it is told and what its role may do. */
export function addWebhookDelivery(
  stack: Stack,
  { settings, data, code }: FunctionContext,
): QueueConsumer<WebhookDeliveryEnv> {
  const { logRetentionDays, tracing } = settings;
  const webhookDelivery = new QueueConsumer<WebhookDeliveryEnv>(stack, 'WebhookDelivery', {
    description: 'Delivers events to the endpoints that want them, signed, until they take them.',
    code,
    environment: {
      ...tableNames('webhook-delivery', data),
      SVC_DELIVERIES_QUEUE_URL: data.deliveriesQueue.queueUrl,
      SVC_SEALING_SECRET_ARN: data.sealingKey.secretArn,
      ...stageVariables(WEBHOOK_DELIVERY_SETTINGS, settings),
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
    // It wakes itself for each next attempt.
    recursiveLoop: lambda.RecursiveLoop.ALLOW,
  });
  grantTables('webhook-delivery', data.tables, webhookDelivery);
  data.deliveriesQueue.grant(webhookDelivery, 'sqs:SendMessage');
  grantValueOf(data.sealingKey, webhookDelivery);
  return webhookDelivery;
}

export interface FindingsExportContext {
  readonly settings: Settings;
  readonly findings: NonNullable<Settings['findings']>;
  readonly queue: sqs.Queue;
  readonly code: lambda.Code;
}

/** The function that hands findings to where a SIEM reads them, what it is told and what its role may do. */
export function addFindingsExport(
  stack: Stack,
  { settings, findings, queue, code }: FindingsExportContext,
): QueueConsumer<FindingsExportEnv> {
  const { environment, action, arn } = targetOf(stack, findings);
  const findingsExport = new QueueConsumer<FindingsExportEnv>(stack, 'FindingsExport', {
    description: 'Hands findings, in the shape of OCSF, to where a SIEM reads them.',
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
