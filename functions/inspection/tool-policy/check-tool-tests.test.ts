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
