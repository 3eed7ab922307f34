import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PatternSet } from '../../pattern-engine/pattern-set.ts';
import { cutAt } from '../cut-at.fixture.ts';
import { joined } from './joined-matcher.ts';

const first = new PatternSet([{ source: 'ab+' }, { source: 'c' }].map((one) => ({ ...one, ignoreCase: false })));
const second = new PatternSet([{ source: 'b[^.]*\\.', ignoreCase: false }]);
const both = joined(first, second, 2);

describe('two matchers as one', () => {
  it('tell in order of place, those of the second numbered behind the first', () => {
    expect(both.watch().end('c abb x. c')).toEqual([
      { pattern: 1, start: 0, end: 1 },
      { pattern: 0, start: 2, end: 5 },
      { pattern: 2, start: 3, end: 8 },
      { pattern: 1, start: 9, end: 10 },
    ]);
  });

  it('have settled what both have, and tell the same however the text is cut', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '.', ' '), maxLength: 40 });
    fc.assert(
      fc.property(texts, fc.array(fc.nat(40), { maxLength: 8 }), (text, cuts) => {
        const stream = both.stream();
        const alone = [first.stream(), second.stream()];
        const found = [];
        for (const piece of cutAt(text, cuts)) {
          found.push(...stream.push(piece));
          for (const one of alone) one.push(piece);
          expect(stream.settled).toBe(Math.min(...alone.map(({ settled }) => settled)));
        }
        found.push(...stream.end());
        expect(new Set(found.map((match) => JSON.stringify(match)))).toEqual(
          new Set(
            both
              .watch()
              .end(text)
              .map((match) => JSON.stringify(match)),
          ),
        );
        expect(stream.length).toBe(text.length);
      }),
    );
  });
});
