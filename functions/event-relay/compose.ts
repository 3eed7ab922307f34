import { createDynamoClient, createSqsClient } from '../adapters/aws/clients.ts';
import { SqsEventPublisher } from '../adapters/aws/sqs-event-publisher.ts';
import { DynamoOutbox } from '../adapters/dynamo/dynamo-outbox.ts';
import { relayEvents } from '../core/webhooks/relay-events.ts';
import { type StreamEvent, toOutboxItems } from './stream-event.ts';

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
