/**
 * Python's checkov on templates in which any two choices of settings meet: npm test checkov
 * Installs it where needed; the last line is "N passed, N failed". Each template is a test, and each ignored check one.
 */
import '../../../scripts/check-node.mjs';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { installPython } from '../../support/python-suite.mjs';
import { writeCoveringTemplates } from '../write-templates.ts';
import { IGNORED_CHECKS } from './ignored-checks.ts';

interface Report {
  readonly results: { readonly failed_checks: readonly Finding[] };
  readonly summary: { readonly parsing_errors: number };
}
interface Finding {
  readonly check_id: string;
  readonly check_name: string;
  readonly file_path: string;
  readonly resource: string;
}

const programs = installPython(import.meta.dirname) ?? process.exit(0);
const folder = mkdtempSync(path.join(tmpdir(), 'svc-checkov-'));
try {
  const names = writeCoveringTemplates(folder);
  const found = check(folder);
  const faults = found.filter(({ check_id: id }) => !IGNORED_CHECKS.some((ignored) => ignored.check === id));
  for (const { check_id: id, check_name: name, file_path: file, resource } of faults)
    console.log(`${names.get(path.basename(file))}: ${id} at ${resource}: ${name}`);
  const unused = IGNORED_CHECKS.filter((ignored) => !found.some(({ check_id: id }) => ignored.check === id));
  for (const { check: id } of unused) console.log(`${id} is ignored, but no template has it`);

  const failed = new Set(faults.map(({ file_path: file }) => file)).size + unused.length;
  console.log(`${names.size + IGNORED_CHECKS.length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}

/** @throws Error if checkov did not run, or could not read a template */
function check(folder: string): readonly Finding[] {
  const { stdout, stderr } = spawnSync(
    path.join(programs, 'checkov'),
    [...['-d', folder, '--framework', 'cloudformation'], ...['-o', 'json', '--compact', '--quiet', '--skip-download']],
    { encoding: 'utf8', maxBuffer: 2 ** 28 },
  );
  const reports: Report[] = [parse(stdout, stderr)].flat();
  if (reports.some(({ summary }) => summary.parsing_errors > 0)) throw new Error('checkov could not read a template');
  return reports.flatMap(({ results }) => results.failed_checks);
}

function parse(stdout: string, stderr: string): Report | Report[] {
  try {
    return JSON.parse(stdout);
  } catch {
    throw new Error(`checkov did not run: ${stderr}`);
  }
}
