import { createDynamoClient, createSqsClient } from '../adapters/aws-clients.ts';
import { DynamoKeyStore } from '../adapters/dynamo-key-store.ts';
import { SqsEventPublisher } from '../adapters/sqs-event-publisher.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { tellExpiringKeys } from '../core/access/expiring-keys.ts';

export interface KeyWatchConfig {
  readonly keysTable: string;
  readonly eventsQueueUrl: string;
}

/** Looks at all keys once, over AWS or over whatever speaks its protocols. Rejects where it has to be done again. */
export function composeKeyWatch({ keysTable, eventsQueueUrl }: KeyWatchConfig): () => Promise<number> {
  const deps = {
    keys: new DynamoKeyStore(createDynamoClient(), keysTable),
    events: new SqsEventPublisher(createSqsClient(), eventsQueueUrl),
    clock: systemClock,
  };
  return () => tellExpiringKeys(deps);
}
