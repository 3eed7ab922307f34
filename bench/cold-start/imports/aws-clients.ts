import { createDynamoClient } from '../../../functions/adapters/aws-clients.ts';
import { createSqsClient } from '../../../functions/adapters/sqs-client.ts';

createDynamoClient();
createSqsClient();

export { handler } from './middy-zod.ts';
