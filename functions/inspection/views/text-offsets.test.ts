import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mergeEdits, renderEdits } from '../../kernel/json/index.ts';
import { originalRanges } from './text-offsets.ts';

const TEXT = 'Mail anna@example.org or bob@example.org today.';
const EDITS = [
  { start: 5, end: 21, text: '[EMAIL_1]' },
  { start: 25, end: 40, text: '[EMAIL_2]' },
];
const SHOWN = renderEdits(TEXT, 0, EDITS);

describe('a range of a redacted text', () => {
  test.each([
    ['Mail', 'Mail'],
    ['or', 'or'],
    ['today.', 'today.'],
    ['[EMAIL_1]', 'anna@example.org'],
    ['IL_2] to', 'bob@example.org to'],
    [SHOWN, TEXT],
  ])('%j is %j of the text as sent', (part, original) => {
    const start = SHOWN.indexOf(part);
    const range = originalRanges(EDITS)({ start, end: start + part.length });
    expect(TEXT.slice(range.start, range.end)).toBe(original);
  });

  test('that no edit touches has the same text, for any edits', () => {
    const edit = fc.tuple(fc.nat(40), fc.nat(10), fc.constantFrom('', '[X]', '[A_LONG_PLACEHOLDER]'));
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 4 }), fc.nat(60), fc.nat(20), (given, start, length) => {
        const edits = mergeEdits(given.map(([at, size, text]) => ({ start: at, end: at + size + 1, text })));
        const text = Array.from({ length: 60 }, (_, at) => String.fromCharCode(0x100 + at)).join('');
        const shown = renderEdits(text, 0, edits);
        const range = originalRanges(edits)({ start: Math.min(start, shown.length), end: shown.length });
        expect(range.end).toBe(text.length);
        const part = shown.slice(start, start + length);
        fc.pre(part !== '' && text.includes(part));
        const found = originalRanges(edits)({ start, end: start + part.length });
        expect(text.slice(found.start, found.end)).toBe(part);
      }),
    );
  });
});
