import { describe, expect, it } from '@jest/globals';
import { shadowedTools } from './shadowed-tools.ts';

const shadowed = (...names: string[]) =>
  shadowedTools(names.map((name, at) => ({ name, field: `tools[${at}]`, definition: { description: `${at}` } }))).map(
    ({ field }) => field,
  );

describe('names a tool', () => {
  it.each([
    ['of the same name', ['send', 'find', 'send']],
    ['that differs by letter case', ['sendMail', 'x', 'sendmail']],
    ['with a Cyrillic letter', ['send', 'x', 'sеnd']],
    ['with a zero-width space', ['send', 'x', 'send\u200b']],
    ['with a tag character', ['send', 'x', 'send\u{e0001}']],
    ['with wide letters', ['send', 'x', 'ｓｅｎｄ']],
    ['with an accent', ['send', 'x', 'sénd']],
  ])('%s', (_, names) => expect(shadowed(...names)).toEqual(['tools[2]']));
});

it.each([
  ['of other names', ['send', 'send_all', 'resend', 'send2']],
  ['in other namespaces', ['crm/find', 'docs/find', 'find']],
])('names no tool %s', (_, names) => expect(shadowed(...names)).toEqual([]));

it('names no tool that is there twice with one definition', () => {
  const tool = { name: 'send', definition: { description: 'x' } };
  expect(
    shadowedTools([
      { ...tool, field: 'a' },
      { ...tool, field: 'b' },
    ]),
  ).toEqual([]);
});
