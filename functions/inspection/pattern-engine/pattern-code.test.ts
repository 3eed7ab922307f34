import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CodeReader, digitsOf } from './pattern-code.ts';

describe('the digits of a code', () => {
  it('encode every number, one after the other', () => {
    const number = fc.oneof(fc.nat(100), fc.nat(0x10000), fc.nat());
    fc.assert(
      fc.property(fc.array(number), (numbers) => {
        const reader = new CodeReader(numbers.map(digitsOf).join(''));
        expect(numbers.map(() => reader.next())).toEqual(numbers);
        expect(reader.isAtEnd).toBe(true);
      }),
    );
  });

  it('are printable ASCII, so that a file of codes can be compared by lines', () => {
    fc.assert(fc.property(fc.nat(), (number) => expect(digitsOf(number)).toMatch(/^[0-o]+$/)));
  });
});
