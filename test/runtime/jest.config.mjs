import path from 'node:path';
import root from '../../jest.config.mjs';

/** The tests that need the built bundles and AWS's runtime client; run by test/runtime/run.mjs. */
export default {
  ...root,
  rootDir: path.resolve(import.meta.dirname, '../..'),
  testMatch: ['<rootDir>/test/runtime/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/cdk.out/'],
  reporters: ['default', '<rootDir>/scripts/count-reporter.mjs'],
};
