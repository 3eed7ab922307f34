import { Duration, type Stack } from 'aws-cdk-lib';
import { TABLES, type TableDefinition, type TableName } from '../../functions/adapters/dynamo/tables.ts';
import type { EventRelayEnv } from '../../functions/event-relay/env.ts';
import { StreamConsumer, type StreamSource } from '../constructs/event-functions.ts';
import { grantTables } from '../constructs/grants.ts';
import { constructId, type DataStack } from '../stacks/data-stack.ts';
import { type FunctionContext, tableNames } from './function-context.ts';

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
  const relayed = Object.entries<TableDefinition>(TABLES).filter(([, { stream }]) => stream?.includes('relayed'));
  return Object.fromEntries(
    relayed.map(([name, { access }]) => {
      // An item that the relay does not clear, a record, keeps its event until it expires: only a new one is relayed.
      const eventName = access['event-relay'] === undefined ? ['INSERT'] : ['INSERT', 'MODIFY'];
      return [constructId(name), { table: tables[name as TableName], filter: { eventName, ...withEvents } }];
    }),
  );
}
