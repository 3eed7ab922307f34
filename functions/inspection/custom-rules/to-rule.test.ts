import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Inspector } from '../inspector/index.ts';
import { keywordPattern, literalPattern, toRule } from './to-rule.ts';

const finds = (fields: Parameters<typeof toRule>[0], text: string) =>
  new Inspector([toRule(fields)]).inspect(text, 'user').map(({ start, end }) => text.slice(start, end));
const literal = (literal: string, text: string, more = {}) =>
  finds({ id: 'ours', action: 'flag', literals: [literal], ...more }, text);

describe('a literal', () => {
  it('is found in any text that contains it, for any characters', () => {
    const texts = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(texts, fc.string({ maxLength: 5 }), fc.boolean(), (searched, around, ignoreCase) => {
        fc.pre(literalPattern(searched, ignoreCase ? 'folded' : 'exact') !== '');
        const more = { ignoreCase };
        expect(literal(searched, `${around}|${searched}|${around}`, more).length).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['(a+)+.*', 'x (a+)+.* y aaa', ['(a+)+.*']],
    ['Project Zeus', 'Project\n  Zeus, project zeus', ['Project\n  Zeus']],
    ['Zeus', 'Ze\u200bus', ['Ze\u200bus']],
    ['Zeus', 'Ze\\u0075s', ['Ze\\u0075s']],
    ['<\\/b>', '<b><\\/b></b>', ['<\\/b>', '</b>']],
  ])('%s is matched literally', (searched, text, found) => expect(literal(searched, text)).toEqual(found));

  it('without case is found in disguised text', () => {
    expect(literal('Löwe', 'LÖWE lowe Lоwe', { ignoreCase: true })).toEqual(['LÖWE', 'lowe', 'Lоwe']);
  });

  it('as a whole word is not found inside another word', () => {
    const whole = { wholeWord: true };
    expect(literal('cat', 'concatenate the cat', whole)).toEqual(['cat']);
    expect(literal('.internal', 'a.internal b.internals', whole)).toEqual(['.internal']);
    expect(literal('秘密', '这是秘密吗', whole)).toEqual(['秘密']);
  });
});

describe('a keyword', () => {
  it.each([
    ['elect*', '\\belect\\w{0,20}\\b'],
    ['AR-15', '\\bar\\-15\\b'],
    ['*', ''],
  ])('%s becomes %s', (word, pattern) => expect(keywordPattern(word)).toBe(pattern));
});
