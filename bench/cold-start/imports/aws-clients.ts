import { createDynamoClient } from '../../../functions/adapters/dynamo-client.ts';
import { createSqsClient } from '../../../functions/adapters/sqs-client.ts';

createDynamoClient();
createSqsClient();

export { handler } from './middy-zod.ts';
