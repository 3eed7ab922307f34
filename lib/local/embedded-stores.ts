import { once } from 'node:events';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  type KeySchemaElement,
  ResourceInUseException,
} from '@aws-sdk/client-dynamodb';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';
import { type IndexDefinition, TABLE_DEFINITIONS, type TableDefinition } from '../table-definitions.ts';

// It has no types.
const dynalite: (options: { createTableMs: number; path?: string }) => Server = createRequire(import.meta.url)(
  'dynalite',
);

const LOOPBACK = '127.0.0.1';
/** What the embedded stores take; they check no signature. */
const ACCESS = { region: 'eu-central-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
const TABLE_READY_MS = 10_000;
/** Stands for a table's stream (record-stream.ts). */
const PENDING: IndexDefinition = { name: 'pending', partitionKey: 'pendingPk', sortKey: 'sk', keysOnly: true };

export interface StoreAddresses {
  readonly dynamodbUrl: string;
  readonly sqsUrl: string;
  readonly eventsQueueUrl: string;
}

export interface EmbeddedStores extends StoreAddresses {
  stop(): Promise<void>;
}

/**
 * DynamoDB and SQS on free ports of the loopback interface, with the service's tables (called by their names in
 * TABLE_DEFINITIONS) and queue. Tables live in `path` and survive a restart, or in memory without one; the queue is in memory.
 */
export async function startEmbeddedStores(path?: string): Promise<EmbeddedStores> {
  const database = dynalite({ createTableMs: 0, ...(path !== undefined && { path }) });
  database.listen(0, LOOPBACK);
  await once(database, 'listening');
  const dynamodbUrl = `http://${LOOPBACK}:${(database.address() as AddressInfo).port}`;

  // Its own start function listens on every interface.
  const queues = buildApp({ logger: false });
  const sqsUrl = await queues.listen({ port: 0, host: LOOPBACK });

  return {
    ...(await createResources(dynamodbUrl, sqsUrl)),
    stop: async () => {
      database.closeAllConnections();
      database.close();
      await queues.close();
    },
  };
}

/** Makes the tables and the queue where they are not there yet, in any store that speaks the protocols. */
export async function createResources(dynamodbUrl: string, sqsUrl: string): Promise<StoreAddresses> {
  const dynamo = new DynamoDBClient({ ...ACCESS, endpoint: dynamodbUrl });
  for (const [name, definition] of Object.entries<TableDefinition>(TABLE_DEFINITIONS))
    await createTable(dynamo, name, definition);
  dynamo.destroy();
  const sqs = new SQSClient({ ...ACCESS, endpoint: sqsUrl });
  await sqs.send(new CreateQueueCommand({ QueueName: 'events' }));
  sqs.destroy();
  return { dynamodbUrl, sqsUrl, eventsQueueUrl: `${sqsUrl}/000000000000/events` };
}

async function createTable(client: DynamoDBClient, name: string, definition: TableDefinition): Promise<void> {
  const { partitionKey, sortKey, stream = false } = definition;
  // Neither store has streams of its own that we read: what is not delivered yet stands in an index.
  const indexes = [...definition.indexes, ...(stream ? [PENDING] : [])];
  const names = new Set(
    [partitionKey, sortKey, ...indexes.flatMap((index) => [index.partitionKey, index.sortKey])].filter(
      (name) => name !== undefined,
    ),
  );
  const command = new CreateTableCommand({
    TableName: name,
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
  });
  try {
    await client.send(command);
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  await untilActive(client, name);
}

function keySchema(partitionKey: string, sortKey: string | undefined): KeySchemaElement[] {
  const range: KeySchemaElement[] = sortKey === undefined ? [] : [{ AttributeName: sortKey, KeyType: 'RANGE' }];
  return [{ AttributeName: partitionKey, KeyType: 'HASH' }, ...range];
}

async function untilActive(client: DynamoDBClient, TableName: string): Promise<void> {
  const deadline = performance.now() + TABLE_READY_MS;
  for (;;) {
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    const indexes = Table?.GlobalSecondaryIndexes ?? [];
    if (Table?.TableStatus === 'ACTIVE' && indexes.every((index) => index.IndexStatus === 'ACTIVE')) return;
    if (performance.now() > deadline) throw new Error(`table ${TableName} did not become active`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
