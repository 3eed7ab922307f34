import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { byDayOrNight } from '../../../test/support/night.ts';
import { PatternSet } from './pattern-set.ts';

/** Matches by RE2, the reference for the syntax: leftmost-longest, as here. */
function byRe2(source: string, ignoreCase: boolean, text: string): string[] {
  const flags = RE2JS.LONGEST_MATCH | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  const matcher = RE2JS.compile(source, flags).matcher(text);
  const found: string[] = [];
  for (let from = 0; from <= text.length && matcher.find(from); from = Math.max(matcher.end(), from + 1)) {
    found.push(`${matcher.start()}-${matcher.end()}`);
  }
  return found;
}

const ATOMS = [
  'a',
  'B',
  'é',
  '.',
  '[ab]',
  '[^aé]',
  '\\d',
  '\\D',
  '\\w',
  '\\W',
  '\\p{Lu}',
  '\\P{L}',
  '[\\p{Ll}1]',
  '1',
  '-',
];
const ASSERTIONS = ['\\b', '\\B', '^', '$', '\\A', '\\z'];
const sources = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(...ATOMS),
    fc.constantFrom(...ASSERTIONS).map((assertion) => `(?:${assertion})`),
    fc.array(tie('node'), { minLength: 2, maxLength: 3 }).map((nodes) => nodes.join('')),
    fc.array(tie('node'), { minLength: 2, maxLength: 3 }).map((nodes) => `(${nodes.join('|')})`),
    fc
      .tuple(tie('node'), fc.constantFrom('?', '*', '+', '{2}', '{1,3}', '{2,}'))
      .map(([body, count]) => `(?:${body})${count}`),
    fc
      .tuple(fc.constantFrom('(?i:', '(?s:', '(?P<name>', '(?-i:'), tie('node'))
      .map(([head, body]) => `${head}${body})`),
  ),
})).node;
const texts = fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'B', 'é', 'É', '1', '-', ' ', '\n'), maxLength: 14 });

describe('against RE2', () => {
  it('finds the same matches for any pattern that both support', () => {
    let compared = 0;
    fc.assert(
      fc.property(sources, fc.boolean(), texts, (source, ignoreCase, text) => {
        const expected = byRe2Once(source, ignoreCase, text);
        const set = compiledOrUndefined(source, ignoreCase);
        fc.pre(expected !== undefined && set !== undefined);
        compared += 1;
        expect(set?.scan(text).map(({ start, end }) => `${start}-${end}`)).toEqual(expected);
      }),
      { numRuns: byDayOrNight(375, 1500) },
    );
    expect(compared).toBeGreaterThan(byDayOrNight(250, 1000));
  });
});

/** Undefined if RE2 rejects the pattern: two groups of one name, or repeats beyond its limit. */
function byRe2Once(source: string, ignoreCase: boolean, text: string): string[] | undefined {
  try {
    return byRe2(source, ignoreCase, text);
  } catch {
    return undefined;
  }
}

/** Undefined if the pattern matches the empty string. */
function compiledOrUndefined(source: string, ignoreCase: boolean): PatternSet | undefined {
  try {
    return new PatternSet([{ source, ignoreCase }]);
  } catch (error) {
    if (String(error).includes('empty string')) return undefined;
    throw error;
  }
}
