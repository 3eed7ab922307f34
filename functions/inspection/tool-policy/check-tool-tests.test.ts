import { describe, expect, it } from '@jest/globals';
import { base62Checksum } from '../../kernel/crypto/index.ts';
import type { PolicySettings, ToolRule, ToolRuleExample } from '../../kernel/model/index.ts';
import { checkToolTests } from './check-tool-tests.ts';

const call = (args: object | string): ToolRuleExample => ({
  messages: [
    { role: 'system', content: 'You pay bills.' },
    { role: 'user', content: 'Pay bill 7.' },
    { role: 'assistant', calls: [{ name: 'get_bill', arguments: { id: 7 } }] },
    { role: 'tool', name: 'get_bill', content: '{"iban":"DE89370400440532013000"}' },
  ],
  call: { name: 'pay', arguments: args as ToolRuleExample['call']['arguments'] },
});
const GOOD = call({ to: 'DE89 3704 0044 0532 0130 00' });
const BAD = call({ to: 'GB33BUKB20201555555555' });
const RULE: ToolRule = {
  id: 'account',
  tool: 'pay',
  action: 'block',
  args: { to: { from: ['field:get_bill.iban'] } },
  tests: { match: [BAD, call('{"to":')], noMatch: [GOOD] },
};
const policy = (fields: Partial<ToolRule>): PolicySettings => ({ tools: { rules: [{ ...RULE, ...fields }] } });

describe('the tests of rules for tools', () => {
  it('pass if each call violates its rule as expected', async () => {
    for (const settings of [undefined, {}, policy({}), { shadow: { tools: { rules: [RULE] } } }]) {
      await expect(checkToolTests(settings)).resolves.toBeUndefined();
    }
  });

  it.each<[string, PolicySettings, string, string]>([
    [
      'a call that should violate it',
      policy({ tests: { match: [BAD, GOOD] } }),
      'tools.rules[0].tests.match[1]',
      'does not',
    ],
    [
      'a call that should not',
      policy({ tests: { noMatch: [BAD] } }),
      'tools.rules[0].tests.noMatch[0]',
      'violates the rule',
    ],
    [
      'a test of the shadow',
      { shadow: policy({ tests: { match: [GOOD] } }) as PolicySettings['shadow'] },
      'shadow.tools.rules[0].tests.match[0]',
      'does not',
    ],
    [
      'what another rule or the list of tools would reject',
      {
        tools: {
          unlisted: 'block',
          rules: [
            { id: 'all', tool: '*', action: 'block' },
            { ...RULE, tests: { match: [GOOD] } },
          ],
        },
      },
      'tools.rules[1].tests.match[0]',
      'does not',
    ],
  ])('fail for %s', async (_, settings, param, reason) => {
    const failing = checkToolTests(settings, ['policy']);
    await expect(failing).rejects.toMatchObject({ code: 'invalid_value', param: `policy.${param}` });
    await expect(failing).rejects.toThrow(reason);
  });

  it.each<[string, Partial<ToolRule>, string]>([
    [
      'the argument and the form of its value',
      { tests: { noMatch: [BAD] } },
      'the call violates the rule: its argument "to" (account as a text of 22 characters) is not from field:get_bill.iban.',
    ],
    [
      'an argument of a list',
      { args: { 'to[*]': { match: ['*@a.test'] } }, tests: { noMatch: [call({ to: ['x@a.test', 'y@b.test'] })] } },
      'the call violates the rule: its argument "to[1]" (email as a text of 8 characters) matches none of the allowed patterns.',
    ],
    [
      'what cannot be compared',
      { tests: { noMatch: [call({ to: [1] })] } },
      'the call violates the rule: its argument "to" is no single value.',
    ],
    [
      'arguments that cannot be read',
      { tests: { noMatch: [call('{"to":')] } },
      'the call violates the rule: it has arguments that are no JSON object, or repeat a name.',
    ],
    [
      'a sum',
      { args: undefined, total: { arg: 'amount', max: 5, per: 'day' }, tests: { noMatch: [call({ amount: 6 })] } },
      'the call violates the rule: its argument "amount" (number) brings the sum above 5.',
    ],
    [
      'the arguments that fit, or have no value',
      {
        args: { to: { from: ['user', 'field:get_bill.iban'] }, ref: { max: 5 } },
        tests: { match: [GOOD] },
      },
      'the call does not violate the rule: argument "to" fits (account as a text of 27 characters), argument "ref" has no value.',
    ],
    [
      'that the rule is for other tools',
      { tool: 'send_*', tests: { match: [BAD] } },
      'the call does not violate the rule: the rule is not for this tool.',
    ],
    [
      'that the rule waits for something',
      { after: { tool: 'read_*' }, tests: { match: [BAD] } },
      "the call does not violate the rule: 'messages' have nothing of 'after'.",
    ],
  ])('that fail name %s, and no value', async (_, fields, message) => {
    await expect(checkToolTests(policy(fields))).rejects.toThrow(message);
    await expect(checkToolTests(policy(fields))).rejects.not.toThrow(/GB33|DE89/);
  });

  it('wait for what happened before, and count totals from zero', async () => {
    const after = policy({ args: undefined, after: { tool: 'get_*' }, tests: { match: [GOOD] } });
    const before = policy({ args: undefined, after: { tool: 'read_*' }, tests: { noMatch: [GOOD] } });
    const total = { arg: 'amount', max: 10, per: 'day' as const };
    const tests = { match: [call({ amount: 11 })], noMatch: [call({ amount: 10 })] };
    for (const settings of [after, before, policy({ args: undefined, total, tests })]) {
      await expect(checkToolTests(settings)).resolves.toBeUndefined();
    }
  });

  it('find types in the text of an argument', async () => {
    const random = 'R8sT2vQ9xLm4Kp7ZcW3bN6hYd5GfJq';
    const key = ['gh', 'p_', random, base62Checksum(random)].join('');
    const tests = { match: [call({ body: `My key is ${key}` })], noMatch: [call({ body: 'My key is on the table.' })] };
    await expect(checkToolTests(policy({ args: { body: { without: ['secret'] } }, tests }))).resolves.toBeUndefined();
  });
});
