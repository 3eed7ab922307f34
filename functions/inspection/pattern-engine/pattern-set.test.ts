import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { byDayOrNight } from '../../../test/support/night.ts';
import { compilePattern, type PatternSource } from './link-patterns.ts';
import { PatternSyntaxError } from './parse-pattern.ts';
import { compareMatches, type PatternMatch } from './pattern-match.ts';
import { PatternSet } from './pattern-set.ts';
import { ThreadTracker } from './thread-tracker.ts';

const LETTERS = ['a', 'b', ' '];

const ATOMS = ['a', 'b', ' ', '.', '[ab]', '[^a]', '\\w', '\\W', '\\s', '(?:\\b)', '(?:\\B)', '(?:^)', '(?:$)'];

/** Sources over a small alphabet with many partial, overlapping and assertion-bound matches. */
function sourcesWith(maxDepth: number, parts: number, quantifiers: readonly string[]): fc.Arbitrary<string> {
  return fc.letrec<{ node: string }>((tie) => {
    const several = fc.array(tie('node'), { minLength: 2, maxLength: parts });
    return {
      node: fc.oneof(
        { maxDepth, withCrossShrink: true },
        fc.constantFrom(...ATOMS),
        several.map((nodes) => nodes.join('')),
        several.map((nodes) => `(?:${nodes.join('|')})`),
        fc.tuple(tie('node'), fc.constantFrom(...quantifiers)).map(([body, count]) => `(?:${body})${count}`),
      ),
    };
  }).node;
}

const source = sourcesWith(4, 3, ['?', '*', '+', '{2}', '{1,2}', '{2,}']);
/** Four more characters are enough to prove which threads of these are live. */
const shortSource = sourcesWith(2, 2, ['?', '*', '+', '{1,2}']);
const sources = fc.array(fc.record({ source, ignoreCase: fc.boolean() }), { minLength: 1, maxLength: 3 });
const text = (maxLength: number) => fc.string({ unit: fc.constantFrom(...LETTERS, 'B'), maxLength });

function compiled(patterns: readonly PatternSource[], options = {}): PatternSet {
  try {
    return new PatternSet(patterns, options);
  } catch (error) {
    fc.pre(!(error instanceof PatternSyntaxError && /empty string|expand the pattern/.test(error.message)));
    throw error;
  }
}

/** The leftmost-longest matches of one pattern, by testing every start and end with V8. */
function oracle({ source, ignoreCase = false }: PatternSource, pattern: number, text: string): PatternMatch[] {
  const endingBefore = Array.from({ length: text.length }, (_, rest) => {
    return new RegExp(`(?:${source})(?=[^]{${rest}}(?![^]))`, ignoreCase ? 'iy' : 'y');
  });
  const longest = (start: number): number => {
    for (let end = text.length; end > start; end--) {
      const regExp = endingBefore[text.length - end] as RegExp;
      regExp.lastIndex = start;
      if (regExp.test(text)) return end;
    }
    return start;
  };
  const matches: PatternMatch[] = [];
  for (let start = 0; start < text.length; start++) {
    const end = longest(start);
    if (end === start) continue;
    matches.push({ pattern, start, end });
    start = end - 1;
  }
  return matches;
}

function oracleAll(patterns: readonly PatternSource[], text: string): PatternMatch[] {
  return patterns.flatMap((pattern, index) => oracle(pattern, index, text)).sort(compareMatches);
}

/** Splits a text at pseudo-random offsets, sometimes into empty pieces. */
function pieces(text: string, cuts: readonly number[]): string[] {
  const at = [0, ...cuts.map((cut) => cut % (text.length + 1)), text.length].sort((a, b) => a - b);
  return at.slice(1).map((end, index) => text.slice(at[index], end));
}

interface Step {
  readonly returned: PatternMatch[];
  readonly settled: number;
  readonly length: number;
}

function streamed(
  set: PatternSet,
  parts: readonly string[],
  stream = set.stream(),
): { all: PatternMatch[]; steps: Step[] } {
  const all: PatternMatch[] = [];
  const steps: Step[] = [];
  for (const part of parts) {
    all.push(...stream.push(part));
    steps.push({ returned: [...all], settled: stream.settled, length: stream.length });
  }
  all.push(...stream.end());
  steps.push({ returned: [...all], settled: stream.settled, length: stream.length });
  return { all: all.sort(compareMatches), steps };
}

const cuts = fc.array(fc.nat(200), { maxLength: 8 });

describe('a pattern set', () => {
  it('finds the leftmost-longest matches that V8 allows', () => {
    fc.assert(
      fc.property(sources, text(12), (patterns, text) => {
        expect(compiled(patterns).scan(text)).toEqual(oracleAll(patterns, text));
      }),
      { numRuns: byDayOrNight(375, 1500) },
    );
  });

  it('finds the same for any split of the text and any size of the DFA cache', () => {
    fc.assert(
      fc.property(sources, text(80), cuts, fc.constantFrom(1, 6, 8, 10_000), (patterns, text, cuts, maxStates) => {
        const set = compiled(patterns, { maxStates });
        const whole = compiled(patterns).scan(text);
        expect(streamed(set, pieces(text, cuts)).all).toEqual(whole);
        expect(streamed(set, [...text]).all).toEqual(whole);
        expect(set.scan(text)).toEqual(whole);
        for (const parts of [pieces(text, cuts), [...text]]) {
          expect(streamed(set, parts, set.watch()).all).toEqual(whole);
        }
      }),
      { numRuns: byDayOrNight(200, 800) },
    );
  });

  it('finds the same for any split if matches reach the maximum length', () => {
    fc.assert(
      fc.property(sources, text(40), cuts, fc.integer({ min: 1, max: 6 }), (patterns, text, cuts, maxMatchLength) => {
        const set = compiled(patterns, { maxMatchLength, maxStates: 12 });
        const { all, steps } = streamed(set, pieces(text, cuts));
        const whole = set.scan(text);
        expect(all).toEqual(whole);
        expect(streamed(set, [...text]).all).toEqual(whole);
        expect(streamed(set, pieces(text, cuts), set.watch()).all).toEqual(whole);
        expect(streamed(set, [...text], set.watch()).all).toEqual(whole);
        for (const { start, end } of whole) expect(end - start).toBeLessThanOrEqual(maxMatchLength);
        for (const { settled, length } of steps) expect(length - settled).toBeLessThan(maxMatchLength);
        for (const match of shortMatches(patterns, text, maxMatchLength)) {
          expect(whole.some((found) => overlaps(found, match))).toBe(true);
        }
      }),
      { numRuns: byDayOrNight(200, 800) },
    );
  });

  it("keeps interleaved streams independent when they evict each other's DFA cache", () => {
    fc.assert(
      fc.property(sources, text(30), text(30), (patterns, left, right) => {
        const set = compiled(patterns, { maxStates: 5 });
        const streams = [left, right, left].map((text, at) => ({
          text,
          stream: at < 2 ? set.watch() : set.stream(),
          found: [] as PatternMatch[],
        }));
        for (let i = 0; i < 30; i++) {
          for (const { text, stream, found } of streams) found.push(...stream.push(text.slice(i, i + 1)));
        }
        for (const { text, stream, found } of streams) {
          found.push(...stream.end());
          expect(found.sort(compareMatches)).toEqual(compiled(patterns).scan(text));
        }
      }),
      { numRuns: byDayOrNight(50, 200) },
    );
  });
});

describe('some patterns of a set', () => {
  it('find the matches of a separate set, with their own numbers', () => {
    const chosen = fc.array(fc.boolean(), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(sources, chosen, text(60), (patterns, chosen, text) => {
        const whole = compiled(patterns);
        const numbers = [...patterns.keys()];
        for (const numbered of [numbers.filter((at) => chosen[at]), numbers.filter((at) => !chosen[at])]) {
          const alone = compiled(numbered.map((number) => patterns[number] as PatternSource)).scan(text);
          const expected = alone.map((match) => ({ ...match, pattern: numbered[match.pattern] as number }));
          const stream = whole.only(numbered).stream();
          expect([...stream.push(text), ...stream.end()].sort(compareMatches)).toEqual(expected);
        }
        expect(whole.scan(text)).toEqual(oracleAll(patterns, text));
      }),
      { numRuns: byDayOrNight(100, 400) },
    );
  });
});

describe('patterns compiled before', () => {
  it('find the same as when compiled together', () => {
    fc.assert(
      fc.property(sources, text(40), (patterns, text) => {
        const together = compiled(patterns).scan(text);
        const kept = JSON.parse(JSON.stringify(patterns.map((pattern) => ({ code: compilePattern(pattern) }))));
        expect(new PatternSet(kept).scan(text)).toEqual(together);
      }),
      { numRuns: byDayOrNight(50, 200) },
    );
  });
});

describe('a long text', () => {
  const parts = ['a', 'b', 'ab', 'ab ', ' ', 'B', 'é\n'];
  const runs = fc.tuple(fc.constantFrom(...parts), fc.integer({ min: 1, max: 300 }));
  const long = fc.array(runs, { maxLength: 12 }).map((all) => all.map(([unit, count]) => unit.repeat(count)).join(''));
  const longSource = sourcesWith(3, 3, ['?', '*', '+', '{1,2}', '{3,7}', '{20,}', '{0,40}']);
  const several = fc.array(fc.record({ source: longSource }), { minLength: 1, maxLength: 4 });

  it('has the matches that tracking every thread finds, whole and in pieces', () => {
    fc.assert(
      fc.property(
        several,
        long,
        fc.array(fc.nat(3000), { maxLength: 12 }),
        fc.constantFrom(4, 50, 400, 8192),
        fc.constantFrom(6, 60, 10_000),
        (patterns, text, cuts, maxMatchLength, maxStates) => {
          const set = compiled(patterns, { maxMatchLength, maxStates });
          // A stream with an earlier push tracks every thread.
          const { all } = streamed(set, ['', text]);
          expect(set.scan(text)).toEqual(all);
          expect(streamed(set, pieces(text, cuts), set.watch()).all).toEqual(all);
        },
      ),
      { numRuns: byDayOrNight(37, 150) },
    );
  });

  it.each([
    ['threads that soon end', 'abab[ab]{0,4}c', 'ab'.repeat(10_000), 0],
    ['a match that grows', 'a{20,}b?', 'a'.repeat(20_000), 0],
    ['what follows a match', 'c[ab ]{0,300}d|\\bb(?: ?[ab]){12,18}\\b', `c${'babababa '.repeat(2000)}`, 2000],
  ])('is not tracked for %s', (_, source, text, most) => {
    const tracked = jest.spyOn(ThreadTracker.prototype, 'read');
    streamed(compiled([]), pieces(text, [5000, 10_000, 15_000]), compiled([{ source }]).watch());
    const units = tracked.mock.calls.reduce((sum, [, from, to]) => sum + to - from, 0);
    tracked.mockRestore();
    expect(units).toBeLessThanOrEqual(most);
  });
});

/** Every match below the maximum length, overlapping or not. */
function shortMatches(patterns: readonly PatternSource[], text: string, maxMatchLength: number): PatternMatch[] {
  const found: PatternMatch[] = [];
  for (const [pattern, { source, ignoreCase = false }] of patterns.entries()) {
    for (let start = 0; start < text.length; start++) {
      for (let end = start + 1; end <= text.length && end - start < maxMatchLength; end++) {
        const flags = ignoreCase ? 'iy' : 'y';
        const regExp = new RegExp(`(?:${source})(?=[^]{${text.length - end}}(?![^]))`, flags);
        regExp.lastIndex = start;
        if (regExp.test(text)) found.push({ pattern, start, end });
      }
    }
  }
  return found;
}

function overlaps(a: PatternMatch, b: PatternMatch): boolean {
  return a.pattern === b.pattern && a.start < b.end && b.start < a.end;
}

describe('the maximum match length', () => {
  const scan = (source: string, text: string) =>
    new PatternSet([{ source }], { maxMatchLength: 4 }).scan(text).map(({ start, end }) => [start, end]);

  it('cuts a longer match, and starts the next one after it', () => {
    expect(scan('a+', 'aaaaaaaaa b')).toEqual([
      [0, 4],
      [4, 8],
      [8, 9],
    ]);
  });

  it('drops a start that is too far back, and continues with a later one in the same state', () => {
    expect(scan('a[^b]*b', 'aaaaab')).toEqual([[2, 6]]);
    expect(scan('a[^b]*b', 'axxxxb')).toEqual([]);
  });

  it('drops a match of exactly that length that only the next character could confirm', () => {
    expect(scan('\\ba+\\b', 'aaa aaaa')).toEqual([[0, 3]]);
  });
});

describe('matching', () => {
  it('takes time linear in the text where backtracking takes forever', () => {
    expect(new PatternSet([{ source: '(?:a|a|aa)*b' }, { source: '(?:a*)*c' }]).scan('a'.repeat(50_000))).toEqual([]);
  });

  it('distinguishes patterns that match the same text', () => {
    expect(new PatternSet([{ source: 'ab' }, { source: 'b' }, { source: 'ab' }]).scan('ab')).toEqual([
      { pattern: 0, start: 0, end: 2 },
      { pattern: 2, start: 0, end: 2 },
      { pattern: 1, start: 1, end: 2 },
    ]);
  });

  it('finds nothing with no patterns', () => {
    const set = new PatternSet([]);
    expect([set.size, set.scan('text')]).toEqual([0, []]);
    const stream = set.stream();
    stream.push('te');
    expect([stream.settled, stream.length]).toEqual([2, 2]);
  });
});

describe('a pattern stream', () => {
  it('has returned every match before the settled offset, which only grows', () => {
    fc.assert(
      fc.property(sources, text(30), cuts, (patterns, text, cuts) => {
        const { all, steps } = streamed(compiled(patterns), pieces(text, cuts));
        let last = 0;
        for (const { returned, settled } of steps) {
          expect(settled).toBeGreaterThanOrEqual(last);
          last = settled;
          expect(returned.filter(({ start }) => start < settled).sort(compareMatches)).toEqual(
            all.filter(({ start }) => start < settled),
          );
        }
      }),
      { numRuns: byDayOrNight(125, 500) },
    );
  });

  it('that only watches has returned every match before an offset that only grows', () => {
    fc.assert(
      fc.property(sources, text(60), cuts, (patterns, text, cuts) => {
        const set = compiled(patterns, { maxStates: 20 });
        const { all, steps } = streamed(set, pieces(text, cuts), set.watch());
        let last = 0;
        for (const { returned, settled, length } of steps) {
          expect(settled).toBeGreaterThanOrEqual(last);
          expect(settled).toBeLessThanOrEqual(length);
          last = settled;
          expect(returned.filter(({ start }) => start < settled).sort(compareMatches)).toEqual(
            all.filter(({ start }) => start < settled),
          );
        }
      }),
      { numRuns: byDayOrNight(125, 500) },
    );
  });

  it('settles exactly up to the first start of a match that some continuation creates or alters', () => {
    const tails = continuations(4);
    const few = fc.array(fc.record({ source: shortSource }), { minLength: 1, maxLength: 2 });
    fc.assert(
      fc.property(few, text(7), (patterns, text) => {
        // a\B|a\b has matched after an a for any continuation, but each of its two threads waits for the next character.
        fc.pre(patterns.every(({ source }) => !(source.includes('\\b') && source.includes('\\B'))));
        const set = compiled(patterns);
        const stream = set.stream();
        const returned = [...text].flatMap((char) => stream.push(char));
        const outcomes = tails.map((tail) => set.scan(text + tail));
        const certain = (outcomes[0] as PatternMatch[]).filter((match) =>
          outcomes.every((outcome) => outcome.some((other) => compareMatches(match, other) === 0)),
        );
        const uncertain = outcomes
          .flat()
          .filter((match) => !certain.some((other) => compareMatches(match, other) === 0));
        expect(returned.sort(compareMatches)).toEqual(certain);
        expect(stream.settled).toBe(Math.min(text.length, ...uncertain.map(({ start }) => start)));
      }),
      { numRuns: byDayOrNight(100, 400) },
    );
  });

  it('rejects text after its end', () => {
    const stream = new PatternSet([{ source: 'a' }]).stream();
    expect(stream.push('ba')).toEqual([{ pattern: 0, start: 1, end: 2 }]);
    expect(stream.end()).toEqual([]);
    expect([stream.settled, stream.length]).toEqual([2, 2]);
    expect(() => stream.push('a')).toThrow('ended');
    expect(() => stream.end()).toThrow('ended');
  });
});

/** Every string over the letters up to a length, the empty one first. */
function continuations(maxLength: number): string[] {
  const all = [''];
  for (let first = 0, length = 0; length < maxLength; length++) {
    const { length: end } = all;
    for (; first < end; first++) all.push(...LETTERS.map((letter) => all[first] + letter));
  }
  return all;
}
