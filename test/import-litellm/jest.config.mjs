import path from 'node:path';
import root from '../../jest.config.mjs';

/** This folder's test; run by test/import-litellm/run.mjs. */
export default {
  ...root,
  rootDir: path.resolve(import.meta.dirname, '../..'),
  testMatch: ['<rootDir>/test/import-litellm/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  reporters: ['default', '<rootDir>/scripts/count-reporter.mjs'],
};
