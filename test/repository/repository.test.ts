import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { parse } from 'yaml';

const ROOT = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const filesNamed = (pattern: string) =>
  execFileSync('git', ['ls-files', '--', pattern], { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean);

it('the packages of every lockfile are updated', () => {
  const { updates } = parse(read('.github/dependabot.yml')) as { updates: { directories?: string[] }[] };
  const folders = filesNamed('*package-lock.json').map((file) => path.posix.join('/', path.posix.dirname(file)));
  expect(updates.flatMap(({ directories = [] }) => directories).sort()).toEqual(folders.sort());
});

it('the example of owners names existing folders', () => {
  const named = [...read('.github/CODEOWNERS.example').matchAll(/^\/(\S+)/gm)].map(([, name = '']) => name);
  expect(named.filter((name) => filesNamed(name).length === 0)).toEqual([]);
  expect(named.length).toBeGreaterThan(5);
});

it('the forms of issues have what GitHub requires', () => {
  const folder = '.github/ISSUE_TEMPLATE';
  for (const name of readdirSync(path.join(ROOT, folder))) {
    const form = parse(read(`${folder}/${name}`));
    expect(form).toEqual({
      name: expect.any(String),
      description: expect.any(String),
      labels: [expect.any(String)],
      body: expect.any(Array),
    });
    const ids = form.body
      .filter(({ type }: { type: string }) => type !== 'markdown')
      .map(({ id }: { id: string }) => id);
    expect([name, new Set(ids).size]).toEqual([name, ids.length]);
  }
});
