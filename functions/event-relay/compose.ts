import { createDynamoClient, createSqsClient } from '../adapters/aws/clients.ts';
import { SqsEventPublisher } from '../adapters/aws/sqs-queues.ts';
import { fromStream, type StreamItem } from '../adapters/dynamo/dynamo-calls.ts';
import { DynamoOutbox, outboxIn } from '../adapters/dynamo/dynamo-outbox.ts';
import { logSkippedRecord } from '../adapters/telemetry/json-log.ts';
import { type OutboxItem, relayEvents } from '../control/webhooks/index.ts';

export interface EventRelayConfig {
  readonly eventsQueueUrl: string;
  /** Queue that also receives events with findings; absent if there is none. */
  readonly findingsQueueUrl?: string | undefined;
  /** Tables whose items are cleared of their events after relaying; items of the others are written once and expire. */
  readonly clearedTables: readonly string[];
}

/** Relays the events of a stream on AWS, or on services with the same APIs. Rejects if the batch must be redelivered. */
export function composeEventRelay({
  eventsQueueUrl,
  findingsQueueUrl,
  clearedTables,
}: EventRelayConfig): (event: StreamEvent) => Promise<void> {
  const sqs = createSqsClient();
  const queue = new SqsEventPublisher(sqs, eventsQueueUrl);
  const findings = findingsQueueUrl === undefined ? undefined : new SqsEventPublisher(sqs, findingsQueueUrl);
  const outbox = new DynamoOutbox(createDynamoClient(), clearedTables);
  const deps = { queue, findings, outbox, onSkipped: logSkippedRecord };
  return (event) => relayEvents(toOutboxItems(event, logSkippedRecord), deps);
}

/** A DynamoDB stream event of Lambda: https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html */
export interface StreamEvent {
  readonly Records: readonly {
    /** `arn:aws:dynamodb:REGION:ACCOUNT:table/NAME/stream/TIME` */
    readonly eventSourceARN: string;
    readonly dynamodb: { readonly SequenceNumber?: string; readonly Keys: StreamItem; readonly NewImage?: StreamItem };
  }[];
}

/** The items of a batch that contain events. An unreadable item is reported with its position and skipped. */
export function toOutboxItems(
  { Records }: StreamEvent,
  onSkipped: (position: string, error: unknown) => void,
): OutboxItem[] {
  return Records.flatMap(({ eventSourceARN, dynamodb: { SequenceNumber = '', Keys, NewImage: { outbox } = {} } }) => {
    const table = eventSourceARN.split('/')[1];
    if (outbox === undefined || table === undefined) return [];
    try {
      const events = outboxIn(fromStream({ outbox }));
      return events.length === 0 ? [] : [{ table, key: fromStream(Keys), events }];
    } catch (error) {
      onSkipped(SequenceNumber, error);
      return [];
    }
  });
}
