import path from 'node:path';
import root from '../../jest.config.mjs';

/** The tests that need the agents of this folder; run by test/agents/run.mjs. */
export default {
  ...root,
  rootDir: path.resolve(import.meta.dirname, '../..'),
  testMatch: ['<rootDir>/test/agents/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  modulePathIgnorePatterns: [
    '<rootDir>/dist/',
    '<rootDir>/cdk.out/',
    '<rootDir>/test/runtime/node_modules/',
    '<rootDir>/test/agents/(?:node_modules|repository)/',
    '<rootDir>/bench/',
  ],
  reporters: ['default', '<rootDir>/scripts/count-reporter.mjs'],
};
