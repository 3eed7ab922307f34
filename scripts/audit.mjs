/**
 * npm run audit: asks the registry for known faults, high or critical, in the packages of each lockfile here. The last line is
 * "N passed, N failed", a lockfile each; where the registry answers no such question (a mirror, no network) it says so,
 * and the status is 2: nothing was found out, which is no pass.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');
const LEVELS = ['high', 'critical'];
const NOT_ASKED = 2;
const ASK_MS = 60_000;
/** Coding agents, which only tests run: what they depend on is their makers' to mend. */
const AGENTS = 'test/agents';

const lockfiles = execFileSync('git', ['ls-files', '--', 'package-lock.json', '**/package-lock.json'], {
  cwd: ROOT,
  encoding: 'utf8',
});
const folders = lockfiles
  .trim()
  .split('\n')
  .map(path.dirname)
  .filter((folder) => folder !== AGENTS);
let passed = 0;
let failed = 0;
let unasked = 0;
for (const folder of folders) {
  const { faults, reason } = ask(folder);
  if (reason !== undefined) {
    unasked += 1;
    console.log(`${folder}: not asked, ${reason}`);
  } else if (faults.length === 0) passed += 1;
  else {
    failed += 1;
    for (const { name, severity, range } of faults) console.log(`${folder}: ${severity} in ${name} ${range}`);
  }
}
console.log(`${passed} passed, ${failed} failed${unasked === 0 ? '' : `, ${unasked} skipped`}`);
if (failed > 0) process.exitCode = 1;
else if (unasked > 0) process.exitCode = NOT_ASKED;

/** The packages of a folder's lockfile with faults that count, or the reason why that is not known. */
function ask(folder) {
  const { stdout, error } = spawnSync('npm', ['audit', '--json', '--package-lock-only'], {
    cwd: path.join(ROOT, folder),
    encoding: 'utf8',
    timeout: ASK_MS,
    shell: process.platform === 'win32',
  });
  if (error !== undefined) return { reason: error.message };
  const { vulnerabilities, message } = readJson(stdout);
  if (vulnerabilities === undefined) return { reason: message ?? 'npm gave no report' };
  return { faults: Object.values(vulnerabilities).filter(({ severity }) => LEVELS.includes(severity)) };
}

function readJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
