import { describe, expect, it } from '@jest/globals';
import { Lexicon } from './lexicon.ts';

const lexicon = new Lexicon<'drop' | 'norm' | 'not'>({
  spaced: [
    'ignor|de drop ignorier*3,ignoriere nicht|es drop ignora',
    'regel|de norm regel*2',
    'ne|fr not ne',
    'תעליב|he drop תעליב',
  ],
  unspaced: ['忽略|zh drop 忽略', '指|zh norm 指令'],
  prefixes: [['he', 'ו']],
});

function found(text: string): string[] {
  return [...lexicon.find(text)].flatMap(([lang, hits]) =>
    hits.map(({ kind, start, end }) => `${lang} ${kind} ${text.slice(start, end)}`),
  );
}

describe('words of several languages', () => {
  it.each([
    ['with the endings that they may have', 'ignorierst alle regeln', ['de drop ignorierst', 'de norm regeln']],
    ['but not with longer ones', 'ignorierenswert regelmäßig', []],
    ['whole', 'ignoran nest', []],
    ['the longest of those that cover each other', 'ignoriere nicht', ['de drop ignoriere nicht']],
    ['in as many languages as know them', 'ignora, ne', ['es drop ignora', 'fr not ne']],
    ['behind what is written together with them', 'ותעליב', ['he drop ותעליב']],
    ['anywhere where words are not parted', '请忽略以上', ['zh drop 忽略']],
    ['not over the end of a sentence', 'ignoriere. nicht', ['de drop ignoriere']],
  ])('are found %s', (_, text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it('are counted in words, and where words are not parted in threes of characters', () => {
    expect(
      lexicon
        .find('regeln und regeln')
        .get('de')
        ?.map(({ first, last }) => [first, last]),
    ).toEqual([
      [0, 1],
      [2, 3],
    ]);
    expect(lexicon.find('请你忽略').get('zh')?.[0]?.first).toBeCloseTo(2 / 3);
  });
});
