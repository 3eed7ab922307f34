import { WITHOUT_EVENTS } from '../support/quick-start.ts';
import { contractSuite } from './contract-suite.ts';
import { startLocalProcess } from './local-process.ts';

contractSuite(
  'the local service',
  (providers, settings) => startLocalProcess(providers, { ...settings, ...WITHOUT_EVENTS }),
  { parts: ['protocols'] },
);
