import path from 'node:path';
import root from '../../jest.config.mjs';

/** The tests that need a browser; run by test/browser/run.mjs. */
export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: root.extensionsToTreatAsEsm,
  transform: root.transform,
  maxWorkers: root.maxWorkers,
  rootDir: path.resolve(import.meta.dirname, '../..'),
  testMatch: ['<rootDir>/test/browser/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/cdk.out/', '<rootDir>/bench/'],
  testTimeout: root.testTimeout,
  reporters: ['default', '<rootDir>/scripts/count-reporter.mjs'],
};
