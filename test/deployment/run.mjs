/**
 * What is deployed, tried without an account: node test/deployment/run.mjs [jest's arguments]
 * Installs by this folder's lockfile where needed a simulator of IAM, for the calls that `npm run record-calls` wrote down, and
 * AWS's cfn-guard, for the rules of rules.guard; checks the tests' types, runs them; the last line is "N passed, N failed".
 */
import '../../scripts/check-node.mjs';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const HERE = import.meta.dirname;

function run(command, args, cwd) {
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
run(path.resolve(HERE, '../../node_modules/.bin/tsc'), ['--project', HERE], HERE);
run(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
    ...['--config', 'test/deployment/jest.config.mjs'],
    ...process.argv.slice(2),
  ],
  path.resolve(HERE, '../..'),
);
