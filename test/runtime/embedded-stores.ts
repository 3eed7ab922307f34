import { once } from 'node:events';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { startFauxqs } from 'fauxqs';
import { TABLE_DEFINITIONS, type TableDefinition } from '../../lib/table-definitions.ts';

// It has no types.
const dynalite: (options: { createTableMs: number }) => Server = createRequire(import.meta.url)('dynalite');

export interface EmbeddedStores {
  readonly dynamodbUrl: string;
  readonly sqsUrl: string;
  readonly eventsQueueUrl: string;
  /** The bodies of the events that lie in the queue, oldest first. */
  events(): unknown[];
  stop(): Promise<void>;
}

/** DynamoDB with the service's tables, each called by its name in TABLE_DEFINITIONS, and SQS with its queue. */
export async function startEmbeddedStores(): Promise<EmbeddedStores> {
  const database = dynalite({ createTableMs: 0 });
  database.listen(0, '127.0.0.1');
  await once(database, 'listening');
  const dynamodbUrl = `http://127.0.0.1:${(database.address() as AddressInfo).port}`;
  await createTables(dynamodbUrl);

  const queues = await startFauxqs({ port: 0, logger: false });
  queues.createQueue('events');
  const sqsUrl = `http://127.0.0.1:${queues.port}`;

  return {
    dynamodbUrl,
    sqsUrl,
    eventsQueueUrl: `${sqsUrl}/000000000000/events`,
    events: () => (queues.inspectQueue('events')?.messages.ready ?? []).map((message) => JSON.parse(message.body)),
    stop: async () => {
      database.closeAllConnections();
      database.close();
      await queues.stop();
    },
  };
}

async function createTables(endpoint: string): Promise<void> {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint, region: 'eu-central-1', credentials });
  for (const [name, definition] of Object.entries<TableDefinition>(TABLE_DEFINITIONS)) {
    const names = [
      definition.partitionKey,
      ...definition.indexes.flatMap((index) => [index.partitionKey, index.sortKey]),
    ];
    await client.send(
      new CreateTableCommand({
        TableName: name,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
        KeySchema: [{ AttributeName: definition.partitionKey, KeyType: 'HASH' }],
        ...(definition.indexes.length > 0 && {
          GlobalSecondaryIndexes: definition.indexes.map((index) => ({
            IndexName: index.name,
            KeySchema: [
              { AttributeName: index.partitionKey, KeyType: 'HASH' },
              { AttributeName: index.sortKey, KeyType: 'RANGE' },
            ],
            Projection: { ProjectionType: 'ALL' },
          })),
        }),
      }),
    );
  }
  client.destroy();
}
