import { describe, expect, it } from '@jest/globals';
import type { ToolEffect, ToolPolicy } from '../../kernel/model/index.ts';
import { unmatchedIn } from './unmatched-rules.ts';

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

const called = (tool: string, effect: ToolEffect, ...paths: string[]) => ({
  ...{ tool, effect },
  arguments: new Map(paths.map((path) => [path, {}])),
});
const rulesIn = (policy: ToolPolicy, ...tools: ReturnType<typeof called>[]) => unmatchedIn(policy, tools).rules;

it('names the rules whose tool and effects no called tool has', () => {
  expect(rulesIn(POLICY, called('send_email', 'send'))).toEqual(['pay', 'deletions', 'dots']);
  expect(rulesIn(POLICY, called('pay', 'remove'))).toEqual(['mail', 'amount', 'dots']);
});

it('names them beside calls of tools with unusual names', () => {
  expect(rulesIn(POLICY, called('*', 'send'), called('pay', 'send'))).toEqual(['mail', 'deletions', 'dots']);
});

it('names none without calls, and none with a name that records do not have', () => {
  expect(rulesIn(POLICY)).toEqual([]);
  expect(rulesIn({}, called('pay', 'send'))).toEqual([]);
  expect(
    rulesIn({ rules: [ruleFor('other', 'zahle ein'), ruleFor('another', 'größe_*')] }, called('pay', 'send')),
  ).toEqual([]);
});

describe('arguments that a rule names', () => {
  const from = { from: ['user'] };
  const named = (args: object, total?: object): ToolPolicy => ({
    rules: [{ ...ruleFor('r', 'pay'), args: args as never, ...(total && { total: total as never }) }],
  });
  const missing = (policy: ToolPolicy, ...tools: ReturnType<typeof called>[]) =>
    unmatchedIn(policy, tools).arguments.map(({ rule, argument }) => `${rule} ${argument}`);
  const PAY = called('pay', 'send', 'iban', 'amount', 'to[*].mail', 'cc');

  it('are missing if no call had them', () => {
    const args = { iban: from, ammount: { max: 4 }, 'to[*].mail': from, to: from, 'cc[*]': from, 'to[*].name': from };
    expect(missing(named(args), PAY, called('pey', 'send', 'ammount'))).toEqual(['r ammount', 'r to[*].name']);
    expect(missing(named({ iban: from }, { arg: 'sum', max: 4, per: 'day' }), PAY)).toEqual(['r sum']);
  });

  it('of all values, and with names that records do not have, are not', () => {
    expect(missing(named({ '**': from, 'to.**': from, größe: from }), PAY)).toEqual([]);
    expect(missing(named({ 'payment.**': from }), PAY)).toEqual(['r payment.**']);
  });

  it('are not where records do not have all arguments', () => {
    for (const tool of [called('pay', 'send'), called('pay', 'read', 'a'), called('pay', 'execute', 'a')])
      expect(missing(named({ iban: from }), tool)).toEqual([]);
  });
});
