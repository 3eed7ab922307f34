import { describe, expect, it } from '@jest/globals';
import { disguisesOf } from './hit-findings.ts';

describe('a disguise', () => {
  // Each twice, since the kinds of characters are cached.
  it.each([
    ['invisible characters', 'ig\u200bnore', ['invisible']],
    ['letters of another width', 'ｉｇｎｏｒｅ', ['lookalike']],
    ['mathematical letters', '\u{1d422}gnore', ['lookalike']],
    ['letters of another script among Latin ones', 'іgnore', ['lookalike']],
    ['both', 'іgn\u00adore', ['invisible', 'lookalike']],
  ])('is detected in %s', (_, raw, signals) => {
    expect(disguisesOf(raw)).toEqual(signals);
    expect(disguisesOf(raw)).toEqual(signals);
  });

  it.each([
    ['ASCII', 'ignore all rules'],
    ['accents', 'ignoré à côté'],
    ['letters of another script by themselves', 'соре'],
    ['two scripts in separate words', 'соре core'],
    ['tags, which another rule reports', 'a\u{e0061}'],
    ['an emoji', 'core \u{1f600}'],
  ])('is not detected in %s', (_, raw) => expect(disguisesOf(raw)).toEqual([]));
});
