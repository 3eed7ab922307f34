import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  type KeySchemaElement,
  ResourceInUseException,
} from '@aws-sdk/client-dynamodb';
import { CreateQueueCommand } from '@aws-sdk/client-sqs';
import {
  type AwsClientOptions,
  createDynamoClient,
  createSqsClient,
  type DynamoClient,
} from '../../functions/adapters/aws/clients.ts';
import {
  type IndexDefinition,
  TABLE_NAMES,
  TABLES,
  type TableDefinition,
  type TableName,
} from '../../functions/adapters/dynamo/tables.ts';

/** Longer than any response takes on a busy machine. */
export const PATIENCE_MS = 30_000;

/** Client options for the embedded stores, which check no signatures. */
export function embeddedAccess(endpoint: string): AwsClientOptions {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  return { endpoint, region: 'eu-central-1', credentials, timeoutMs: PATIENCE_MS };
}

/** Sets the environment by which the adapters find the stores. */
export function useStores(dynamodbUrl: string, sqsUrl: string): void {
  process.env.AWS_ENDPOINT_URL_DYNAMODB = dynamodbUrl;
  process.env.AWS_ENDPOINT_URL_SQS = sqsUrl;
  process.env.AWS_REGION ??= 'eu-central-1';
  // The SDK prefers a profile to keys, and warns if both are set.
  if (process.env.AWS_PROFILE) return;
  process.env.AWS_ACCESS_KEY_ID ??= 'local';
  process.env.AWS_SECRET_ACCESS_KEY ??= 'local';
}

const TABLE_READY_MS = 10_000;
/** Sparse indexes of undelivered items, which replace a table's stream (table-streams.ts). */
const STREAM_INDEXES = {
  counted: { name: 'pending', partitionKey: 'pendingPk' },
  relayed: { name: 'outbox', partitionKey: 'outboxPk' },
} as const;

/** Locally tables have their plain names. */
export const LOCAL_TABLES = Object.fromEntries(TABLE_NAMES.map((name) => [name, name])) as Record<TableName, string>;

export interface StoreAddresses {
  readonly dynamodbUrl: string;
  readonly sqsUrl: string;
  readonly eventsQueueUrl: string;
  readonly deliveriesQueueUrl: string;
}

/** Creates missing tables and queues, in any store with these protocols; `prefix` begins the names of all. */
export async function createResources(dynamodbUrl: string, sqsUrl: string, prefix = ''): Promise<StoreAddresses> {
  const dynamo = createDynamoClient(embeddedAccess(dynamodbUrl));
  for (const [name, definition] of Object.entries<TableDefinition>(TABLES)) {
    await createTable(dynamo, `${prefix}${name}`, definition);
  }
  const sqs = createSqsClient(embeddedAccess(sqsUrl));
  const urlOf = (name: string) => `${sqsUrl}/000000000000/${prefix}${name}`;
  for (const name of ['events', 'deliveries'])
    await sqs.send(new CreateQueueCommand({ QueueName: `${prefix}${name}` }));
  return { dynamodbUrl, sqsUrl, eventsQueueUrl: urlOf('events'), deliveriesQueueUrl: urlOf('deliveries') };
}

/** The indexes of a table without a stream. */
function indexesOf({ partitionKey, sortKey, indexes, stream = [] }: TableDefinition): IndexDefinition[] {
  const pending = stream.map((use) => ({ ...STREAM_INDEXES[use], sortKey: sortKey ?? partitionKey, keysOnly: true }));
  return [...indexes, ...pending];
}

/** A table whose new items are found by sparse indexes, since no function reads its stream. */
export function tableInput(TableName: string, definition: TableDefinition): CreateTableCommandInput {
  const { partitionKey, sortKey } = definition;
  const indexes = indexesOf(definition);
  const names = new Set(
    [partitionKey, sortKey, ...indexes.flatMap((index) => [index.partitionKey, index.sortKey])].filter(
      (name) => name !== undefined,
    ),
  );
  return {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [...names].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: keySchema(partitionKey, sortKey),
    ...(indexes.length > 0 && {
      GlobalSecondaryIndexes: indexes.map((index) => ({
        IndexName: index.name,
        KeySchema: keySchema(index.partitionKey, index.sortKey),
        Projection: { ProjectionType: index.keysOnly ? 'KEYS_ONLY' : 'ALL' },
      })),
    }),
  };
}

async function createTable(client: DynamoClient, name: string, definition: TableDefinition): Promise<void> {
  try {
    await client.send(new CreateTableCommand(tableInput(name, definition)));
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  await untilActive(client, name, indexesOf(definition));
}

/** The key of a table or an index. */
export function keySchema(partitionKey: string, sortKey: string | undefined): KeySchemaElement[] {
  const range: KeySchemaElement[] = sortKey === undefined ? [] : [{ AttributeName: sortKey, KeyType: 'RANGE' }];
  return [{ AttributeName: partitionKey, KeyType: 'HASH' }, ...range];
}

/** Waits until the table is active. Throws if an earlier version created it with other indexes. */
async function untilActive(client: DynamoClient, TableName: string, wanted: readonly IndexDefinition[]): Promise<void> {
  const deadline = performance.now() + TABLE_READY_MS;
  for (;;) {
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    const indexes = Table?.GlobalSecondaryIndexes ?? [];
    const missing = wanted.find(({ name }) => !indexes.some(({ IndexName }) => IndexName === name));
    if (missing !== undefined && Table?.TableStatus === 'ACTIVE') {
      throw new Error(
        `the table '${TableName}' is of an earlier version and lacks the index '${missing.name}': move the data folder away`,
      );
    }
    if (Table?.TableStatus === 'ACTIVE' && indexes.every((index) => index.IndexStatus === 'ACTIVE')) return;
    if (performance.now() > deadline) throw new Error(`table ${TableName} did not become active`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
