/** One service with default settings, and its provider, for the tests of a file that imports this. */
import { afterAll, beforeAll } from '@jest/globals';
import { Contract } from '../contract/contract.ts';
import { startLocalProcess } from '../contract/local-process.ts';
import { WITHOUT_EVENTS } from '../support/quick-start.ts';

/** A busy machine takes more CPU time for the largest bodies than the default allows, which test/threats/resources.test.ts tests. */
const SETTINGS = { ...WITHOUT_EVENTS, SVC_INSPECTION_CPU_MS: '60000' };

export const contract = new Contract((providers) => startLocalProcess(providers, SETTINGS), {});
beforeAll(() => contract.start());
afterAll(() => contract.stop());
