import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CharSetPool } from './char-set.ts';
import { codeUnits } from './code-units.ts';
import { EDGE } from './context.ts';
import { choosePatterns, linkPatterns } from './link-patterns.ts';
import { degeneracy, threadBound } from './pattern-budget.ts';
import { encodePattern } from './pattern-code.ts';
import { addPattern, StateTable } from './thompson-program.ts';
import { ThreadTracker, TrackerScratch } from './thread-tracker.ts';

function compiled(source: string) {
  const table = new StateTable();
  const pool = new CharSetPool();
  addPattern(table, pool, source, false);
  return { table, pool, bound: threadBound(table, pool, 0, { left: 200_000 }) };
}

/** The actual maximum of the engine's threads on a text. */
function threadsOn(text: string, { table, pool }: ReturnType<typeof compiled>): number {
  const automaton = choosePatterns(linkPatterns([encodePattern(table, pool)]), [0]);
  const tracker = new ThreadTracker(automaton, new TrackerScratch(automaton), 1000);
  const units = codeUnits(text);
  let most = 0;
  for (let at = 0; at < text.length; at++) {
    const { classOf, sideOf } = automaton.alphabet;
    const before = at === 0 ? EDGE : (sideOf[classOf[units[at - 1] as number] as number] as 1 | 2);
    tracker.read(units, at, at + 1, 0, before);
    most = Math.max(most, tracker.threadCount);
  }
  return most;
}

const part = fc.constantFrom(
  'a',
  'b',
  '[ab]',
  '.',
  '\\b',
  'a*',
  '(?:a|ab)',
  'b{1,4}',
  '[^a]?',
  '(?:ab?){2}',
  '\\w+',
  ' ',
);
const sources = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => `${parts.join('')}a`);
const texts = fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 30 });

describe('the bound on threads', () => {
  it('is never below the number of threads on any text', () => {
    fc.assert(
      fc.property(sources, texts, (source, text) => {
        const pattern = compiled(source);
        expect(threadsOn(text, pattern)).toBeLessThanOrEqual(pattern.bound);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['abcdef', 1],
    ['aaaa', 4],
    ['(?:a+)+b', 1],
    ['a.{0,50}b', 51],
    ['\\b(?:cat|catalog|concat)\\b', 1],
    ['(?:cat|concat|attic)', 3],
  ])('of %s is %i', (source, bound) => expect(compiled(source).bound).toBe(bound));

  it('stays low for word lists that share letters', () => {
    const words = Array.from({ length: 200 }, (_, at) => ((at + 7) ** 9).toString(36));
    expect(compiled(words.join('|')).bound).toBeLessThan(12);
  });

  it('stops if it takes too long to compute', () => {
    expect(compiled('(?:[a-f]?){300}z').bound).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('degeneracy', () => {
  const graph = (...edges: readonly (readonly [number, number])[]) => {
    const neighbours = new Map<number, number[]>();
    for (const [a, b] of [...edges, ...edges.map(([a, b]) => [b, a] as const)]) {
      neighbours.set(a, [...(neighbours.get(a) ?? []), b]);
    }
    return neighbours;
  };

  it.each([
    ['nothing', graph(), 0],
    ['a star', graph([0, 1], [0, 2], [0, 3], [0, 4]), 1],
    ['a ring', graph([0, 1], [1, 2], [2, 3], [3, 0]), 2],
    [
      'four that are all connected, and a tail',
      graph([0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3], [3, 4], [4, 5]),
      3,
    ],
  ])('of %s', (_, neighbours, expected) => expect(degeneracy(neighbours)).toBe(expected));
});
