import { afterAll, beforeAll } from '@jest/globals';
import { createDynamoClient, type DynamoClient, WHILE_WAITING } from '../../functions/adapters/aws/clients.ts';
import type { DynamoKeyStore } from '../../functions/adapters/dynamo/dynamo-key-store.ts';
import type { HttpClient } from '../../functions/kernel/http/index.ts';
import { TEST_KEY } from '../../functions/kernel/model/api-key.fixture.ts';
import type { ApiKey } from '../../functions/kernel/model/index.ts';
import { embeddedAccess } from '../../lib/local/create-resources.ts';
import type { Engine } from './engines.ts';
import { T0 } from './fake-clock.ts';

process.env.AWS_REGION = 'eu-central-1';
process.env.AWS_ACCESS_KEY_ID = 'local';
process.env.AWS_SECRET_ACCESS_KEY = 'local';

/** A client as the functions have it. */
export function clientFor(url: string, retries = WHILE_WAITING) {
  process.env.AWS_ENDPOINT_URL_DYNAMODB = url;
  return createDynamoClient({ retries });
}

let counter = 0;
export const freshName = () => {
  counter += 1;
  return `key_${process.pid}x${counter}`;
};

export function makeKey(fields: Partial<ApiKey> = {}): ApiKey {
  const id = freshName();
  return {
    ...TEST_KEY,
    id,
    name: 'a key',
    rateLimit: { requests: 10, period: 'second' },
    last4: 'abcd',
    createdAt: new Date(T0 + counter).toISOString(),
    secretHash: `hash-of-${id}`,
    ...fields,
  };
}

/** Starts an engine for the tests of a file. @returns a client without the functions' short deadlines, so that a busy machine fails no test */
export function startStores(engine: Engine): (more?: { http?: HttpClient }) => DynamoClient {
  let url = '';
  let stop = async () => {};
  beforeAll(async () => {
    ({ url, stop } = await engine.start());
  });
  afterAll(async () => {
    await stop();
  });
  return (more = {}) => createDynamoClient({ ...embeddedAccess(url), ...more });
}

/** As administrators change a key: retried on a conflict, and refused once it is revoked. */
export function changesOf(store: () => DynamoKeyStore) {
  const change = async (id: string, fields: Partial<ApiKey>): Promise<ApiKey | undefined> => {
    for (;;) {
      const read = await store().get(id);
      if (read === undefined || read.key.state === 'revoked') return undefined;
      const changed = { ...read.key, ...fields };
      if (await store().replace(read, changed)) return changed;
    }
  };
  const rotate = (id: string, secretHash: string) => change(id, { secretHash });
  return { change, rotate };
}
