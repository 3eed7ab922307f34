import { describe, expect, it } from '@jest/globals';
import { createInspector } from '../detectors/index.ts';
import { exceededBy, unknownSum } from './call-rules.ts';
import { type Doubt, removalText } from './doubts.ts';

const AMOUNT = { rule: 'daily', action: 'block', arg: 'amount', max: 5000, per: 'day', amount: 90 } as const;
const RULE = exceededBy(AMOUNT, 'day').rule;
const OTHER: Doubt = { rule: RULE, score: 0, action: 'block', argument: 'to', reason: 'is not from user' };
const TEXTS: readonly (readonly [string, Doubt, string])[] = [
  ['a day', exceededBy(AMOUNT, 'day'), 'Wait until the next UTC day before you try again.]'],
  ['a session', exceededBy(AMOUNT, 'session'), 'only a new session has a new sum.]'],
  ['a conversation', exceededBy(AMOUNT, 'conversation'), 'only a new conversation has a new sum.]'],
  ['a period whose sum is not known', unknownSum(AMOUNT), 'Try again later.]'],
  ['nothing else', OTHER, 'its argument "to" is not from user. Ask the user before you try again.]'],
];

describe('the text instead of a blocked call', () => {
  it.each(TEXTS)('advises to wait for what has an end: %s', (_, doubt, end) => {
    const text = removalText('pay', doubt);
    expect(text.endsWith(end)).toBe(true);
    expect(text.includes('Ask the user')).toBe(doubt === OTHER);
  });

  it.each(TEXTS)('is no attack when it comes back: %s', (_, doubt) => {
    const inspector = createInspector();
    for (const surface of ['user', 'tool', 'output'] as const)
      expect(
        inspector.inspect(removalText('send_payment', doubt), surface).filter(({ score }) => score >= 0.5),
      ).toEqual([]);
  });
});
