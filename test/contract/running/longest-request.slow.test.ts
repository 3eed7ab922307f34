import { afterAll, beforeAll } from '@jest/globals';
import { Contract } from '../contract.ts';
import { startLocalProcess } from '../local-process.ts';
import { LONGEST, longestRequestContract } from './longest-request.ts';

const contract = new Contract((providers) => startLocalProcess(providers, LONGEST), {});
beforeAll(() => contract.start());
afterAll(() => contract.stop());

longestRequestContract(contract);
