import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';

const SCRIPT = path.resolve(import.meta.dirname, '../../scripts/audit.mjs');
const bin = mkdtempSync(path.join(tmpdir(), 'svc-audit-'));
afterAll(() => rmSync(bin, { recursive: true }));

/** The audit with an npm that returns this for each lockfile. */
function auditWith(report: object) {
  const npm = `#!${process.execPath}\nconsole.log(${JSON.stringify(JSON.stringify(report))}); process.exit(1);\n`;
  writeFileSync(path.join(bin, 'npm'), npm, { mode: 0o755 });
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  const { status, stdout } = spawnSync(process.execPath, [SCRIPT], { env, encoding: 'utf8' });
  return { status, lines: stdout.trim().split('\n') };
}

const fault = (severity: string) => ({ vulnerabilities: { thing: { name: 'thing', severity, range: '<1.2.3' } } });

describe('the audit of packages', () => {
  it.each(['high', 'critical'])('fails for a known vulnerability of severity %s, and names it', (severity) => {
    const { status, lines } = auditWith(fault(severity));
    expect(status).toBe(1);
    expect(lines).toContain(`.: ${severity} in thing <1.2.3`);
    expect(lines.at(-1)).toMatch(/^0 passed, [1-9]\d* failed$/);
  });

  it('passes moderate vulnerabilities, and packages without any', () => {
    for (const report of [fault('moderate'), { vulnerabilities: {} }]) {
      const { status, lines } = auditWith(report);
      expect(status).toBe(0);
      expect(lines.at(-1)).toMatch(/^[1-9]\d* passed, 0 failed$/);
    }
  });

  it('fails if the registry does not respond', () => {
    const { status, lines } = auditWith({ message: '405 Method Not Allowed' });
    expect(status).toBe(2);
    expect(lines[0]).toMatch(/: not asked, 405 Method Not Allowed$/);
    expect(lines.at(-1)).toMatch(/^0 passed, 0 failed, [1-9]\d* skipped$/);
  });
});
