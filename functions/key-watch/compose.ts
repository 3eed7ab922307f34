import { createDynamoClient } from '../adapters/aws/clients.ts';
import { DynamoKeyStore } from '../adapters/dynamo/dynamo-key-store.ts';
import type { TablesOf } from '../adapters/dynamo/tables.ts';
import { systemClock } from '../adapters/node/process-time.ts';
import { reportExpiringKeys } from '../core/keys/find-keys.ts';

/** Looks at all keys once, over AWS or over whatever speaks its protocols. Rejects where it has to be done again. */
export function composeKeyWatch({ tables }: { readonly tables: TablesOf<'key-watch'> }): () => Promise<number> {
  const keys = new DynamoKeyStore(createDynamoClient(), tables.keys);
  return () => reportExpiringKeys({ keys, clock: systemClock });
}
