import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { anchorOf, renderMarkdown, targetOf } from './render-markdown.ts';

const DOCS = path.resolve(import.meta.dirname, '../../../../docs');
const NAMES = new Set(['deploy', 'reference/settings', 'reference/api']);

test.each([
  ['deploy.md', 'keys.md', '/dashboard/docs/deploy'],
  ['reference/settings.md#a-b', 'keys.md', '/dashboard/docs/reference/settings#a-b'],
  ['../deploy.md#x', 'reference/api.md', '/dashboard/docs/deploy#x'],
  ['api.md', 'reference/settings.md', '/dashboard/docs/reference/api'],
  ['#here', 'deploy.md', '#here'],
  ['https://example.com/a.md', 'deploy.md', 'https://example.com/a.md'],
  ['../examples/x.yml', 'deploy.md', undefined],
  ['javascript:alert(1)', 'deploy.md', undefined],
])('a link to %s in %s leads to %s', (href, from, expected) => {
  expect(targetOf(href, from, NAMES)).toBe(expected);
});

test.each([
  ['GET /v1/models', 'get-v1models'],
  ["A new account's Lambda quota", 'a-new-accounts-lambda-quota'],
  ['Node & npm: the way', 'node--npm-the-way'],
])('the heading %s has the anchor %s, as on GitHub', (heading, expected) => {
  expect(anchorOf(heading)).toBe(expected);
});

test('headings with the same text have different ids; code and tables are kept', () => {
  const html = renderMarkdown('# A\n## A\n| x | y |\n| - | - |\n| `1` | [a](deploy.md) |\n', 'keys', NAMES);
  expect(html).toContain('<h1 id="a">A</h1>');
  expect(html).toContain('<h2 id="a-1">A</h2>');
  expect(html).toContain('<td><code>1</code></td>');
  expect(html).toContain('<a href="/dashboard/docs/deploy">a</a>');
});

test('every link between our pages has a target and an anchor', async () => {
  const files = [
    ...(await readdir(DOCS)),
    ...(await readdir(path.join(DOCS, 'reference'))).map((name) => `reference/${name}`),
  ];
  const names = new Set(files.filter((file) => file.endsWith('.md')).map((file) => file.slice(0, -3)));
  const pages = new Map<string, string>();
  for (const name of names) {
    pages.set(name, renderMarkdown(await readFile(path.join(DOCS, `${name}.md`), 'utf8'), name, names));
  }
  const broken = [...pages].flatMap(([name, html]) =>
    [...html.matchAll(/href="(?:\/dashboard\/docs\/([^"#]+))?#([^"]+)"/g)]
      .filter(([, target = name, anchor]) => !pages.get(target)?.includes(`id="${anchor}"`))
      .map(([link]) => `${name}: ${link}`),
  );
  expect(broken).toEqual([]);
});
