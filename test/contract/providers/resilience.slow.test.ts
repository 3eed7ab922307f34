import { afterAll, beforeAll } from '@jest/globals';
import { Contract } from '../contract.ts';
import { startLocalProcess } from '../local-process.ts';
import { PROVIDER_TIMEOUT_MS } from '../service.ts';
import { FLAKY_AND_STEADY, resilienceContract } from './resilience.ts';

const { providers, routes } = FLAKY_AND_STEADY;
const contract = new Contract(
  (settings) =>
    startLocalProcess(providers(settings), {
      SVC_ROUTES: routes,
      SVC_PROVIDER_TIMEOUT_MS: String(PROVIDER_TIMEOUT_MS),
    }),
  {},
);
beforeAll(() => contract.start());
afterAll(() => contract.stop());

resilienceContract(contract);
