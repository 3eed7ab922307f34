import { contractSuite } from '../contract/contract-suite.ts';
import { WEB_FUNCTION_SKIPS } from './contract-skips.ts';
import { startFunctions } from './start-functions.ts';

contractSuite('the web function', (providers) => startFunctions(providers, {}, { home: 'web-function' }), {
  parts: ['failures', 'protocols', 'operations', 'webhooks'],
  ...WEB_FUNCTION_SKIPS,
});
