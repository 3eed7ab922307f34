import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';

const root = path.resolve(import.meta.dirname, '../..');
const page = readFileSync(path.join(root, 'docs/security.md'), 'utf8');
const [, section = ''] = page.split('## What this guards against, and what not\n');
const rows = (section.split('\n## ')[0] ?? '')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.slice(2, -2).split(' | '))
  .filter(([first]) => first !== 'Threat' && first !== '---');

/** The titles of a file's tests, as they stand in its source. */
function titlesIn(file: string): string[] {
  const source = readFileSync(path.join(root, file), 'utf8');
  return [...source.matchAll(/'((?:[^'\\\n]|\\.)+)'|"((?:[^"\\\n]|\\.)+)"/g)].map(([, one, other]) =>
    (one ?? other ?? '').replace(/\\(['"])/g, '$1'),
  );
}

describe('the list of threats', () => {
  test('has an answer for each, and a test that shows it', () => {
    expect(rows.length).toBeGreaterThan(25);
    for (const row of rows) {
      const [threat, answer = '', shown = ''] = row;
      expect([threat, row.length]).toEqual([threat, 3]);
      expect([threat, answer !== '', /^`[\w/.-]+`: \S/.test(shown)]).toEqual([threat, true, true]);
    }
  });

  test('names no test that is not there', () => {
    const shown = rows.flatMap(([, , cell = '']) => cell.split('<br>'));
    const missing = shown.filter((one) => {
      const [, file = '', title = ''] = /^`([\w/.-]+)`: (.+)$/.exec(one) ?? [];
      return !existsSync(path.join(root, file)) || !titlesIn(file).includes(title);
    });
    expect(missing).toEqual([]);
  });

  test('is told of every file of test/threats', () => {
    for (const file of readdirSync(path.join(root, 'test/threats')).filter((name) => name.endsWith('.test.ts'))) {
      expect(section).toContain(`test/threats/${file}`);
    }
  });
});
