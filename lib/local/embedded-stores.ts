import { once } from 'node:events';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buildApp } from 'fauxqs';
import { createResources, type StoreAddresses } from './create-resources.ts';
import { openKeptQueues } from './kept-queues.ts';

// It has no types.
const dynalite: (options: { createTableMs: number; path?: string }) => Server = createRequire(import.meta.url)(
  'dynalite',
);

const LOOPBACK = '127.0.0.1';

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
