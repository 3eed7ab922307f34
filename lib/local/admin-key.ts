import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createDynamoClient, type DynamoClient } from '../../functions/adapters/aws/clients.ts';
import { DynamoAuditLog } from '../../functions/adapters/dynamo/dynamo-audit-log.ts';
import { DynamoKeyStore } from '../../functions/adapters/dynamo/dynamo-key-store.ts';
import type { TablesOf } from '../../functions/adapters/dynamo/tables.ts';
import { createKeyHasher } from '../../functions/adapters/node/hmac-key-hasher.ts';
import { systemClock } from '../../functions/adapters/node/process-time.ts';
import { type AuditEntry, DEFAULT_AUDIT_RETENTION_DAYS, OPERATOR } from '../../functions/control/audit/index.ts';
import { type KeyHasher, makeKey, storeKey } from '../../functions/control/keys/index.ts';
import { createKeySchema } from '../../functions/kernel/model/index.ts';
import { embeddedAccess, LOCAL_TABLES, PATIENCE_MS, useStores } from './create-resources.ts';
import { DataFolderInUse, lockDataFolder, readSecret, readStoreAddress } from './data-folder.ts';

/** High, since local users send whole sets of texts with the printed key. */
const LOCAL_LIMIT = { requests: 1_000_000, period: 'hour' } as const;
/** A service that starts writes the address of its tables within this time. */
const ADDRESS_MS = 5_000;

type Tables = Pick<TablesOf<'admin-api'>, 'keys' | 'audit'>;

interface NewAdminKey {
  readonly name: string;
  /** A random one if undefined. */
  readonly secret?: string | undefined;
  readonly hasher: KeyHasher;
  readonly onAudited: (entry: AuditEntry) => void;
  readonly tables: Tables;
  /** By default that of the environment. */
  readonly dynamo?: DynamoClient;
}

/** Waits longer than a request may: a process that starts has other work too. */
const patientClient = () => createDynamoClient({ timeoutMs: PATIENCE_MS });

export function openKeys(tables: Tables, dynamo = patientClient()): DynamoKeyStore {
  return new DynamoKeyStore(dynamo, tables.keys);
}

/** Creates an admin key, with an audit record of the operator. */
export async function createAdminKey({ name, secret: given, hasher, onAudited, tables, dynamo }: NewAdminKey) {
  const client = dynamo ?? patientClient();
  const fields = createKeySchema.parse({ name, permissions: ['admin'], rateLimit: LOCAL_LIMIT });
  const { key, secret } = await makeKey(fields, hasher, systemClock, { secret: given });
  const audit = new DynamoAuditLog(client, tables.audit, DEFAULT_AUDIT_RETENTION_DAYS);
  await storeKey(key, OPERATOR, { keys: openKeys(tables, client), audit, clock: systemClock, onAudited });
  return { id: key.id, name: key.name, secret };
}

/** The variables that name the data of the local service. */
export interface LocalData {
  readonly dataDir: string;
  readonly pepper: string | undefined;
  /** Another DynamoDB-compatible store. */
  readonly dynamodbUrl: string | undefined;
}

/** Creates an admin key for the local service, whether it runs or not. Throws an error with a sentence for the operator. */
export async function createLocalAdminKey(name: string, { dataDir, pepper: given, dynamodbUrl }: LocalData) {
  const isMissing = dynamodbUrl === undefined && !existsSync(path.join(dataDir, 'dynamodb'));
  if (isMissing) {
    throw new Error(
      `there is no data in '${dataDir}' that this user can read. The service's first start creates it and prints an admin key; set SVC_DATA_DIR if the service uses another folder.`,
    );
  }
  const pepper = given ?? (await readSecret(dataDir, 'pepper'));
  if (pepper === undefined) {
    throw new Error(
      `there is no file '${path.join(dataDir, 'pepper')}'. Set SVC_PEPPER to the value that the service uses.`,
    );
  }
  const hasher = createKeyHasher(async () => pepper);
  const create = (dynamo: DynamoClient) =>
    createAdminKey({ name, hasher, onAudited: () => {}, tables: LOCAL_TABLES, dynamo });
  if (dynamodbUrl !== undefined) {
    useStores(dynamodbUrl, dynamodbUrl);
    return create(patientClient());
  }
  return withTables(dataDir, (url) => create(createDynamoClient(embeddedAccess(url))));
}

/** Calls `work` with the address of the embedded tables: those of the running service, or started for this call. */
async function withTables<T>(dataDir: string, work: (dynamodbUrl: string) => Promise<T>): Promise<T> {
  try {
    lockDataFolder(dataDir);
  } catch (error) {
    if (!(error instanceof DataFolderInUse)) throw error;
    return work(await addressOfRunning(dataDir));
  }
  const { uid } = await stat(dataDir);
  if (process.getuid !== undefined && process.getuid() !== uid) {
    // The service could not read the files that this process writes.
    throw new Error(
      `the data folder '${dataDir}' belongs to another user. Run the command as that user, or while the service runs.`,
    );
  }
  const { startEmbeddedStores } = await import('./embedded-stores.ts');
  const stores = await startEmbeddedStores(dataDir);
  try {
    return await work(stores.dynamodbUrl);
  } finally {
    await stores.stop();
  }
}

async function addressOfRunning(dataDir: string): Promise<string> {
  const deadline = performance.now() + ADDRESS_MS;
  do {
    const address = await readStoreAddress(dataDir);
    if (address !== undefined) return address;
    await pause(100);
  } while (performance.now() < deadline);
  throw new Error(`the service that uses '${dataDir}' is of an earlier version. Stop it and run the command again.`);
}
