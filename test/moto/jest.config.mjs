import path from 'node:path';
import root from '../../jest.config.mjs';

/** This folder's tests, and what speaks with the stores; run by test/moto/run.mjs. */
export default {
  ...root,
  rootDir: path.resolve(import.meta.dirname, '../..'),
  testMatch: ['<rootDir>/test/{moto,stores,webhooks,contract,threats}/**/*.test.ts'],
  // The last is about the embedded stores' data folder.
  testPathIgnorePatterns: ['\\.slow\\.test\\.ts$', '/node_modules/', '/\\.venv/', '/first-errors\\.test\\.ts$'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/cdk.out/'],
  reporters: ['default', '<rootDir>/scripts/count-reporter.mjs'],
};
