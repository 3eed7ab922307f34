/**
 * The dashboard in a real browser, against the running local service: node test/browser/run.mjs [jest's arguments]
 * Installs the browser by this folder's lockfile if needed, builds service and page, and runs the tests. Screenshots are in
 * artifacts/. The last line is "N passed, N failed".
 */
import '../../scripts/check-node.mjs';
import { spawnSync } from 'node:child_process';
import { checkTypes, installOwn, runScript, runSuite } from '../support/own-suite.mjs';

const HERE = import.meta.dirname;

/** Starts the browser once, so that a missing library is reported once, not by each test. */
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

installOwn(HERE);
await checkBrowser();
checkTypes(HERE);
runScript('scripts/build.mjs', 'local', 'dashboard');
runSuite(HERE, process.argv.slice(2));
