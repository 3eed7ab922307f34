/**
 * A container with tables, queues and secrets in AWS: the local process's program with SVC_STORES=aws, over embedded stores with AWS's
 * protocols: node test/container/run-aws-stores.mjs [jest's arguments]
 * The last line is "N passed, N failed".
 */
import '../../scripts/check-node.mjs';
import { runScript } from '../support/own-suite.mjs';

const SUITES = ['test/contract', 'test/threats'];

process.env.SVC_TEST_STORE = 'aws';
const asked = process.argv.slice(2);
runScript(
  'node_modules/jest/bin/jest.js',
  ...(asked.length > 0 ? asked : SUITES),
  ...['--reporters=default', '--reporters=<rootDir>/scripts/count-reporter.mjs'],
);
