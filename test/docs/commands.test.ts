import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { BLOCKS, KINDS, PAGES, ROOT } from './command-blocks.ts';

/** README, CONTRIBUTING and the guides together, by `wc -w`. */
const MAX_WORDS = 48_000;

test('each block of commands says how it is tested', () => {
  expect(BLOCKS.length).toBeGreaterThan(100);
  const unknown = BLOCKS.filter(({ kind }) => !KINDS.includes(kind as never));
  expect(unknown.map(({ page, line, kind }) => `${page}:${line}: ${kind}`)).toEqual([]);
});

test('each block of commands is a shell script', () => {
  // Words such as <KEY_ID> are for the reader to replace. `<` alone is a redirection.
  const scripts = BLOCKS.map(({ page, line, code }) => ({
    place: `${page}:${line}`,
    code: code.replace(/<[A-Za-z][^<>\n]*>/g, 'WORD'),
  }));
  const script = scripts.map(({ code }, at) => `block_${at}() {\n${code}\n}\n`).join('');
  const faults = (one: string) => spawnSync('bash', ['-n'], { input: one, encoding: 'utf8' }).stderr;
  // One process for all; a fault is then looked for in each.
  const faulty = faults(script) === '' ? [] : scripts.filter(({ code }) => faults(code) !== '');
  expect(faulty.map(({ place }) => place)).toEqual([]);
});

test('each page is reachable from README', () => {
  const readme = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
  expect(PAGES.filter((page) => page !== 'README.md' && !readme.includes(`](${page}`))).toEqual([]);
});

test('README, CONTRIBUTING and the guides are short enough to be read', () => {
  const words = PAGES.filter((page) => !page.startsWith('docs/reference/')).map(
    (page) => readFileSync(path.join(ROOT, page), 'utf8').split(/\s+/).filter(Boolean).length,
  );
  expect(words.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(MAX_WORDS);
});
