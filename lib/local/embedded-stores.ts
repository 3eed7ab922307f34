import { once } from 'node:events';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
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
import { openKeptQueues } from './kept-queues.ts';

// It has no types.
const dynalite: (options: { createTableMs: number; path?: string }) => Server = createRequire(import.meta.url)(
  'dynalite',
);

const LOOPBACK = '127.0.0.1';
/** What the embedded stores take; they check no signature. */
const ACCESS = { region: 'eu-central-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
const TABLE_READY_MS = 10_000;
/** Where these indexes stand in for a table's stream: what is not delivered yet is in them (pending-items.ts). */
const STREAM_INDEXES = {
  counted: { name: 'pending', partitionKey: 'pendingPk' },
  relayed: { name: 'outbox', partitionKey: 'outboxPk' },
} as const;

export interface StoreAddresses {
  readonly dynamodbUrl: string;
  readonly sqsUrl: string;
  readonly eventsQueueUrl: string;
  readonly deliveriesQueueUrl: string;
}

export interface EmbeddedStores extends StoreAddresses {
  stop(): Promise<void>;
}

/**
 * DynamoDB and SQS on free ports of the loopback interface, with the service's tables (called by their names in
 * TABLE_DEFINITIONS) and queue. Both live in `folder` and survive a restart, or in memory without one.
 */
export async function startEmbeddedStores(folder?: string): Promise<EmbeddedStores> {
  const database = dynalite({
    createTableMs: 0,
    ...(folder !== undefined && { path: path.join(folder, 'dynamodb') }),
  });
  database.listen(0, LOOPBACK);
  await once(database, 'listening');
  const dynamodbUrl = `http://${LOOPBACK}:${(database.address() as AddressInfo).port}`;

  // Its own start function listens on every interface.
  const kept = folder === undefined ? undefined : openKeptQueues(path.join(folder, 'sqs'));
  const queues = buildApp({ logger: false, ...(kept !== undefined && { stores: kept.stores }) });
  const sqsUrl = await queues.listen({ port: 0, host: LOOPBACK });

  return {
    ...(await createResources(dynamodbUrl, sqsUrl)),
    stop: async () => {
      database.closeAllConnections();
      database.close();
      await queues.close();
      kept?.close();
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
  for (const QueueName of ['events', 'deliveries']) await sqs.send(new CreateQueueCommand({ QueueName }));
  sqs.destroy();
  const urlOf = (name: string) => `${sqsUrl}/000000000000/${name}`;
  return { dynamodbUrl, sqsUrl, eventsQueueUrl: urlOf('events'), deliveriesQueueUrl: urlOf('deliveries') };
}

async function createTable(client: DynamoDBClient, name: string, definition: TableDefinition): Promise<void> {
  const { partitionKey, sortKey, stream = [] } = definition;
  const indexes: IndexDefinition[] = [
    ...definition.indexes,
    ...stream.map((use) => ({ ...STREAM_INDEXES[use], sortKey: sortKey ?? partitionKey, keysOnly: true })),
  ];
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
  await untilActive(client, name, indexes);
}

function keySchema(partitionKey: string, sortKey: string | undefined): KeySchemaElement[] {
  const range: KeySchemaElement[] = sortKey === undefined ? [] : [{ AttributeName: sortKey, KeyType: 'RANGE' }];
  return [{ AttributeName: partitionKey, KeyType: 'HASH' }, ...range];
}

/** Throws where the table was made by an earlier version, which had other indexes: they cannot be added to it. */
async function untilActive(
  client: DynamoDBClient,
  TableName: string,
  wanted: readonly IndexDefinition[],
): Promise<void> {
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
