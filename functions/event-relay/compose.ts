import { createDynamoClient, createSqsClient } from '../adapters/aws/clients.ts';
import { SqsEventPublisher } from '../adapters/aws/sqs-queues.ts';
import { fromStream, type StreamItem } from '../adapters/dynamo/dynamo-calls.ts';
import { DynamoOutbox, outboxIn } from '../adapters/dynamo/dynamo-outbox.ts';
import { type OutboxItem, relayEvents } from '../core/webhooks/relay-events.ts';

export interface EventRelayConfig {
  readonly eventsQueueUrl: string;
  /** Where events with findings go besides; nowhere where absent. */
  readonly findingsQueueUrl?: string | undefined;
  /** Tables out of whose items events are taken once they are relayed; those of others are written once, and expire. */
  readonly clearedTables: readonly string[];
}

/** Relays what streams deliver, over AWS or over whatever speaks its protocols. Rejects where it has to come again. */
export function composeEventRelay({
  eventsQueueUrl,
  findingsQueueUrl,
  clearedTables,
}: EventRelayConfig): (event: StreamEvent) => Promise<void> {
  const sqs = createSqsClient();
  const queue = new SqsEventPublisher(sqs, eventsQueueUrl);
  const findings = findingsQueueUrl === undefined ? undefined : new SqsEventPublisher(sqs, findingsQueueUrl);
  const outbox = new DynamoOutbox(createDynamoClient(), clearedTables);
  return (event) => relayEvents(toOutboxItems(event), queue, outbox, findings);
}

/** What Lambda hands over of DynamoDB streams: https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html */
export interface StreamEvent {
  readonly Records: readonly {
    /** `arn:aws:dynamodb:REGION:ACCOUNT:table/NAME/stream/TIME` */
    readonly eventSourceARN: string;
    readonly dynamodb: { readonly SequenceNumber?: string; readonly Keys: StreamItem; readonly NewImage?: StreamItem };
  }[];
}

/** The items of a batch that tell of something. */
export function toOutboxItems({ Records }: StreamEvent): OutboxItem[] {
  return Records.flatMap(({ eventSourceARN, dynamodb: { Keys, NewImage: { outbox } = {} } }) => {
    const events = outbox === undefined ? [] : outboxIn(fromStream({ outbox }));
    const table = eventSourceARN.split('/')[1];
    return events.length === 0 || table === undefined ? [] : [{ table, key: fromStream(Keys), events }];
  });
}
