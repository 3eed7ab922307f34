/**
 * The dashboard in a real browser, against the running local service: node test/browser/run.mjs [jest's arguments]
 * Installs the browser by this folder's lockfile where needed, builds service and page, runs the tests; screenshots are left in
 * artifacts/. The last line is "N passed, N failed".
 */
import '../../scripts/check-node.mjs';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

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

/** Starts the browser once: what it lacks on this machine is told in a line, not by each test. */
async function checkBrowser() {
  const { default: chromium } = await import('@sparticuz/chromium');
  const { status, stderr } = spawnSync(await chromium.executablePath(), ['--version'], { encoding: 'utf8' });
  if (status === 0) return;
  const missing = /error while loading shared libraries: (\S+):/.exec(stderr)?.[1];
  console.error(
    missing === undefined
      ? `Chromium does not start: ${stderr.trim().split('\n')[0] ?? ''}`
      : `Chromium does not start: ${missing} is missing. On Debian: apt-get install libnss3.`,
  );
  console.log('0 passed, 1 failed');
  process.exit(1);
}

if (!isInstalled()) run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], HERE);
await checkBrowser();
run(path.join(ROOT, 'node_modules', '.bin', 'tsc'), ['--project', HERE]);
run(process.execPath, ['scripts/build.mjs', 'local', 'dashboard']);
run(process.execPath, [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
  ...['--config', 'test/browser/jest.config.mjs'],
  ...process.argv.slice(2),
]);
