import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';

/** A repository of two files, with programs that record their arguments and fail while the file `fail` exists. */
let copy = '';
const write = async (file: string, content: string) => {
  await mkdir(path.dirname(path.join(copy, file)), { recursive: true });
  await writeFile(path.join(copy, file), content);
};
beforeEach(async () => {
  copy = await mkdtemp(path.join(tmpdir(), 'svc-check-'));
  for (const file of ['scripts/check.mjs', 'scripts/check-node.mjs', 'scripts/wording.mjs', 'bin/minimum-node.mjs'])
    await cp(path.join(import.meta.dirname, '..', file), path.join(copy, file));
  for (const name of ['tsc', 'biome']) {
    const file = `node_modules/.bin/${name}`;
    await write(file, `#!/bin/sh\necho ${name} "$@" >> calls\ntest ! -e fail-${name}\n`);
    await chmod(path.join(copy, file), 0o755);
  }
  await write('.gitignore', 'node_modules\ncalls\nfail-*\n');
  await write(
    'biome.json',
    JSON.stringify({ linter: { rules: { nursery: { noFloatingPromises: 'error', other: 'error' } } } }),
  );
  await write('node_modules/.package-lock.json', '{}');
  await write('a.ts', 'export const a = 1;\n');
  await write('b.ts', 'export const b = 1;\n');
  execFileSync('git', ['init', '-q'], { cwd: copy });
});
afterEach(() => rm(copy, { recursive: true, force: true }));

/** The exit status, what was printed, and the paths that the lint read. */
async function check(...args: string[]) {
  await rm(path.join(copy, 'calls'), { force: true });
  const { status, stdout } = spawnSync(process.execPath, ['scripts/check.mjs', ...args], {
    cwd: copy,
    encoding: 'utf8',
  });
  const calls = (await readFile(path.join(copy, 'calls'), 'utf8')).trim().split('\n');
  expect(calls.filter((call) => call.startsWith('tsc '))).toHaveLength(2);
  const lint = calls.find((call) => call.startsWith('biome '))?.split('--no-errors-on-unmatched ')[1];
  return { status, stdout, lint };
}

const types = 'types: passed\ntypes of the dashboard: passed\n';
const all = `${types}lint: passed\nwording: passed\n`;

it('lint and wording read all files, and then those that changed since they passed', async () => {
  expect(await check()).toEqual({ status: 0, stdout: all, lint: '.' });
  expect(await check()).toEqual({ status: 0, stdout: types, lint: undefined });
  await write('a.ts', 'export const a = 2;\n');
  await write('new.ts', 'export const c = 1;\n');
  await rm(path.join(copy, 'b.ts'));
  expect(await check()).toEqual({ status: 0, stdout: all, lint: 'a.ts new.ts' });
  expect(await check()).toEqual({ status: 0, stdout: types, lint: undefined });
  expect(await check('--all')).toEqual({ status: 0, stdout: all, lint: '.' });
});

it('lint leaves out the rule that reads the types of all files, but for --all', async () => {
  const settingsOf = async () => /--config-path (\S+)/.exec(await readFile(path.join(copy, 'calls'), 'utf8'))?.[1];
  await check();
  const settings = path.join((await settingsOf()) as string, 'biome.json');
  expect(JSON.parse(await readFile(settings, 'utf8'))).toEqual({ linter: { rules: { nursery: { other: 'error' } } } });
  await check('--all');
  expect(await settingsOf()).toBeUndefined();
});

it.each(['biome.json', 'scripts/wording.mjs', 'node_modules/.package-lock.json'])(
  'they read all files after a change of %s',
  async (file) => {
    await check();
    await write(file, `${await readFile(path.join(copy, file), 'utf8')}\n`);
    expect((await check()).lint).toBe('.');
  },
);

it('what did not pass is read again', async () => {
  await check();
  await write('a.ts', 'export const a = 2;\n');
  await write('fail-biome', '');
  for (const _ of [1, 2]) {
    const failed = await check();
    expect([failed.status, failed.lint]).toEqual([1, 'a.ts']);
    expect(failed.stdout).toContain('lint: FAILED');
  }
  await rm(path.join(copy, 'fail-biome'));
  await write('b.ts', '// Nobody.\n');
  const failed = await check();
  expect([failed.status, failed.lint]).toEqual([1, 'a.ts b.ts']);
  expect(failed.stdout).toContain('b.ts:1: "Nobody"');
  await write('b.ts', '// No client.\n');
  expect(await check()).toEqual({ status: 0, stdout: all, lint: 'a.ts b.ts' });
});
