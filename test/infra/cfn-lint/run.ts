/**
 * Python's cfn-lint on templates in which any two choices of settings meet: npm test cfn-lint
 * Installs it where needed; the last line is "N passed, N failed". Each template is a test, and each ignored rule one.
 */
import '../../../scripts/check-node.mjs';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { installPython } from '../../support/python-suite.mjs';
import { writeCoveringTemplates } from '../write-templates.ts';
import { IGNORED_RULES } from './ignored-rules.ts';

interface Finding {
  readonly Rule: { readonly Id: string };
  readonly Message: string;
  readonly Filename: string;
  readonly Location: { readonly Path: readonly (string | number)[] | null };
}

const programs = installPython(import.meta.dirname) ?? process.exit(0);
const folder = mkdtempSync(path.join(tmpdir(), 'svc-cfn-lint-'));
try {
  const names = writeCoveringTemplates(folder);
  const used = new Set<(typeof IGNORED_RULES)[number]>();
  const faults = lint(folder).filter(({ Rule }) => {
    const ignored = IGNORED_RULES.find(({ rule }) => rule === Rule.Id);
    if (ignored !== undefined) used.add(ignored);
    return ignored === undefined;
  });
  for (const { Rule, Message, Filename, Location } of faults) {
    console.log(`${names.get(path.basename(Filename))}: ${Rule.Id} at ${Location.Path?.join('/')}: ${Message}`);
  }
  const unused = IGNORED_RULES.filter((rule) => !used.has(rule));
  for (const { rule } of unused) console.log(`${rule} is ignored, but no template has it`);

  const failed = new Set(faults.map(({ Filename }) => Filename)).size + unused.length;
  console.log(`${names.size + IGNORED_RULES.length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}

function lint(folder: string): Finding[] {
  const { stdout, stderr } = spawnSync(
    path.join(programs, 'cfn-lint'),
    ['--format', 'json', '--include-checks', 'I', '--regions', 'eu-central-1', 'us-east-1', '--', `${folder}/*.json`],
    { encoding: 'utf8', maxBuffer: 2 ** 28 },
  );
  try {
    return JSON.parse(stdout);
  } catch {
    throw new Error(`cfn-lint did not run: ${stderr}`);
  }
}
