import { describe, expect, it } from '@jest/globals';
import { isOn } from './alarm-rule.ts';

const reference = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });
const rule = (...parts: unknown[]) => ({ 'Fn::Join': ['', parts] });
const STATES = { A: 'ALARM', C: 'INSUFFICIENT_DATA' } as const;

describe('the rule of a composite alarm', () => {
  it.each<[unknown, boolean]>([
    [rule('ALARM("', reference('A'), '")'), true],
    [rule('(ALARM("', reference('B'), '") OR ALARM("', reference('A'), '"))'), true],
    [rule('(ALARM("', reference('B'), '") OR ALARM("', reference('C'), '"))'), false],
    ['ALARM("A") AND NOT ALARM("B")', true],
    ['NOT (ALARM(A) OR ALARM(B))', false],
    ['OK(B) AND INSUFFICIENT_DATA(C) AND TRUE', true],
    ['FALSE OR (ALARM(A) AND (OK(A) OR ALARM(C)))', false],
  ])('is evaluated: %j', (text, expected) => expect(isOn(text, STATES)).toBe(expected));

  it.each(['', 'ALARM', 'ALARM(A) ALARM(B)', '(ALARM(A)', 'ALARM(A))', 'ALARM(A) AND OK(B) OR TRUE', 'SICK(A)'])(
    'is refused: %j',
    (text) => expect(() => isOn(text, STATES)).toThrow(/^no /),
  );
});
