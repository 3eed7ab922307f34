/**
 * The bundle that is deployed, driven by AWS's own runtime client: node test/runtime/run.mjs [jest's arguments]
 * Installs the client where needed, builds the bundles, runs the tests; the last line is "N passed, N failed".
 */
import '../../scripts/check-node.mjs';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { installRuntimeClient } from './install-runtime-client.mjs';

const ROOT = path.resolve(import.meta.dirname, '../..');

function run(...args) {
  const { status } = spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

const fault = installRuntimeClient();
if (fault !== undefined) {
  console.error(fault);
  process.exit(1);
}
run(
  'scripts/build.mjs',
  'gateway',
  'admin-api',
  'usage-counter',
  'key-watch',
  'event-relay',
  'findings-export',
  'first-admin-key',
  'webhook-delivery',
  'origin-secret',
  'dashboard-files',
);
run(
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
  ...['--config', 'test/runtime/jest.config.mjs'],
  ...process.argv.slice(2),
);
