import path from 'node:path';
import { onMoto, startMoto } from '../moto/moto.ts';
import { startAwsStores } from './aws-stores.ts';
import { onDynamoDbLocal, startDynamoDbLocal } from './dynamodb-local.ts';
import { ON_AWS_STORES } from './on-aws-stores.ts';

export interface SelectedStores {
  /** What points the local service to them. */
  readonly settings: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Starts the stores of SVC_TEST_STORE, with their data in `folder` if they keep any; undefined means the embedded ones. */
export async function startSelectedStores(folder: string): Promise<SelectedStores | undefined> {
  if (onDynamoDbLocal()) {
    const { url, stop } = await startDynamoDbLocal(folder);
    return { settings: { AWS_ENDPOINT_URL_DYNAMODB: url }, stop };
  }
  if (ON_AWS_STORES) return startAwsStores(path.join(folder, 'aws'));
  if (onMoto()) {
    const { url, stop } = await startMoto();
    return { settings: { AWS_ENDPOINT_URL_DYNAMODB: url, AWS_ENDPOINT_URL_SQS: url }, stop };
  }
  return undefined;
}
