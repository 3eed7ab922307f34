import base from '../jest.config.mjs';

/** The tests that take most of a minute, which the night runs. */
export default {
  ...base,
  rootDir: '..',
  testMatch: ['<rootDir>/{functions,lib,bin,scripts,bench,test}/**/*.slow.test.ts'],
  testPathIgnorePatterns: base.testPathIgnorePatterns.filter((pattern) => !pattern.includes('slow')),
  reporters: ['default', '<rootDir>/scripts/count-reporter.mjs'],
};
