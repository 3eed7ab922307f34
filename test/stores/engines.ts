import { createResources } from '../../lib/local/create-resources.ts';
import { startEmbeddedStores } from '../../lib/local/embedded-stores.ts';
import { onDynamoDbLocal, startDynamoDbLocal } from './dynamodb-local.ts';

export interface Engine {
  readonly name: string;
  start(): Promise<{ url: string; stop(): Promise<void> }>;
}

const dynalite: Engine = {
  name: 'dynalite',
  async start() {
    const stores = await startEmbeddedStores();
    return { url: stores.dynamodbUrl, stop: () => stores.stop() };
  },
};

const dynamodbLocal: Engine = {
  name: "AWS's DynamoDB Local",
  async start() {
    const database = await startDynamoDbLocal();
    const queues = await startEmbeddedStores();
    await createResources(database.url, queues.sqsUrl);
    return {
      url: database.url,
      stop: async () => {
        await queues.stop();
        await database.stop();
      },
    };
  },
};

/** dynalite, which every machine can run, or AWS's own where run-dynamodb-local.mjs asks for it. */
export function availableEngines(): Engine[] {
  return [onDynamoDbLocal() ? dynamodbLocal : dynalite];
}
