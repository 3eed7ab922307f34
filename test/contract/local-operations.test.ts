import { contractSuite } from './contract-suite.ts';
import { startLocalProcess } from './local-process.ts';

contractSuite('the local service', startLocalProcess, {
  parts: ['requests', 'failures', 'operations'],
  'metrics in its log': 'CloudWatch does not collect it',
});
