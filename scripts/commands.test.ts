import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';

const ROOT = path.resolve(import.meta.dirname, '..');

/** What `npm test -- ARGUMENTS` prints on standard output. */
function test(...args: string[]) {
  const run = spawnSync(process.execPath, ['scripts/commands.mjs', 'test', ...args], { cwd: ROOT, encoding: 'utf8' });
  return { status: run.status, out: run.stdout.trim().split('\n'), errors: run.stderr };
}

it('a named file runs alone, without checks', () => {
  const { status, out, errors } = test('scripts/tables.test.ts', 'scripts/wording.test.ts');
  expect([status, out]).toEqual([0, [expect.stringMatching(/^\d+ passed, 0 failed$/)]]);
  expect(errors).toContain('Test Suites: 2 passed, 2 total');
});

it('a file of another suite runs by its settings', () => {
  const file = 'test/scan/usage.slow.test.ts';
  const { status, out } = test('--listTests', file);
  expect([status, out]).toEqual([0, [`npm test slow -- ${file}`, path.join(ROOT, file)]]);
});

it('files of several suites are refused, with a command for each', () => {
  const { status, errors } = test(
    ...['test/runtime/key-watch.test.ts', 'test/runtime/bedrock.slow.test.ts', 'test/browser'],
    ...['scripts/tables.test.ts', 'test/scan/usage.slow.test.ts'],
  );
  expect([status, errors.trim().split('\n')]).toEqual([
    2,
    [
      'These files belong to suites with different settings. Run each alone:',
      '  npm test runtime -- test/runtime/key-watch.test.ts test/runtime/bedrock.slow.test.ts',
      '  npm test browser -- test/browser',
      '  npm test -- scripts/tables.test.ts',
      '  npm test slow -- test/scan/usage.slow.test.ts',
    ],
  ]);
});

it('the tests that import cases run for a pattern that matches only cases', () => {
  const runs = (pattern: string) => test(pattern, '--listTests').out;
  const [quick, slow] = ['test/infra/infra.test.ts', 'test/infra/infra.slow.test.ts'];
  expect(runs('alarm-thresholds')).toEqual([`npm test -- ${quick} --listTests`, path.join(ROOT, quick)]);
  expect(runs('test/infra/upgrade.cases.ts')).toEqual([`npm test slow -- ${slow}`, path.join(ROOT, slow)]);
  // Cases in a folder below the test that imports them.
  const threats = 'test/threats/default-service.test.ts';
  expect(runs('honest-agents')).toEqual([`npm test -- ${threats} --listTests`, path.join(ROOT, threats)]);
  // The value of an option is no pattern.
  expect(test('scripts/tables', '--listTests', '-t', 'alarm-thresholds').out).toEqual([
    path.join(ROOT, 'scripts/tables.test.ts'),
  ]);
});

describe('a generator', () => {
  const copy = mkdtempSync(path.join(tmpdir(), 'svc-generate-'));
  const write = (file: string, content: string) => {
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
    writeFileSync(path.join(copy, file), content);
  };
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  it('is followed by the files that it changed', () => {
    for (const file of ['scripts/commands.mjs', 'scripts/check.mjs', 'scripts/check-node.mjs', 'bin/minimum-node.mjs'])
      write(file, readFileSync(path.join(ROOT, file), 'utf8'));
    write('scripts/wording.mjs', '');
    write('biome.json', '{}');
    write('node_modules/.package-lock.json', '{}');
    write('.gitignore', 'node_modules\n');
    write('scripts/commands.json', '{"generate":{"pages":["write.mjs"]}}');
    write(
      'write.mjs',
      "import { writeFileSync } from 'node:fs';\nwriteFileSync('a.png', 'a');\nwriteFileSync('b', 'b');\n",
    );
    write('b', 'b');
    execFileSync('git', ['init', '-q'], { cwd: copy });
    const generate = () =>
      execFileSync(process.execPath, ['scripts/commands.mjs', 'generate', 'pages'], { cwd: copy, encoding: 'utf8' });
    expect([generate(), generate()]).toEqual(['Changed:\n  a.png\n', 'No file changed.\n']);
  });
});
