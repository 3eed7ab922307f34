import { expect, test } from '@jest/globals';
import { canBeNamed, draftRule } from './rule-draft.ts';

const TRUSTED = { as: 'field', source: 'trusted', calls: 1 } as const;
const SOURCES = [
  { ...TRUSTED, tool: 'find_contact', field: 'items[*].email' },
  { ...TRUSTED, tool: 'read_mail', field: 'body', as: 'prose' },
  { ...TRUSTED, tool: 'find_contact', field: 'comment.email', isOnlyFlagged: true },
  { ...TRUSTED, tool: null, field: 'email' },
  { ...TRUSTED, tool: '*', field: 'email' },
  { ...TRUSTED, tool: 'find.all', field: 'email' },
  { ...TRUSTED, tool: 'find', field: '*.email' },
  { ...TRUSTED, tool: 'find', field: '' },
  { ...TRUSTED, tool: 'read_mail', field: 'from', source: 'private' },
  { ...TRUSTED, tool: 'search', field: 'url', source: 'public' },
  { tool: 'get_page', field: 'author', as: 'field', calls: 4 },
] as const;

test('a rule for an argument allows the user, the operator and the fields of trusted tools that a rule can name', () => {
  expect(draftRule('Send_Email', { argument: 'to[*]', sources: [...SOURCES] })).toEqual({
    rules: [
      {
        ...{ id: 'send_email-to', tool: 'Send_Email', action: 'flag' },
        args: { 'to[*]': { from: ['user', 'system', 'field:find_contact.items[*].email'] } },
      },
    ],
  });
});

test('a rule cannot name what records have as *', () => {
  const pairs = [
    ['send', 'to[*].mail'],
    ['*', 'to'],
    ['send', 'to.*'],
    ['send', '__proto__'],
  ] as const;
  expect(pairs.map(([tool, argument]) => canBeNamed(tool, argument))).toEqual([true, false, false, false]);
});
