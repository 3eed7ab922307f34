/**
 * npm run audit: lists known vulnerabilities, high or critical, of the packages in every lockfile. The last line is
 * "N passed, N failed", one per lockfile. The exit status is 2 if the registry has no audit endpoint or is unavailable.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');
const LEVELS = ['high', 'critical'];
const NOT_ASKED = 2;
const ASK_MS = 60_000;
/** Coding agents, which only tests run; their vendors maintain their dependencies. */
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

/** The vulnerable packages of a folder's lockfile, or the reason why they are unknown. */
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
