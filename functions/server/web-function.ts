import { exitOnFault } from '../adapters/node/exit-on-fault.ts';
import { deployedGateway } from '../gateway/deployed-gateway.ts';
import { startWebFunction } from './web-function-host.ts';

/** Many requests share the process. Short, because the last response of a busy time waits for it. */
const LINGER_MS = 5;

const gateway = deployedGateway(process.env, { recordsMs: LINGER_MS, spansMs: LINGER_MS });
const host = await startWebFunction(gateway, process.env.AWS_LAMBDA_HTTP_ENDPOINT);
exitOnFault(() => host.stop(0));
process.once('SIGTERM', () => {
  void host.stop(0).finally(() => process.exit());
});
