import path from 'node:path';
import root from '../../jest.config.mjs';

/** The tests that need the built bundles and AWS's runtime client; run by test/runtime/run.mjs. */
export default {
  testEnvironment: root.testEnvironment,
  extensionsToTreatAsEsm: root.extensionsToTreatAsEsm,
  transform: root.transform,
  maxWorkers: root.maxWorkers,
  rootDir: path.resolve(import.meta.dirname, '../..'),
  testMatch: ['<rootDir>/test/runtime/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/cdk.out/'],
  testTimeout: root.testTimeout,
  reporters: ['default', '<rootDir>/scripts/count-reporter.mjs'],
};
