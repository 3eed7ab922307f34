/**
 * Providers' own SDKs against the running service: node test/clients/run.mjs [--lambda] [jest's arguments]
 * The service is the HTTP server, or, with --lambda, the deployed functions under AWS's runtime client (test/runtime).
 * Installs them by this folder's lockfile where needed, checks the tests' types, runs them; the last line is "N passed, N failed".
 */
import '../../scripts/check-node.mjs';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { installRuntimeClient } from '../runtime/install-runtime-client.mjs';

const HERE = import.meta.dirname;
const ROOT = path.resolve(HERE, '../..');

function run(command, args, cwd = ROOT) {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

function isInstalled() {
  const { dependencies } = JSON.parse(readFileSync(path.join(HERE, 'package.json'), 'utf8'));
  return Object.entries(dependencies).every(([name, wanted]) => {
    const manifest = path.join(HERE, 'node_modules', name, 'package.json');
    return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === wanted;
  });
}

if (!isInstalled()) run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], HERE);
run(path.join(ROOT, 'node_modules', '.bin', 'tsc'), ['--project', HERE]);
const args = process.argv.slice(2).filter((arg) => arg !== '--lambda');
if (args.length < process.argv.length - 2) {
  const fault = installRuntimeClient();
  if (fault !== undefined) {
    console.error(fault);
    process.exit(1);
  }
  run(process.execPath, ['scripts/build.mjs', 'gateway', 'admin-api', 'usage-counter']);
  process.env.SVC_TEST_ENTRY = 'lambda';
}
run(process.execPath, [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
  ...['--config', 'test/clients/jest.config.mjs'],
  ...args,
]);
