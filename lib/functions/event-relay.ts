import { Duration, type Stack } from 'aws-cdk-lib';
import type { EventRelayEnv } from '../../functions/event-relay/env.ts';
import { grantWriting } from '../constructs/grants.ts';
import { StreamConsumer } from '../constructs/stream-consumer.ts';
import type { FunctionContext } from './function-context.ts';

/** The function that relays events out of the tables, what it is told and what its role may do. */
export function addEventRelay(stack: Stack, { settings, data, code }: FunctionContext): StreamConsumer<EventRelayEnv> {
  const { logRetentionDays, tracing } = settings;
  const tells = { dynamodb: { NewImage: { outboxPk: { S: [{ exists: true }] } } } };
  const changed = { eventName: ['INSERT', 'MODIFY'], ...tells };
  const eventRelay = new StreamConsumer<EventRelayEnv>(stack, 'EventRelay', {
    description: 'Hands the events that items hold to the events queue, as the tables deliver them.',
    code,
    environment: {
      SVC_EVENTS_QUEUE_URL: data.eventsQueue.queueUrl,
      ...(data.findingsQueue !== undefined && { SVC_FINDINGS_QUEUE_URL: data.findingsQueue.queueUrl }),
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
  const outbox = ['outbox', 'outboxPk'];
  grantWriting(data.keysTable, eventRelay, ...outbox);
  grantWriting(data.sessionsTable, eventRelay, ...outbox);
  grantWriting(data.webhooksTable, eventRelay, 'sk', ...outbox);
  return eventRelay;
}
