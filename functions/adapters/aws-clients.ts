import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { StoreUnavailable } from '../core/ports/key-store.ts';

/** A store answers within milliseconds or it is in trouble: three attempts of at most a second each, then 503. */
const CONNECT_TIMEOUT_MS = 500;
const REQUEST_TIMEOUT_MS = 1_000;
const MAX_ATTEMPTS = 3;

/** How every store's client waits and tries again. */
export function storeClientConfig() {
  return {
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: new NodeHttpHandler({
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    }),
  };
}

/** Region, credentials and endpoint come from the environment, as everywhere in AWS. */
export function createDynamoClient(): DynamoDBClient {
  return new DynamoDBClient(storeClientConfig());
}

/** Runs a call to a store; whatever it fails with, but for what `expected` names, becomes StoreUnavailable. */
export async function reachStore<T>(
  what: string,
  call: () => Promise<T>,
  expected: (error: unknown) => boolean = () => false,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (expected(error)) throw error;
    throw new StoreUnavailable(`${what}: ${error instanceof Error ? error.name : typeof error}`, { cause: error });
  }
}
