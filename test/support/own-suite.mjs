import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CHEAP_TYPES, ONE_CHECKER } from '../../scripts/check.mjs';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Runs a command where the repository is, or in `cwd`, and ends this process as it ended where it failed. */
export function run(command, args, cwd = ROOT, env = process.env) {
  const { status } = spawnSync(command, args, { cwd, env, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** Runs one of the repository's own scripts with the Node that runs this. */
export function runScript(...args) {
  run(process.execPath, args);
}

/**
 * Installs the packages of a suite's lockfile, unless all are installed in these versions. With `isPartial` the
 * lockfile may lack optional packages, such as binaries for other machines, which not every registry has.
 */
export function installOwn(folder, { isPartial = false } = {}) {
  const { dependencies } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const isThere = ([name, wanted]) => {
    const manifest = path.join(folder, 'node_modules', name, 'package.json');
    return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === wanted;
  };
  if (Object.entries(dependencies).every(isThere)) return;
  const command = isPartial ? ['install', '--no-save'] : ['ci'];
  run('npm', [...command, '--ignore-scripts', '--no-audit', '--no-fund'], folder);
}

/** Checks the types of a suite's folder by its own tsconfig.json. */
export function checkTypes(folder) {
  run(path.join(ROOT, 'node_modules', '.bin', 'tsc'), ['--project', folder, ...ONE_CHECKER], ROOT, CHEAP_TYPES);
}

/** Runs a suite by the jest.config.mjs of its folder; `args` go to jest. Its last line is "N passed, N failed". */
export function runSuite(folder, args) {
  runScript('node_modules/jest/bin/jest.js', ...['--config', path.join(folder, 'jest.config.mjs')], ...args);
}
