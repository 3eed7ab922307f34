import { expect, test } from '@jest/globals';
import { canBeNamed, draftRule } from './rule-draft.ts';

const SOURCES = [
  { tool: 'find_contact', field: 'items[*].email', as: 'field', calls: 4 },
  { tool: 'read_mail', field: 'body', as: 'prose', calls: 1 },
  { tool: null, field: 'email', as: 'field', calls: 1 },
  { tool: '*', field: 'email', as: 'field', calls: 1 },
  { tool: 'find.all', field: 'email', as: 'field', calls: 1 },
  { tool: 'find', field: '*.email', as: 'field', calls: 1 },
  { tool: 'find', field: '', as: 'field', calls: 1 },
] as const;

test('a rule for an argument allows the user, the operator and the fields that a rule can name', () => {
  expect(draftRule('Send_Email', { argument: 'to[*]', sources: [...SOURCES] }, [])).toEqual({
    rules: [
      {
        ...{ id: 'send_email-to', tool: 'Send_Email', action: 'flag' },
        args: { 'to[*]': { from: ['user', 'system', 'field:find_contact.items[*].email'] } },
      },
    ],
  });
});

test('a rule is the proposal for the tool and the argument, if there is one', () => {
  const adds = {
    rules: [{ id: 'proposed', tool: 'send', action: 'flag' as const, after: { source: 'public' as const } }],
  };
  const proposal = { tool: 'send', argument: 'to', adds, calls: 40, reason: '' };
  expect(draftRule('send', { argument: 'to', sources: [] }, [proposal])).toBe(adds);
  expect(draftRule('send', { argument: 'cc', sources: [] }, [proposal])).not.toBe(adds);
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
