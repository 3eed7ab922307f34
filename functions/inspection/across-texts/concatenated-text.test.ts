import { expect, it } from '@jest/globals';
import fc from 'fast-check';
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

it('ends with the end of the text before it, and knows what each piece is', () => {
  const added = fc.record({ text: fc.string({ maxLength: 12 }), from: fc.nat(4), separator: fc.constantFrom('', ' ') });
  fc.assert(
    fc.property(fc.array(added, { minLength: 2 }), fc.nat(40), (all, units) => {
      const builder = new ConcatenatedTextBuilder('user');
      for (const [at, { text, from, separator }] of all.entries())
        builder.add(at, text, Math.min(from, text.length), text.length, separator);
      const whole = builder.build()?.text ?? '';
      const end = builder.withEnd(units);
      end.add(all.length, 'new', 0, 3, '');
      const built = end.build();
      if (built === undefined) return;
      expect(built.text).toBe(`${units === 0 ? '' : whole.slice(-units)}new`);
      for (const { text, from, length, start } of built.parts)
        expect(built.text.slice(start, start + length)).toBe(text.slice(from, from + length));
    }),
  );
});
