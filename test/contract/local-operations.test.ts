import { WITHOUT_EVENTS } from '../support/quick-start.ts';
import { contractSuite } from './contract-suite.ts';
import { startLocalProcess } from './local-process.ts';

/** Its part `webhooks` is in administration/webhook-delivery.test.ts. */
contractSuite(
  'the local service',
  (providers, settings) => startLocalProcess(providers, { ...settings, ...WITHOUT_EVENTS }),
  { parts: ['requests', 'failures', 'operations'], 'metrics in its log': 'CloudWatch does not collect it' },
);
