/**
 * What speaks with the stores, on AWS's own DynamoDB Local: node test/stores/run-dynamodb-local.mjs [jest's arguments]
 * Installs its folder where needed; the last line is "N passed, N failed", or says that it was skipped, and why.
 */
import '../../scripts/check-node.mjs';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { installOwn, runScript } from '../support/own-suite.mjs';

/** The adapters, deliveries, the local service by its contract, and the threats against it. */
const SUITES = ['test/stores', 'test/webhooks', 'test/contract', 'test/threats'];

if (spawnSync('java', ['-version'], { stdio: 'ignore' }).status !== 0) {
  console.log('java not found: skipped');
  process.exit(0);
}
installOwn(path.join(import.meta.dirname, 'dynamodb-local'));
process.env.SVC_TEST_STORE = 'dynamodb-local';
const asked = process.argv.slice(2);
runScript(
  'node_modules/jest/bin/jest.js',
  ...(asked.length > 0 ? asked : SUITES),
  ...['--reporters=default', '--reporters=<rootDir>/scripts/count-reporter.mjs'],
);
