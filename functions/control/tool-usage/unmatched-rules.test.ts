import { expect, it } from '@jest/globals';
import type { ToolEffect, ToolPolicy } from '../../kernel/model/index.ts';
import { unmatchedRules } from './unmatched-rules.ts';

const ruleFor = (id: string, tool: string, effects?: ToolEffect[]) => ({
  ...{ id, tool, action: 'ask' as const },
  ...(effects && { effects }),
});
const POLICY: ToolPolicy = {
  rules: [
    ruleFor('mail', 'send_*'),
    ruleFor('pay', 'pay'),
    ruleFor('amount', '*', ['send', 'write']),
    ruleFor('deletions', '*', ['remove']),
    ruleFor('dots', 'send.email'),
  ],
};

it('names the rules whose tool and effects no called tool has', () => {
  expect(unmatchedRules(POLICY, [{ tool: 'send_email', effect: 'send' }])).toEqual(['pay', 'deletions', 'dots']);
  expect(unmatchedRules(POLICY, [{ tool: 'pay', effect: 'remove' }])).toEqual(['mail', 'amount', 'dots']);
});

it('names none where the names of tools are not known', () => {
  expect(unmatchedRules(POLICY, [])).toEqual([]);
  expect(unmatchedRules(POLICY, [{ tool: '*', effect: 'send' }])).toEqual([]);
  expect(unmatchedRules({}, [{ tool: 'pay', effect: 'send' }])).toEqual([]);
});
