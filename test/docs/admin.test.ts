import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { COMMANDS } from '../../bin/admin/program.ts';

test('docs/admin.md has every command with what it does, and no other', () => {
  const page = readFileSync(new URL('../../docs/admin.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)].map(([, call, summary]) => [call, summary]);
  expect(rows).toEqual(COMMANDS.map(({ name, args, summary }) => [[name, ...args].join(' '), summary]));
});
