import { createDynamoClient, createSqsClient } from '../adapters/aws-clients.ts';
import { DynamoKeyStore } from '../adapters/dynamo-key-store.ts';
import { createKeyHasher } from '../adapters/hmac-key-hasher.ts';
import { logError, logLostEvent } from '../adapters/json-log.ts';
import { SqsEventPublisher } from '../adapters/sqs-event-publisher.ts';
import { systemClock } from '../adapters/system-clock.ts';
import type { App } from '../core/http/router.ts';
import { createAdminApp } from './app.ts';

export interface AdminConfig {
  readonly keysTable: string;
  readonly eventsQueueUrl: string;
  readonly pepper: () => Promise<string>;
}

/** The admin API over AWS, or over whatever speaks its protocols. */
export function composeAdmin(config: AdminConfig): App {
  const keys = new DynamoKeyStore(createDynamoClient(), config.keysTable);
  const hashKey = createKeyHasher(config.pepper);
  return createAdminApp(
    {
      keys,
      hashKey,
      // Administrators are few: their keys are read every time, so that a revoked one ends at once.
      authenticator: { findBySecretHash: (hash) => keys.findBySecretHash(hash), hashKey, clock: systemClock },
      events: new SqsEventPublisher(createSqsClient(), config.eventsQueueUrl),
      clock: systemClock,
      onEventLost: logLostEvent,
    },
    { monotonic: systemClock.monotonic, onError: logError },
  );
}
