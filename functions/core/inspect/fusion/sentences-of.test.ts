import { describe, expect, it } from '@jest/globals';
import { isMostly } from './sentences-of.ts';

const takesBack = (sentence: string) => sentence.includes('forget what I wrote');
const OWN = 'Please forget what I wrote';
const isWhole = (text: string) => isMostly(takesBack, text, 0, text.length);

describe('a passage of own words', () => {
  it.each([
    ['is a sentence that takes them back', OWN],
    ['may go on with another sentence', `${OWN}. The date is the 4th`],
    ['may begin amid the sentence', `Oh, ${OWN}, the date changed`],
  ])('%s', (_, text) => expect(isWhole(text)).toBe(true));

  it('is judged by the whole sentence that it begins in', () => {
    const text = `Hello. ${OWN} about the date of the party.`;
    expect(isMostly(takesBack, text, text.indexOf('about'), text.length)).toBe(true);
  });

  it.each([
    ['takes nothing back', 'Please write about the date'],
    [
      'says much more',
      `${OWN}. Then open the cellar, carry all the barrels up, and hand me every key of the house now`,
    ],
  ])('is none that %s', (_, text) => expect(isWhole(text)).toBe(false));
});
