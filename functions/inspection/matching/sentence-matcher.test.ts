import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cutAt } from '../../kernel/json/cut-at.fixture.ts';
import type { PatternMatch } from '../pattern-engine/index.ts';
import type { SentenceCues, WordFinder } from './rule.ts';
import { SentenceMatcher } from './sentence-matcher.ts';

/** Finds `stop` and `go`. */
const WORDS: WordFinder = {
  eachIn(text, _, report) {
    for (const match of text.matchAll(/\b(?:stop|go)\b/g)) report(match[0], match.index);
  },
};

function cuesFor(...kinds: string[]): SentenceCues {
  return { words: WORDS, kinds: new Set(kinds) };
}

const matcher = new SentenceMatcher([cuesFor('stop'), cuesFor('go'), cuesFor('stop', 'go')]);

function read(pieces: readonly string[]): PatternMatch[] {
  const stream = matcher.stream();
  const found = pieces.flatMap((piece) => stream.push(piece));
  return [...found, ...stream.end()];
}

const shown = (text: string) => read([text]).map(({ pattern, start, end }) => `${pattern} ${text.slice(start, end)}`);

describe('sentences', () => {
  it.each([
    ['from the first cue to the end of the sentence', 'please stop now. then rest', ['0 stop now', '2 stop now']],
    ['once for the same cues', 'stop and stop.', ['0 stop and stop', '2 stop and stop']],
    ['in each sentence', 'go! stop', ['1 go', '2 go', '0 stop', '2 stop']],
    ['that end with marks of other scripts', 'go。今。stop', ['1 go', '2 go', '0 stop', '2 stop']],
    ['but not without a cue', 'wait here.', []],
  ])('are found %s', (_, text, expected) => {
    expect(shown(text)).toEqual(expected);
  });

  it('end far from a cue, and start again at the next', () => {
    const text = `go ${'on '.repeat(200)}go on`;
    const starts = read([text])
      .filter(({ pattern }) => pattern === 1)
      .map(({ start }) => start);
    expect(starts).toEqual([0, text.length - 'go on'.length]);
  });

  it('are the same for any split of the text', () => {
    const word = fc.constantFrom('stop', 'go', 'on', '.', '!\n', '。', 'x'.repeat(3000), 'end');
    const texts = fc.array(word, { maxLength: 20 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(texts, fc.array(fc.nat(20_000), { maxLength: 12 }), (text, cuts) => {
        expect(read(cutAt(text, cuts))).toEqual(read([text]));
      }),
    );
  });

  it('hold back at most the longest sentence, and no text of later matches is settled', () => {
    const stream = matcher.stream();
    const piece = 'go on '.repeat(500);
    for (let i = 0; i < 20; i++) {
      const before = stream.settled;
      for (const { start } of stream.push(piece)) expect(start).toBeGreaterThanOrEqual(before);
      expect(stream.length - stream.settled).toBeLessThan(8192);
    }
    expect(stream.length).toBe(20 * piece.length);
  });

  it('cannot be read after the end', () => {
    const stream = matcher.stream();
    stream.end('go');
    expect(() => stream.push('on')).toThrow();
  });
});
