import path from 'node:path';
import root from '../../jest.config.mjs';

/** This folder's tests, and what speaks with the stores; run by test/moto/run.mjs. */
export default {
  ...root,
  rootDir: path.resolve(import.meta.dirname, '../..'),
  testMatch: ['<rootDir>/test/{moto,stores,webhooks,contract,threats}/**/*.test.ts'],
  testPathIgnorePatterns: [
    ...['\\.slow\\.test\\.ts$', '/node_modules/', '/\\.venv/'],
    // About the embedded stores' data folder.
    '/first-errors\\.test\\.ts$',
    // They start the service again, or another one, with the same tables: each start has a moto, which keeps nothing.
    '/(?:stored-credentials|federated-credentials|several-processes)\\.test\\.ts$',
  ],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/cdk.out/'],
  reporters: ['default', '<rootDir>/scripts/count-reporter.mjs'],
};
