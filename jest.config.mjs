import { availableParallelism } from 'node:os';
import { DEADLINE_MS } from './test/support/eventually.ts';

/** Unit tests lie beside their file, boundary tests in test/; each runs as an ES module, types stripped by swc. */
export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
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
    '<rootDir>/bench/peers/',
    '<rootDir>/bench/injection-peers/',
  ],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2024', experimental: { keepImportAttributes: true } },
        module: { type: 'es6' },
      },
    ],
  },
  testSequencer: '<rootDir>/scripts/test-sequencer.mjs',
  // More than there are cores: much of a test's time is waiting for processes that it has started.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  // Jest keeps the modules of each file, for which garbage collection takes more and more of a worker's time.
  workerIdleMemoryLimit: '500MB',
  // By default jest kills a worker that ends within more than half a second, and blames its tests.
  workerGracefulExitTimeout: DEADLINE_MS,
  // A test may wait for several events.
  testTimeout: 3 * DEADLINE_MS,
};
