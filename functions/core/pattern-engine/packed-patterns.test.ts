import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { LinkedPatterns } from './automaton.ts';
import { columnsOf } from './lazy-dfa.ts';
import { compilePattern, linkPatterns } from './link-patterns.ts';
import { packPatterns, unpackPatterns } from './packed-patterns.ts';
import { PatternSet } from './pattern-set.ts';

const SOURCES = ['ab+', '\\bkey\\s?[a-f\\d]{3,5}\\b', '(?:a|bc)*d', '\\p{Script=Greek}+', '[^\\n]x$', '^\\Aα', '.{2}é'];
const chosen = fc.subarray(SOURCES);

function linked(sources: readonly string[]): LinkedPatterns {
  return linkPatterns(sources.map((source) => compilePattern({ source })));
}

/** Everything that matching reads of linked patterns, whichever kinds of arrays it lies in. */
function read({ alphabet, commonColumns, ...rest }: LinkedPatterns): object {
  const { classesOf: _, ...read } = alphabet as typeof alphabet & { classesOf?: unknown };
  const plain = (value: object) => Object.fromEntries(Object.entries(value).map(([name, of]) => [name, list(of)]));
  const part = { first: 0, end: rest.stateCount, isCommon: true };
  return {
    ...plain(rest),
    alphabet: plain(read),
    columns: plain(commonColumns ?? columnsOf({ alphabet, ...rest }, part)),
  };
}

function list(value: unknown): unknown {
  return typeof value === 'number' ? value : Array.from(value as ArrayLike<unknown>, list);
}

describe('packed patterns', () => {
  it('are what was linked', () => {
    fc.assert(
      fc.property(chosen, (sources) => {
        expect(read(unpackPatterns(packPatterns(linked(sources))))).toEqual(read(linked(sources)));
      }),
      { numRuns: 20 },
    );
  });

  it('can lie anywhere among other bytes', () => {
    const packed = packPatterns(linked(SOURCES));
    const text = 'a key 12ab, abcd αβγ xxé bx';
    const expected = new PatternSet(SOURCES.map((source) => ({ source }))).scan(text);
    expect(expected.length).toBeGreaterThan(3);
    for (const offset of [0, 1, 2, 3, 4]) {
      const bytes = new Uint8Array(packed.length + offset);
      bytes.set(packed, offset);
      expect(new PatternSet({ packed: bytes.subarray(offset) }).scan(text)).toEqual(expected);
    }
  });
});
