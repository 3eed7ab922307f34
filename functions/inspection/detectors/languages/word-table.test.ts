import { describe, expect, it } from '@jest/globals';
import { parseWordTables, phrasesOf, readable, unified } from './word-table.ts';

const phrases = (drop: string) =>
  phrasesOf({ lang: 'xx', ending: 2, words: { drop } }, 'drop').map((words) =>
    words.map(({ text, ending }) => text + (ending > 0 ? `+${ending}` : '')).join(' '),
  );

describe('a table of words', () => {
  it.each([
    ['parts phrases by bars', 'ignore | do not follow', ['ignore', 'do not follow']],
    [
      'spells out each choice',
      '{do not,never} {follow,obey}',
      ['do not follow', 'do not obey', 'never follow', 'never obey'],
    ],
    ['leaves room for endings behind a star', 'follow* us', ['follow+2 us']],
    ['is read as the folded view shows it', 'Überschreibe | Émile', ['uberschreibe', 'emile']],
  ])('%s', (_, written, expected) => {
    expect(phrases(written)).toEqual(expected);
  });

  it('makes letters one that are written for each other, and no text longer', () => {
    expect(unified('أإآٱ')).toBe('اااا');
    expect(unified('ignore all')).toBe('ignore all');
    expect(readable('كتابة')).toBe(unified(readable('کتابه')));
  });
});

describe('a file of words', () => {
  it('has a section for each language, whose lines may go on', () => {
    const text =
      '# Words.\n\n[de] German\norder: free\nending: 3\ndrop: lass | {a,\n  b} c\n  | vergiss\n\n[zh] Chinese\nspaced: false\nnot: 不\n';
    expect(parseWordTables(text, ['drop', 'not'])).toEqual([
      { lang: 'de', order: 'free', ending: 3, words: { drop: 'lass | {a, b} c | vergiss' } },
      { lang: 'zh', spaced: false, words: { not: '不' } },
    ]);
  });

  it.each(['dorp: lass', 'order: middle', 'lass'])('may not hold %j', (line) => {
    expect(() => parseWordTables(`[de]\n${line}\n`, ['drop'])).toThrow('not a field of the words of de');
  });
});
