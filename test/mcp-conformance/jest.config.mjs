import path from 'node:path';
import root from '../../jest.config.mjs';

/** The tests that need MCP's conformance suite; run by test/mcp-conformance/run.mjs. */
export default {
  ...root,
  rootDir: path.resolve(import.meta.dirname, '../..'),
  testMatch: ['<rootDir>/test/mcp-conformance/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  modulePathIgnorePatterns: [
    '<rootDir>/dist/',
    '<rootDir>/cdk.out/',
    '<rootDir>/test/(?:agents|clients|runtime)/node_modules/',
    '<rootDir>/bench/',
  ],
  reporters: ['default', '<rootDir>/scripts/count-reporter.mjs'],
};
