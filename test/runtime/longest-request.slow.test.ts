import { afterAll, beforeAll } from '@jest/globals';
import { Contract } from '../contract/contract.ts';
import { LONGEST, longestRequestContract } from '../contract/running/longest-request.ts';
import { startFunctions } from './start-functions.ts';

const contract = new Contract((providers) => startFunctions(providers, LONGEST), {});
beforeAll(() => contract.start());
afterAll(() => contract.stop());

longestRequestContract(contract);
