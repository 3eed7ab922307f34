import path from 'node:path';
import root from '../../jest.config.mjs';

/** The tests that need what this folder's lockfile installs; run by test/deployment/run.mjs. */
export default {
  ...root,
  rootDir: path.resolve(import.meta.dirname, '../..'),
  testMatch: ['<rootDir>/test/deployment/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/cdk.out/'],
  reporters: ['default', '<rootDir>/scripts/count-reporter.mjs'],
};
