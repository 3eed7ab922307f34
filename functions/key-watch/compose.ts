import { createDynamoClient } from '../adapters/aws/clients.ts';
import { DynamoKeyStore } from '../adapters/dynamo/dynamo-key-store.ts';
import type { TablesOf } from '../adapters/dynamo/tables.ts';
import { systemClock } from '../adapters/node/process-time.ts';
import { reportExpiringKeys } from '../control/keys/index.ts';

/** Checks all keys once, on AWS or on services with the same APIs. Rejects if it must be repeated. */
export function composeKeyWatch({ tables }: { readonly tables: TablesOf<'key-watch'> }): () => Promise<number> {
  const keys = new DynamoKeyStore(createDynamoClient(), tables.keys);
  return () => reportExpiringKeys({ keys, clock: systemClock });
}
