import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parseSync } from '@swc/core';
import commands from '../../scripts/commands.json' with { type: 'json' };

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.join('docs', file)),
];

describe.each(pages)('%s', (page) => {
  const text = read(page);

  test('links only to existing targets', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, link = '']) => link);
    const dead = links.filter((link) => {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? page : path.join(path.dirname(page), file);
      return !existsSync(path.join(root, target)) || (anchor !== undefined && !anchors(read(target)).includes(anchor));
    });
    expect(dead).toEqual([]);
  });

  test('names only existing npm scripts', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...text.matchAll(/npm (?:run (?:--silent )?)([\w:-]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  test('names only existing benches, generators and test suites', () => {
    const named = [...text.matchAll(/npm (?:run )?(?:--silent )?(bench|generate|test) ([a-z][a-z-]*)/g)];
    const unknown = named.filter(
      ([, group = '', name = '']) => !Object.hasOwn(commands[group as keyof typeof commands], name),
    );
    expect(unknown.map(([command]) => command)).toEqual([]);
  });

  test('defines each variable of its commands', () => {
    const shell = [...text.matchAll(/^( *)```(?:sh|bash)[^\n]*\n(.*?)^ *```/gms)]
      .map(([, , code = '']) => code)
      .join('\n');
    // Text in single quotes is not expanded.
    const used = [...shell.replace(/'[^'\n]*'/g, '').matchAll(/\$\{?([A-Za-z_]\w*)/g)].map(([, name = '']) => name);
    const set = [...text.matchAll(/(?:^|[\s;`])([A-Za-z_]\w*)=|\bfor (\w+) in/gm)].flat();
    const read = [...shell.matchAll(/\bread ([\w -]+)/g)].flatMap(([, names = '']) => names.split(' '));
    expect(used.filter((name) => !set.includes(name) && !read.includes(name))).toEqual([]);
  });

  test('names only existing files', () => {
    const named = [...text.matchAll(/`((?:functions|lib|bin|test|scripts|bench|docs)\/[\w./-]+)`/g)].map(
      ([, file = '']) => file,
    );
    expect(named.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });
});

test('extend.md has each generator', () => {
  const named = [...read('docs/extend.md').matchAll(/^\| `npm run generate ([\w-]+)/gm)].map(([, name = '']) => name);
  expect(named.sort()).toEqual(Object.keys(commands.generate).sort());
});

test("README's JavaScript example is a module that Node runs without types, and says how", () => {
  const [, said = '', code = ''] = /([^\n]+)\n\n```js\n(import .*?)```/s.exec(read('README.md')) ?? [];
  expect(said).toContain('`node hello.mjs`');
  // The minimum version of Node reads no types.
  expect(() => parseSync(code, { syntax: 'ecmascript' })).not.toThrow();
});

/** The anchors of a page's headings, as GitHub makes them. */
function anchors(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}
