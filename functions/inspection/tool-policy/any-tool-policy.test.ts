import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ThreatType, ToolPolicy, ToolRule } from '../../kernel/model/index.ts';
import { compileToolPolicy } from './compile-tool-policy.ts';
import { decide, result, transcriptOf, user } from './decide.fixture.ts';
import { decideCall } from './decide-call.ts';

describe('any policy', () => {
  const STRICTNESS = ['allow', 'flag', 'ask', 'block'];
  const condition = fc.record(
    {
      from: fc.subarray(['user', 'system', 'list:ok', 'field:read.a[*]', 'field:*.b', 'field:read.**.a.**'], {
        minLength: 1,
      }),
      match: fc.subarray(['*', 'a*', '*@*', '1'], { minLength: 1 }),
      max: fc.constantFrom(1, 10),
      min: fc.constantFrom(-1, 0),
      without: fc.constant<ThreatType[]>(['secret']),
    },
    { requiredKeys: [] },
  );
  const rules = fc.array(
    fc.record(
      {
        id: fc.constant('r'),
        tool: fc.constantFrom('*', 'pay', 'send*'),
        action: fc.constantFrom('flag' as const, 'ask' as const, 'block' as const),
        effects: fc.subarray(['read' as const, 'send' as const], { minLength: 1 }),
        args: fc.dictionary(fc.constantFrom('a', 'a[*]', 'b.c', 'b[*].c', '__proto__'), condition, { minKeys: 1 }),
        needs: fc.constant('asked' as const),
        after: fc.constantFrom({ source: 'private' as const }, { tool: 'read' }),
        total: fc.constant({ arg: 'a', max: 5, per: 'day' as const }),
      },
      { requiredKeys: ['id', 'tool', 'action'] },
    ),
    { maxLength: 4 },
  );
  const args = fc.oneof(
    fc.dictionary(fc.constantFrom('a', 'b', 'A', '__proto__', 'x'), fc.jsonValue()).map((one) => JSON.stringify(one)),
    fc.json(),
    fc.string(),
  );
  const said = fc.array(
    fc.record({
      author: fc.constantFrom('user' as const, 'system' as const, 'assistant' as const, 'tool' as const),
      text: fc.oneof(fc.string(), fc.json()),
      tool: fc.constantFrom('read', 'other'),
    }),
    { maxLength: 4 },
  );
  const BASE: ToolPolicy = { lists: { ok: ['a', '1'] }, sources: { read: 'private' } };

  it('is never less strict with one more rule, and fails on no arguments', () => {
    fc.assert(
      fc.property(rules, rules, args, said, (some, more, text, texts) => {
        const of = (list: ToolRule[]) =>
          STRICTNESS.indexOf(decide({ ...BASE, rules: list }, text, { said: texts }).action);
        expect(of([...some, ...more])).toBe(Math.max(of(some), of(more)));
      }),
      { numRuns: 500 },
    );
  });

  it('decides on 64 calls of 5 MB under 200 rules without a look at each value for each rule', () => {
    let looks = 0;
    const typesIn = () => {
      looks += 1;
      return new Set<ThreatType>();
    };
    const many: ToolPolicy = {
      lists: { ok: ['a'] },
      rules: Array.from({ length: 200 }, (_, at) => ({
        id: `r${at}`,
        tool: '*',
        action: 'flag',
        args: { body: { without: ['secret'], match: ['*'] }, to: { from: ['user', 'list:ok', 'field:*.x'] } },
      })),
    };
    const transcript = transcriptOf([user('word '.repeat(200_000)), result('read', { x: 'y'.repeat(1_000_000) })]);
    const text = JSON.stringify({ body: 'short', to: 'x '.repeat(2_500_000) });
    for (let at = 0; at < 64; at++) {
      // One call is large, so that the test is short.
      const call = { tool: 'pay', arguments: at === 0 ? text : `{"body":"b${at}","to":"t${at}"}`, transcript, typesIn };
      expect(decideCall(compileToolPolicy(many), call).violations).toHaveLength(200);
    }
    expect(looks).toBe(64);
  });
});
