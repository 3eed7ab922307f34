import path from 'node:path';
import root from '../../jest.config.mjs';

/** The tests that need what this folder installs; run by test/fidelity/run.mjs. */
export default {
  ...root,
  rootDir: path.resolve(import.meta.dirname, '../..'),
  testMatch: ['<rootDir>/test/fidelity/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  modulePathIgnorePatterns: [
    '<rootDir>/dist/',
    '<rootDir>/cdk.out/',
    '<rootDir>/test/runtime/',
    '<rootDir>/test/clients/',
    '<rootDir>/test/agents/',
    '<rootDir>/bench/',
  ],
  reporters: ['default', '<rootDir>/scripts/count-reporter.mjs'],
};
