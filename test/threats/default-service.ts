/** One service with default settings, and its provider, for the tests of a file that imports this. */
import { afterAll, beforeAll } from '@jest/globals';
import { Contract } from '../contract/contract.ts';
import { startLocalProcess } from '../contract/local-process.ts';

export const contract = new Contract(startLocalProcess, {});
beforeAll(() => contract.start());
afterAll(() => contract.stop());
