import { createResources } from '../../lib/local/create-resources.ts';
import { startEmbeddedStores } from '../../lib/local/embedded-stores.ts';
import { onMoto, startMoto } from '../moto/moto.ts';
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

const moto: Engine = {
  name: 'moto',
  async start() {
    const services = await startMoto();
    await createResources(services.url, services.url);
    return services;
  },
};

/** dynalite, which every machine can run, or the engine that run-dynamodb-local.mjs or test/moto/run.mjs asks for. */
export function availableEngines(): Engine[] {
  if (onMoto()) return [moto];
  return [onDynamoDbLocal() ? dynamodbLocal : dynalite];
}
