import { createDynamoClient, createSqsClient } from '../../../functions/adapters/aws/clients.ts';

createDynamoClient();
createSqsClient();

export { handler } from './middy-zod.ts';
