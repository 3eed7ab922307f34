import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run } from './own-suite.mjs';

/**
 * Installs a suite's requirements.txt into the folder's virtual environment, unless it is installed, and returns the folder of its
 * programs. Without Python it prints a line that says so, and returns undefined.
 */
export function installPython(folder) {
  if (spawnSync('python3', ['--version'], { stdio: 'ignore' }).status !== 0) {
    console.log('python3 not found: skipped');
    return undefined;
  }
  const requirements = path.join(folder, 'requirements.txt');
  const environment = path.join(folder, '.venv');
  const installed = path.join(environment, 'installed.txt');
  const programs = path.join(environment, 'bin');
  const wanted = readFileSync(requirements, 'utf8');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === wanted) return programs;
  run('python3', ['-m', 'venv', '--clear', environment]);
  run(path.join(programs, 'pip'), [
    ...['install', '--quiet', '--disable-pip-version-check', '--no-deps'],
    ...['--requirement', requirements],
  ]);
  writeFileSync(installed, wanted);
  return programs;
}
