import { describe, expect, test } from '@jest/globals';
import { faultPlace, faultyToolRule } from './policy-settings.ts';
import { unreadableMember, withAdditions } from './tool-settings.ts';

const RULE = { id: 'send-to', tool: 'send', action: 'flag', args: { to: { from: ['user'] } } };

describe('additions to the tools of a policy', () => {
  const ADDITIONS = [{ effects: { send: 'send', read: 'read' } }, { unlisted: 'flag' }, { rules: [RULE] }];

  test('keep everything else, and the effects that the policy has', () => {
    const settings = { preset: 'strict', tools: { pin: 'flag', effects: { send: 'write' }, rules: [{ id: 'mine' }] } };
    expect(withAdditions(settings, ADDITIONS)).toEqual({
      preset: 'strict',
      tools: {
        pin: 'flag',
        unlisted: 'flag',
        effects: { send: 'write', read: 'read' },
        rules: [{ id: 'mine' }, RULE],
      },
    });
  });

  test('are made once, and another rule with the same id gets a number', () => {
    const once = withAdditions({}, ADDITIONS);
    expect(withAdditions(once, ADDITIONS)).toEqual(once);
    const other = { ...RULE, tool: 'other' };
    expect(withAdditions(once, [{ rules: [other] }])).toMatchObject({
      tools: { rules: [RULE, { ...other, id: 'send-to-2' }] },
    });
  });
});

test.each<[string | undefined, unknown]>([
  [undefined, undefined],
  [undefined, { sources: { a: 'odd' }, lists: { a: ['b, c'] }, rules: [RULE], later: [1] }],
  ['tools', []],
  ['tools.effects', { effects: [] }],
  [undefined, { rules: [{ ...RULE, effects: ['send'], args: { to: { from: ['user'], kinds: ['email'] } } }] }],
  ['tools.rules[0]', { rules: [{ ...RULE, effects: 'send' }] }],
  ['tools.rules[0]', { rules: [{ ...RULE, args: { to: { kinds: 'email' } } }] }],
  ['tools.lists["a"]', { lists: { a: ['two\nlines'] } }],
  ['tools.lists["a"]', { lists: { a: 'b' } }],
  ['tools.rules', { rules: {} }],
  ['tools.rules[1]', { rules: [RULE, 'b'] }],
  ['tools.rules[0]', { rules: [{ ...RULE, args: { to: { from: 'user' } } }] }],
  ['tools.rules[0]', { rules: [{ ...RULE, args: { to: { max: '5' } } }] }],
  ['tools.rules[0]', { rules: [{ ...RULE, args: { to: { required: 'yes' } } }] }],
  [undefined, { rules: [{ ...RULE, args: { to: { required: true } } }] }],
  ['tools.rules[0]', { rules: [{ tool: 'a', action: 'flag' }] }],
])('the form cannot show %s', (expected, tools) => {
  expect(unreadableMember({ tools })).toBe(expected);
});

test('errors name the rule for tools', () => {
  const param = 'tools.rules[1].args["to"].from[0]';
  expect(faultyToolRule(param)).toBe(1);
  expect(faultyToolRule('rules[1]')).toBeUndefined();
  expect(faultPlace({ tools: { rules: [{}, RULE] } }, param)).toBe("rule for tools 'send-to'");
});
