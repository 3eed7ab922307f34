// A dynamic import of the factory itself would put the clients of all AWS services into the bundle.
export { createDynamoClient } from '../../functions/adapters/aws/clients.ts';
