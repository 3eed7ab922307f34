import { expect, it } from '@jest/globals';
import { ConcatenatedTextBuilder, spansMarkupOnly } from './concatenated-text.ts';

/** Whether a range, given by its text, touches all but one of the texts only in their enclosing tags. */
function isMarkupOnly(texts: readonly string[], range: string): boolean {
  const builder = new ConcatenatedTextBuilder('user');
  for (const [source, text] of texts.entries()) builder.add(source, text, 0, text.length, ' ');
  const joined = builder.build();
  if (joined === undefined) throw new Error('nothing joined');
  const start = joined.text.indexOf(range);
  return spansMarkupOnly(joined, start, start + range.length);
}

it.each([
  [['<a>one</a>', '<b>two</b>'], '/a> <b>two', true],
  [['<a>one</a>', '<b>two</b>'], 'one</a> <b>', true],
  [['<a>one</a>', '<b>two</b>'], 'one</a> <b>two', false],
  [['one', '<b>two</b>'], 'one <b>', true],
  [['one two', 'three four'], 'two three', false],
  [['<a>one</a>', 'two', '<b>three</b>'], '</a> two <b>', true],
  [['<a>one</a>', 'two', 'three'], 'one</a> two th', false],
])('distinguishes words from enclosing tags: %j, %s', (texts, range, expected) => {
  expect(isMarkupOnly(texts, range)).toBe(expected);
});
