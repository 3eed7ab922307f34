import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';

const root = path.resolve(import.meta.dirname, '../..');
const page = readFileSync(path.join(root, 'docs/reference/threats.md'), 'utf8');
const [, section = ''] = page.split('## Threats and mitigations\n');
const rows = (section.split('\n## ')[0] ?? '')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.slice(2, -2).split(' | '))
  .filter(([first]) => first !== 'Threat' && first !== '---');
/** Titles of tests by threat and file. */
const tests = JSON.parse(readFileSync(path.join(import.meta.dirname, 'threat-tests.json'), 'utf8')) as Readonly<
  Record<string, Readonly<Record<string, readonly string[]>>>
>;

/** The titles of a file's tests in its source. */
function titlesIn(file: string): string[] {
  const source = readFileSync(path.join(root, file), 'utf8');
  return [...source.matchAll(/'((?:[^'\\\n]|\\.)+)'|"((?:[^"\\\n]|\\.)+)"/g)].map(([, one, other]) =>
    (one ?? other ?? '').replace(/\\(['"])/g, '$1'),
  );
}

describe('the list of threats', () => {
  test('has a mitigation for each, and the files of its tests', () => {
    expect(rows.length).toBeGreaterThan(25);
    expect(rows.map(([threat]) => threat)).toEqual(Object.keys(tests));
    for (const [threat = '', mitigation, files, ...others] of rows) {
      expect([threat, others]).toEqual([threat, []]);
      expect([threat, mitigation]).not.toEqual([threat, '']);
      const named = Object.keys(tests[threat] ?? {}).map((file) => `\`${file}\``);
      expect([threat, files]).toEqual([threat, named.join(', ')]);
    }
  });

  test('names only tests that exist', () => {
    const missing = Object.values(tests)
      .flatMap((byFile) => Object.entries(byFile))
      .flatMap(([file, titles]) => {
        const known = existsSync(path.join(root, file)) ? titlesIn(file) : [];
        return titles.filter((title) => !known.includes(title)).map((title) => `${file}: ${title}`);
      });
    expect(missing).toEqual([]);
  });

  test('includes every file with tests in test/threats', () => {
    const named = new Set(Object.values(tests).flatMap((byFile) => Object.keys(byFile)));
    const withTests = readdirSync(path.join(root, 'test/threats'))
      .filter((name) => /\.(?:test|cases)\.ts$/.test(name))
      .map((name) => `test/threats/${name}`)
      .filter((file) => /^(?:describe|test)\b/m.test(readFileSync(path.join(root, file), 'utf8')));
    expect(withTests.length).toBeGreaterThan(10);
    expect(withTests.filter((file) => !named.has(file))).toEqual([]);
  });
});
