import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { eachWord } from './word-units.ts';

test('the words of a text are runs of letters, marks and digits', () => {
  const unit = fc.oneof(
    fc.constantFrom(...'aß9 .-\n語é\u0301ก'),
    fc.nat(0xd7ff).map((code) => String.fromCharCode(code)),
  );
  fc.assert(
    fc.property(fc.array(unit), (units) => {
      const text = units.join('');
      const words: string[] = [];
      eachWord(text, (start, end) => words.push(text.slice(start, end)));
      expect(words).toEqual(text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []);
    }),
  );
});
