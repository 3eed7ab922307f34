import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from '@jest/globals';

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
