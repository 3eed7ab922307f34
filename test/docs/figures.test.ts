import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PAGES = [
  'README.md',
  ...readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.join('docs', file)),
];

/** Rows of tables whose columns end in "Measured" and "Source": the figures, and the page that they come from. */
const ROWS = PAGES.flatMap((page) => {
  const text = readFileSync(path.join(ROOT, page), 'utf8');
  const tables = [...text.matchAll(/^\|.*\| Measured \| Source \|\n\|[-| ]+\|\n((?:\|.*\n)+)/gm)];
  return tables.flatMap(([, rows = '']) =>
    rows
      .trim()
      .split('\n')
      .map((row) => {
        const [measured = '', source = ''] = row.split('|').slice(-3);
        const [, link = ''] = /\]\(([^)#]+)/.exec(source) ?? [];
        return { page, row, measured, source: path.join(path.dirname(page), link) };
      }),
  );
});

test('the README has its figures in a table', () => {
  expect(ROWS.filter(({ page }) => page === 'README.md').length).toBeGreaterThan(3);
});

test.each(ROWS.map(({ page, row, ...rest }) => [page, row, rest] as const))('%s: %s', (_, __, { measured, source }) => {
  const figures = measured.match(/\d[\d,.]*\d|\d/g) ?? [];
  const generated = readFileSync(path.join(ROOT, source), 'utf8');
  expect(figures).not.toEqual([]);
  expect(
    figures.filter((figure) => !new RegExp(`(?<![\\d.])${figure.replaceAll('.', '\\.')}(?![\\d])`).test(generated)),
  ).toEqual([]);
});
