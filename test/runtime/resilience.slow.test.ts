import { afterAll, beforeAll } from '@jest/globals';
import { Contract } from '../contract/contract.ts';
import { FLAKY_AND_STEADY, resilienceContract } from '../contract/providers/resilience.ts';
import { startFunctions } from './start-functions.ts';

const { providers, routes } = FLAKY_AND_STEADY;
// Each instance counts the failures that it has seen itself.
const contract = new Contract(
  (settings) => startFunctions(providers(settings), { SVC_ROUTES: routes }, { instances: 1 }),
  { 'requests at once': 'one instance answers one request after another' },
);
beforeAll(() => contract.start());
afterAll(() => contract.stop());

resilienceContract(contract);
