import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fold } from './folded.ts';
import { digestAfter, ParsedSource, PartTexts, SourceCache } from './parsed-source.ts';

const RESULT = JSON.stringify({
  from: 'kim@a.test',
  rows: [{ id: 'INC-7' }, { id: 'INC-8' }],
  body: 'Hello there. See INC-8.',
});

describe('a parsed text', () => {
  it('has its fields and its prose', () => {
    const { fields, prose } = new ParsedSource(RESULT);
    expect(fields.text).toBe('kim@a.test\ninc-7\ninc-8');
    expect(prose.text).toBe('hello there. see inc-8.');
  });

  it.each([
    ['inc-8', [['.rows[1].id', 0]]],
    ['inc-7', [['.rows[0].id', 0]]],
    ['kim@a.test', [['.from', 0]]],
    [
      'inc',
      [
        ['.rows[0].id', 0],
        ['.rows[1].id', 0],
      ],
    ],
    ['in', []],
    ['', []],
  ])('has the places of "%s"', (form, places) => {
    const found = [...new ParsedSource(RESULT).fields.find(form, false)];
    expect(found.map(({ part, at }) => [part.path, at])).toEqual(places);
  });

  it.each([
    [['pay', 'kim', 'today'], 2, 'pay it today.'],
    [['hello'], 1, 'hello there.'],
    [['nothing'], 0, undefined],
    [[], 0, undefined],
  ])('has the sentence with most of %j', (pieces, count, text) => {
    const found = new ParsedSource('Hello there. Pay it today. Kim knows. Bye.').mostRepeating(pieces);
    expect(found.count).toBe(count);
    if (text !== undefined) expect(found.text.trim()).toBe(text.trim());
  });

  it('has its parts folded as each alone, whatever they contain', () => {
    const text = fc
      .array(fc.constantFrom('Ä', 'a ', ' ', '\n', '\u0301', 'Σ', '~`~', '~', 'ﬁ', '\u200b'))
      .map((all) => all.join(''));
    fc.assert(
      fc.property(fc.array(text), (texts) => {
        const { parts } = new PartTexts(texts.map((one) => ({ path: '', text: one, isProse: true })));
        expect(parts.map(({ folded }) => folded)).toEqual(texts.map(fold));
      }),
    );
  });

  it('may have no prose', () => expect(new ParsedSource('').mostRepeating(['a'])).toEqual({ count: 0, text: '' }));
});

describe('the cache', () => {
  it('returns what it read under the same key', () => {
    const cache = new SourceCache(1000);
    expect(cache.read('a', 'text')).toBe(cache.read('a', 'text'));
    expect(cache.read('a', 'text')).not.toBe(cache.read('b', 'text'));
  });

  it('drops what was read longest ago when it is full', () => {
    const cache = new SourceCache(100);
    const [a, b] = [cache.read('a', 'x'.repeat(6)), cache.read('b', 'x'.repeat(6))];
    expect(cache.read('a', 'x'.repeat(6))).toBe(a);
    cache.read('c', 'x'.repeat(6));
    expect(cache.read('a', 'x'.repeat(6))).toBe(a);
    expect(cache.read('b', 'x'.repeat(6))).not.toBe(b);
  });

  it('reads a text that is larger than all of it', () => {
    expect(new SourceCache(1).read('a', 'Hello there.').fields.text).toBe('hello there.');
  });
});

describe('a digest of a turn', () => {
  it('depends on all turns before it, and on each half character', () => {
    const after = digestAfter(digestAfter('', 'user', 'a'), 'tool', 'b');
    expect(after).toBe(digestAfter(digestAfter('', 'user', 'a'), 'tool', 'b'));
    const others = [
      digestAfter('', 'tool', 'b'),
      digestAfter(digestAfter('', 'user', 'ab'), 'tool', ''),
      digestAfter(digestAfter('', 'system', 'a'), 'tool', 'b'),
      digestAfter('', 'tool', '\ud800'),
      digestAfter('', 'tool', '\ud801'),
    ];
    expect(new Set([after, ...others]).size).toBe(6);
  });
});
