import { createDynamoClient, createSqsClient } from '../adapters/aws-clients.ts';
import { DynamoAuditLog } from '../adapters/dynamo-audit-log.ts';
import { DynamoIdempotencyStore } from '../adapters/dynamo-idempotency-store.ts';
import { DynamoKeyStore } from '../adapters/dynamo-key-store.ts';
import { DynamoPolicyStore } from '../adapters/dynamo-policy-store.ts';
import { createKeyHasher } from '../adapters/hmac-key-hasher.ts';
import { logAudit, logError, logLostEvent } from '../adapters/json-log.ts';
import { SqsEventPublisher } from '../adapters/sqs-event-publisher.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { KeyCache } from '../core/access/key-cache.ts';
import { KeyUses } from '../core/access/key-uses.ts';
import type { App } from '../core/http/router.ts';
import { createAdminApp } from './app.ts';

export interface AdminConfig {
  readonly keysTable: string;
  readonly auditTable: string;
  readonly policiesTable: string;
  readonly idempotencyTable: string;
  readonly auditRetentionDays: number;
  readonly eventsQueueUrl: string;
  readonly pepper: () => Promise<string>;
}

/** The admin API over AWS, or over whatever speaks its protocols. */
export function composeAdmin(config: AdminConfig): App {
  const dynamo = createDynamoClient();
  const keys = new DynamoKeyStore(dynamo, config.keysTable);
  const hasher = createKeyHasher(config.pepper);
  return createAdminApp(
    {
      keys,
      audit: new DynamoAuditLog(dynamo, config.auditTable, config.auditRetentionDays),
      policies: new DynamoPolicyStore(dynamo, config.policiesTable),
      endUserStores: [new DynamoIdempotencyStore(dynamo, config.idempotencyTable)],
      hasher,
      authenticator: {
        // Administrators are few: their keys are read every time, so that a revoked one ends at once.
        keys: new KeyCache(keys, systemClock, { freshMs: 0, staleMs: 0 }),
        hasher,
        uses: new KeyUses(keys, systemClock),
        clock: systemClock,
      },
      events: new SqsEventPublisher(createSqsClient(), config.eventsQueueUrl),
      clock: systemClock,
      onEventLost: logLostEvent,
      onAudited: logAudit,
    },
    { monotonic: systemClock.monotonic, onError: logError },
  );
}
