import { contractSuite } from '../contract/contract-suite.ts';
import { WEB_FUNCTION_SKIPS } from './contract-skips.ts';
import { startFunctions } from './start-functions.ts';

contractSuite('the gateway in a container', (providers) => startFunctions(providers, {}, { home: 'fargate' }), {
  parts: ['failures', 'protocols', 'operations', 'webhooks'],
  ...WEB_FUNCTION_SKIPS,
});
