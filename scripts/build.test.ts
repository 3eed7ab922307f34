import { spawn, spawnSync } from 'node:child_process';
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';

const ROOT = path.resolve(import.meta.dirname, '..');
const BUNDLE = 'dist/key-watch/index.mjs';
const DASHBOARD = 'dist/dashboard/index.html';

/** A copy of the build with a bundle of two files and one package, and a dashboard of one page. */
let copy = '';
const write = async (file: string, content: string) => {
  await mkdir(path.dirname(path.join(copy, file)), { recursive: true });
  await writeFile(path.join(copy, file), content);
};
const read = (file: string) => readFile(path.join(copy, file), 'utf8');

beforeAll(async () => {
  copy = await mkdtemp(path.join(tmpdir(), 'svc-build-'));
  await mkdir(path.join(copy, 'scripts'));
  for (const name of await readdir(import.meta.dirname))
    if (/^(?:build|bundle|check-node).*\.[mc]js$/.test(name))
      await cp(path.join(import.meta.dirname, name), path.join(copy, 'scripts', name));
  await cp(path.join(ROOT, 'bin/minimum-node.mjs'), path.join(copy, 'bin/minimum-node.mjs'));
  await mkdir(path.join(copy, 'node_modules'));
  for (const name of ['esbuild', 'vite'])
    await symlink(path.join(ROOT, 'node_modules', name), path.join(copy, 'node_modules', name));
  await write('package.json', '{ "type": "module" }');
  await write('tsconfig.json', '{}');
  await write('node_modules/.package-lock.json', '{}');
  await write('node_modules/part/package.json', '{ "main": "index.js" }');
  await write('node_modules/part/index.js', 'module.exports = "package 1";');
  await write(
    'functions/key-watch/handler.ts',
    `import part from 'part'; import { a } from './a.ts'; import { b } from '../b/index.ts'; console.log(part, a, b);`,
  );
  await write('functions/key-watch/a.ts', 'export const a: string = "source 1";');
  await write('functions/b/index.ts', `export { b } from './b.ts';`);
  await write('functions/b/b.ts', 'export const b = "b 1";');
  await write('functions/b/c.ts', 'export const b = "b 2";');
  await cp(path.join(ROOT, 'dashboard/vite.config.ts'), path.join(copy, 'dashboard/vite.config.ts'));
  await write('dashboard/index.html', '<script type="module" src="./main.ts"></script>');
  await write('dashboard/main.ts', `import page from '../docs/page.md?raw'; console.log(page);`);
  await write('docs/page.md', 'page 1');
});
afterAll(() => rm(copy, { recursive: true, force: true }));

function build(...names: string[]) {
  const run = spawnSync(process.execPath, ['scripts/build.mjs', ...names], { cwd: copy, encoding: 'utf8' });
  return { status: run.status, line: run.stdout.trim().replace(/[\d.]+ s/, 'N s'), errors: run.stderr };
}
const rebuilt = (name: string) => ({ status: 0, line: `built in N s: ${name}`, errors: '' });
const upToDate = (name: string) => ({ status: 0, line: `up to date: ${name}`, errors: '' });

it('a bundle is built again after a change of what it is made of, and only then', async () => {
  expect(build('key-watch')).toEqual(rebuilt('key-watch'));
  expect(build('key-watch')).toEqual(upToDate('key-watch'));
  await write('functions/key-watch/other.ts', 'export const other = 1;');
  expect(build('key-watch')).toEqual(upToDate('key-watch'));

  await write('functions/key-watch/a.ts', 'export { other as a } from "./other.ts";');
  expect(build('key-watch')).toEqual(rebuilt('key-watch'));
  await write('functions/key-watch/other.ts', 'export const other = "source 2";');
  expect(build('key-watch')).toEqual(rebuilt('key-watch'));
  expect(await read(BUNDLE)).toContain('source 2');

  await write('functions/b/index.ts', `export { b } from './c.ts';`);
  expect(build('key-watch')).toEqual(rebuilt('key-watch'));
  expect(await read(BUNDLE)).toContain('b 2');

  await write('node_modules/part/index.js', 'module.exports = "package 2";');
  expect(build('key-watch')).toEqual(rebuilt('key-watch'));
  expect(await read(BUNDLE)).toContain('package 2');
  for (const file of ['node_modules/.package-lock.json', 'tsconfig.json', 'package.json']) {
    await appendFile(path.join(copy, file), '\n');
    expect([file, build('key-watch')]).toEqual([file, rebuilt('key-watch')]);
  }
  await appendFile(path.join(copy, 'scripts/bundle-options.mjs'), "BUNDLE_OPTIONS.footer = { js: '// footer' };\n");
  expect(build('key-watch')).toEqual(rebuilt('key-watch'));
  expect(await read(BUNDLE)).toContain('// footer');
  expect(build('key-watch')).toEqual(upToDate('key-watch'));
});

it('a bundle is built again if a file of it is missing or differs', async () => {
  build('key-watch');
  const content = await read(BUNDLE);
  await rm(path.join(copy, BUNDLE));
  expect(build('key-watch')).toEqual(rebuilt('key-watch'));
  await write(BUNDLE, '');
  expect(build('key-watch')).toEqual(rebuilt('key-watch'));
  expect(await read(BUNDLE)).toBe(content);
});

it('a bundle is built again if a source changed while it was built', async () => {
  const source = path.join(copy, 'functions/key-watch/a.ts');
  const later = new Date(Date.now() + 3_600_000);
  await utimes(source, later, later);
  await rm(path.join(copy, BUNDLE));
  for (const _ of [1, 2]) expect(build('key-watch')).toEqual(rebuilt('key-watch'));
  await utimes(source, new Date(0), new Date(0));
  expect(build('key-watch')).toEqual(rebuilt('key-watch'));
  expect(build('key-watch')).toEqual(upToDate('key-watch'));
});

it('a build that fails is repeated, and leaves the bundle before it', async () => {
  build('key-watch');
  const source = await read('functions/key-watch/a.ts');
  await rm(path.join(copy, 'functions/key-watch/a.ts'));
  for (const _ of [1, 2]) {
    const { status, line, errors } = build('key-watch');
    expect([status, line]).toEqual([1, '']);
    expect(errors).toContain('Could not resolve "./a.ts"');
    expect(errors).toContain('key-watch not built: 1 errors');
  }
  expect(await read(BUNDLE)).not.toBe('');
  await write('functions/key-watch/a.ts', source);
  expect(build('key-watch')).toEqual(rebuilt('key-watch'));
});

it('the dashboard is built again after a change in its folder, of a page that it imports, and of its files', async () => {
  expect(build('dashboard')).toEqual(rebuilt('dashboard'));
  expect(build('dashboard')).toEqual(upToDate('dashboard'));
  await write('dashboard/main.test.ts', '');
  expect(build('dashboard')).toEqual(upToDate('dashboard'));
  await write('dashboard/public/new.txt', 'new');
  expect(build('dashboard')).toEqual(rebuilt('dashboard'));
  expect(await read('dist/dashboard/new.txt')).toBe('new');
  await rm(path.join(copy, 'dashboard/public/new.txt'));
  expect(build('dashboard')).toEqual(rebuilt('dashboard'));
  await write('docs/page.md', 'page 2');
  expect(build('dashboard')).toEqual(rebuilt('dashboard'));
  await rm(path.join(copy, DASHBOARD));
  expect(build('dashboard', 'key-watch')).toEqual({
    status: 0,
    line: 'built in N s: dashboard; up to date: key-watch',
    errors: '',
  });
});

it('builds at once wait for each other', async () => {
  await write('functions/key-watch/a.ts', 'export const a = "both";');
  const printed = await Promise.all(
    [1, 2].map(() => text(spawn(process.execPath, ['scripts/build.mjs', 'key-watch'], { cwd: copy }).stdout)),
  );
  expect(printed.map((line) => line.split(/ in| to/)[0]).sort()).toEqual(['built', 'up']);
});
