import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';

const ROOT = path.resolve(import.meta.dirname, '..');
const OLD = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.19.0'}})`;

it.each(['prestart', 'admin', 'admin-key', 'scan', 'deploy', 'test'])(
  'npm run %s with an old Node says which one is needed, and how to get it',
  async (script) => {
    const { scripts } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8'));
    const [node, ...args] = (scripts[script] as string).split(' ');
    expect(node).toBe('node');
    const run = spawnSync(process.execPath, ['--import', OLD, ...args], { cwd: ROOT, encoding: 'utf8' });
    expect([run.status, run.stdout, run.stderr]).toEqual([
      ...[1, ''],
      'This project needs Node 22.19 or newer, and this is Node 20.19.0. Run "npm ci", then use npm scripts, which have Node 24 on Linux; ' +
        'elsewhere install Node 24 from https://nodejs.org.\n',
    ]);
  },
);

it('without packages it says how to install them', async () => {
  const copy = await mkdtemp(path.join(tmpdir(), 'svc-check-node-'));
  for (const file of ['scripts/check-node.mjs', 'bin/minimum-node.mjs'])
    await cp(path.join(ROOT, file), path.join(copy, file));
  const run = spawnSync(process.execPath, ['scripts/check-node.mjs'], { cwd: copy, encoding: 'utf8' });
  expect([run.status, run.stderr]).toEqual([1, 'The packages are not installed. Run "npm ci" first.\n']);
  await rm(copy, { recursive: true });
});
