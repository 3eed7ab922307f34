import path from 'node:path';
import root from '../../jest.config.mjs';

/** The tests that need the SDKs of this folder; run by test/clients/run.mjs. */
export default {
  ...root,
  rootDir: path.resolve(import.meta.dirname, '../..'),
  testMatch: ['<rootDir>/test/clients/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  modulePathIgnorePatterns: [
    '<rootDir>/dist/',
    '<rootDir>/cdk.out/',
    '<rootDir>/test/runtime/node_modules/',
    '<rootDir>/test/agents/',
    '<rootDir>/bench/',
  ],
  reporters: ['default', '<rootDir>/scripts/count-reporter.mjs'],
};
