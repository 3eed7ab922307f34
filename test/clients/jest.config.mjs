import path from 'node:path';
import root from '../../jest.config.mjs';

/** The tests that need the SDKs of this folder; run by test/clients/run.mjs. */
export default {
  testEnvironment: path.join(import.meta.dirname, 'environment.mjs'),
  extensionsToTreatAsEsm: root.extensionsToTreatAsEsm,
  transform: root.transform,
  maxWorkers: root.maxWorkers,
  rootDir: path.resolve(import.meta.dirname, '../..'),
  testMatch: ['<rootDir>/test/clients/*.test.ts'],
  modulePathIgnorePatterns: [
    '<rootDir>/dist/',
    '<rootDir>/cdk.out/',
    '<rootDir>/test/runtime/node_modules/',
    '<rootDir>/test/agents/',
    '<rootDir>/bench/',
  ],
  testTimeout: root.testTimeout,
  reporters: ['default', '<rootDir>/scripts/count-reporter.mjs'],
};
