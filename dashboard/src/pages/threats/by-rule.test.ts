import { expect, test } from '@jest/globals';
import type { Threat } from '../../api/client.ts';
import { groupByRule } from './by-rule.ts';

const threat = (rule: string, change: Partial<Threat> = {}): Threat =>
  ({ rule, keyId: 'key_a', action: 'flag', mark: null, score: 0.5, ...change }) as Threat;

test('findings are grouped by rule, the most frequent first, a rule of a policy apart', () => {
  const groups = groupByRule([
    threat('b'),
    threat('a', { keyId: 'key_b', action: 'block', score: 0.9, mark: 'confirmed' }),
    threat('a', { mark: 'false_positive' }),
    threat('a', { policyRule: 'mine' } as Partial<Threat>),
    threat('a'),
  ]);
  expect(groups.map(({ rule, threats }) => [rule, threats.length])).toEqual([
    ['a', 3],
    ['a (mine)', 1],
    ['b', 1],
  ]);
  expect(groups[0]).toMatchObject({ keys: 2, blocked: 1, unmarked: 1, falseAlarms: 1, highest: 0.9 });
});
