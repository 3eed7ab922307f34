/**
 * The store tests on AWS's own DynamoDB Local: node test/stores/run-dynamodb-local.mjs [jest's arguments]
 * Installs its folder where needed; the last line is "N passed, N failed", or says that it was skipped, and why.
 */
import '../../scripts/check-node.mjs';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FOLDER = path.join(import.meta.dirname, 'dynamodb-local');
const JAR = path.join(FOLDER, 'node_modules/amplify-dynamodb-simulator/emulator/DynamoDBLocal.jar');

if (spawnSync('java', ['-version'], { stdio: 'ignore' }).status !== 0) {
  console.log('java not found: skipped');
  process.exit(0);
}
if (!existsSync(JAR)) {
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', FOLDER], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}
const report = path.join(tmpdir(), `svc-store-tests-${process.pid}.json`);
const { status } = spawnSync(
  process.execPath,
  [
    ...[
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      'node_modules/jest/bin/jest.js',
      'test/stores',
    ],
    ...['--json', `--outputFile=${report}`, ...process.argv.slice(2)],
  ],
  { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, SVC_TEST_STORE: 'dynamodb-local' } },
);
if (existsSync(report)) {
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(readFileSync(report, 'utf8'));
  rmSync(report);
  console.log(`${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed`);
}
process.exit(status ?? 1);
