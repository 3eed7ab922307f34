import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { PLAN } from './plan.fixture.ts';
import { printSteps } from './run.ts';
import { stepsOf } from './steps.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

describe('a dry run', () => {
  const lines: string[] = [];
  printSteps(PLAN, (line) => lines.push(line));
  const text = lines.join('\n');

  test('prints every step with its calls, and what it leaves behind', () => {
    for (const { id, what, leaves } of stepsOf(PLAN)) {
      expect(text).toContain(`\n${id}: ${what}`);
      if (leaves !== undefined) expect(text).toContain(`leaves ${leaves}`);
    }
    const steps = text.split(/\n(?=\S)/).filter((step) => /^[\w-]+: /.test(step));
    expect(steps).toHaveLength(stepsOf(PLAN).length);
    for (const step of steps) expect(step).toMatch(/\n {2}(?:aws|npm|npx|GET|POST|PUT|DELETE|\d+ streams|wait) /);
    expect(text).toContain('npm run deploy -- --stage Staging --context compute=fargate --require-approval never');
    expect(text).toContain('PUT <AdminUrl>/admin/override {"mode":"refuse"');
    expect(text).toContain('10 streams a second for 1 s to <BaseUrl>/chat/completions');
  });

  test('has no step that removes what was there before, or what shall stay', () => {
    for (const kept of [{ isExisting: true }, { keeps: true }])
      expect(stepsOf({ ...PLAN, ...kept }).map(({ id }) => id)).not.toContain('remove');
  });

  test.each([
    [['--stage', 'Production', '--dry-run'], '--stage: not Production'],
    [['--stage', 'Staging', '--dry-run'], 'set "account" and "region"'],
    [['--stage', 'Staging', '--homes', 'ec2'], '--homes: ec2 is none of function-url, fargate, web-function'],
  ])('%j is refused', (args, message) => {
    const { status, stderr } = spawnSync(process.execPath, ['bench/prove.ts', ...args], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining(message)]);
  });
});
