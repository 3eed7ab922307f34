import { describe, expect, it } from '@jest/globals';
import { Lexicon } from './lexicon.ts';
import { packLexicon, type WrittenPhrase } from './packed-phrases.ts';

function written(lang: string, words: Readonly<Record<string, readonly string[]>>): WrittenPhrase[] {
  return Object.entries(words).flatMap(([kind, phrases]) => phrases.map((phrase) => ({ lang, kind, phrase })));
}

const DATA = packLexicon(
  [
    ...written('de', { drop: ['ignorier*3', 'ignoriere nicht'], norm: ['regel*2'] }),
    ...written('es', { drop: ['ignora'] }),
    ...written('fr', { not: ['ne'] }),
    ...written('he', { drop: ['תעליב'] }),
  ],
  written('zh', { drop: ['忽略'], norm: ['指令'] }),
  [['he', 'ו']],
);
const lexicon = new Lexicon<'drop' | 'norm' | 'not'>(DATA);

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

  it('are found again among words with the same first letters', () => {
    for (const text of ['ignora', 'ignorant', 'ignor', 'ignora', 'ne', 'nest', 'ne']) {
      expect(found(text)).toEqual({ ignora: ['es drop ignora'], ne: ['fr not ne'] }[text] ?? []);
    }
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

  it('may come from several files', () => {
    const more = packLexicon(written('de', { norm: ['ignoriert', 'regeln und'] }), [], []);
    const hits = new Lexicon(DATA, more).find('ignoriert regeln und').get('de');
    expect(hits?.map(({ kind, start, end }) => [kind, start, end])).toEqual([
      ['drop', 0, 9],
      ['norm', 0, 9],
      ['norm', 10, 20],
    ]);
  });

  it('are not packed where a phrase holds what parts phrases', () => {
    for (const phrase of ['a|b', 'a,b', 'Ab'])
      expect(() => packLexicon(written('de', { norm: [phrase] }), [], [])).toThrow();
  });
});
