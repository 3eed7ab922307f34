import { parseArgs } from 'node:util';
import { createDynamoClient } from '../functions/adapters/aws/clients.ts';
import { secretSource } from '../functions/adapters/aws/secrets-manager-source.ts';
import { DynamoKeyStore } from '../functions/adapters/dynamo/dynamo-key-store.ts';
import { createKeyHasher } from '../functions/adapters/hmac-key-hasher.ts';
import { rehashKeys } from '../functions/admin-api/rehash-keys.ts';

/**
 * Moves keys that were seen under the pepper's new value to it, and names those that were not, with the operator's own AWS
 * credentials: npm run --silent rehash-keys -- --table NAME --pepper-secret ARN
 */
const { values } = parseArgs({ options: { table: { type: 'string' }, 'pepper-secret': { type: 'string' } } });
const { table, 'pepper-secret': pepperSecret } = values;
if (!table || !pepperSecret) {
  console.error('usage: npm run --silent rehash-keys -- --table NAME --pepper-secret ARN');
  process.exit(2);
}
const store = new DynamoKeyStore(createDynamoClient(), table);
const { moved, current, behind } = await rehashKeys(store, createKeyHasher(secretSource(pepperSecret)));
console.log(
  `${moved} moved to the current pepper, ${current} stood under it already, ${behind.length} not seen since:`,
);
for (const { id, name, lastUsedAt } of behind) console.log(`${id}\t${name}\tlast used ${lastUsedAt ?? 'never'}`);
