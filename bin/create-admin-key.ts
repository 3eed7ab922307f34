import { parseArgs } from 'node:util';
import { createDynamoClient } from '../functions/adapters/aws/clients.ts';
import { secretSource } from '../functions/adapters/aws/secrets-manager-source.ts';
import { DynamoAuditLog } from '../functions/adapters/dynamo/dynamo-audit-log.ts';
import { DynamoKeyStore } from '../functions/adapters/dynamo/dynamo-key-store.ts';
import { createKeyHasher } from '../functions/adapters/hmac-key-hasher.ts';
import { systemClock } from '../functions/adapters/system-clock.ts';
import { OPERATOR } from '../functions/core/audit/audit-change.ts';
import { DEFAULT_AUDIT_RETENTION_DAYS } from '../functions/core/audit/audit-record.ts';
import { makeKey, storeKey } from '../functions/core/keys/make-key.ts';
import { createKeySchema } from '../functions/core/model/api-key.ts';

/**
 * Makes an admin key in a deployment's table, with the operator's own AWS credentials, and prints it, once:
 * npm run --silent admin-key -- --table NAME --audit-table NAME --pepper-secret ARN [--name NAME]
 */
const { values } = parseArgs({
  options: {
    table: { type: 'string' },
    'audit-table': { type: 'string' },
    'pepper-secret': { type: 'string' },
    name: { type: 'string', default: 'First admin key' },
  },
});
const { table, 'audit-table': auditTable, 'pepper-secret': pepperSecret, name } = values;
if (!table || !auditTable || !pepperSecret) {
  console.error(
    'usage: npm run --silent admin-key -- --table NAME --audit-table NAME --pepper-secret ARN [--name NAME]',
  );
  process.exit(2);
}
const dynamo = createDynamoClient();
const keys = new DynamoKeyStore(dynamo, table);
const audit = new DynamoAuditLog(dynamo, auditTable, DEFAULT_AUDIT_RETENTION_DAYS);
const fields = createKeySchema.parse({ name, permissions: ['admin'] });
const { key, secret } = await makeKey(fields, createKeyHasher(secretSource(pepperSecret)), systemClock);
await storeKey(key, OPERATOR, { keys, audit, clock: systemClock, onAudited: () => {} });
console.log(secret);
