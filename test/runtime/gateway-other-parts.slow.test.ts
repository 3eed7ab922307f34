import { contractSuite } from '../contract/contract-suite.ts';
import { RUNTIME_SKIPS } from './contract-skips.ts';
import { startFunctions } from './start-functions.ts';

contractSuite('the functions under the Lambda runtime', startFunctions, {
  parts: ['failures', 'protocols', 'operations', 'webhooks'],
  ...RUNTIME_SKIPS,
});
