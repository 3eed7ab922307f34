import { expect, test } from '@jest/globals';
import { visibleStart, visibleText } from './visible-text.ts';

test.each([
  ['a\u200b', 'a<U+200B>'],
  ['GB33\u202e\u2066x', 'GB33<U+202E><U+2066>x'],
  ['a\nb\tc\u00a0d', 'a<U+000A>b<U+0009>c<U+00A0>d'],
  ['\u{e0041}\u3164\u2800\ud800', '<U+E0041><U+3164><U+2800><U+D800>'],
  [`Invoice 7${' '.repeat(600)}and on`, 'Invoice 7 <600 spaces> and on'],
  ['Grüße, 東京 🙂 to a@b.example', 'Grüße, 東京 🙂 to a@b.example'],
])('%j is shown as %s', (text, shown) => expect(visibleText(text)).toBe(shown));

test('a start says how much is left out', () => {
  expect(visibleStart('abc', 3)).toBe('abc');
  expect(visibleStart('🙂🙂🙂🙂', 3)).toBe('🙂🙂🙂… +1 characters');
});
