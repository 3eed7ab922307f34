import { SQSClient } from '@aws-sdk/client-sqs';
import { storeClientConfig } from './aws-clients.ts';

/** Region, credentials and endpoint come from the environment. Apart from DynamoDB's: few functions need it to start. */
export function createSqsClient(): SQSClient {
  return new SQSClient(storeClientConfig());
}
