import path from 'node:path';
import root from '../../jest.config.mjs';

/** The tests that need a browser; run by test/browser/run.mjs. */
export default {
  ...root,
  rootDir: path.resolve(import.meta.dirname, '../..'),
  testMatch: ['<rootDir>/test/browser/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/cdk.out/', '<rootDir>/bench/'],
  reporters: ['default', '<rootDir>/scripts/count-reporter.mjs'],
};
