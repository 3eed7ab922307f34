import { exitOnFault } from '../adapters/node/exit-on-fault.ts';
import { deployedGateway } from '../gateway/deployed-gateway.ts';
import { startContainerGateway } from './container-gateway-host.ts';

/** Records and spans of many requests are written together; a kill loses those of this time. */
const RECORD_LINGER_MS = 25;
const SPAN_LINGER_MS = 200;

const gateway = deployedGateway(process.env, { recordsMs: RECORD_LINGER_MS, spansMs: SPAN_LINGER_MS });
const host = await startContainerGateway(gateway, { host: '0.0.0.0', port: Number(process.env.PORT) });
exitOnFault(() => host.stop(0));
process.once('SIGTERM', () => {
  void host.stop().finally(() => process.exit());
});
