import { availableParallelism } from 'node:os';
import { DEADLINE_MS } from './test/support/eventually.ts';

/** Unit tests lie beside their file, boundary tests in test/; Node loads each as an ES module. */
export default {
  testEnvironment: 'node',
  testMatch: [
    '<rootDir>/{functions,lib,bin,scripts,bench,training,dashboard}/**/*.test.ts',
    '<rootDir>/test/**/*.test.ts',
  ],
  testPathIgnorePatterns: [
    // `npm test slow` runs these (test/slow.config.mjs).
    '\\.slow\\.test\\.ts$',
    '/node_modules/',
    '<rootDir>/test/runtime/',
    '<rootDir>/test/browser/',
    '<rootDir>/test/clients/',
    '<rootDir>/test/agents/',
    '<rootDir>/test/fidelity/',
    '<rootDir>/test/deployment/',
    '<rootDir>/test/moto/',
    '<rootDir>/test/mcp-conformance/',
    '<rootDir>/test/import-litellm/',
    '<rootDir>/dist/',
    '<rootDir>/cdk.out/',
  ],
  modulePathIgnorePatterns: [
    '<rootDir>/dist/',
    '<rootDir>/cdk.out/',
    '<rootDir>/test/runtime/',
    '<rootDir>/test/clients/',
    '<rootDir>/test/agents/',
    '<rootDir>/test/fidelity/node_modules/',
    '<rootDir>/test/deployment/',
    '<rootDir>/test/moto/node_modules/',
    '<rootDir>/test/mcp-conformance/node_modules/',
    '<rootDir>/bench/peers/',
    '<rootDir>/bench/injection-peers/',
  ],
  transform: {},
  testRunner: '<rootDir>/scripts/test-runner.cjs',
  testSequencer: '<rootDir>/scripts/test-sequencer.mjs',
  // More than there are cores: much of a test's time is waiting for processes that it has started.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  // Node keeps the modules of each file. A new worker loads the packages again.
  workerIdleMemoryLimit: '1GB',
  // By default jest kills a worker that ends within more than half a second, and blames its tests.
  workerGracefulExitTimeout: DEADLINE_MS,
  // A test may wait for several events.
  testTimeout: 3 * DEADLINE_MS,
};
