import { createHttpHandler } from '../adapters/lambda/http-handler.ts';
import { deployedGateway } from './deployed-gateway.ts';

// Most processes serve one request at a time, are billed by the millisecond, and would be frozen with what waits.
export const handler = createHttpHandler(deployedGateway(process.env, { recordsMs: 0, spansMs: 0 }));
