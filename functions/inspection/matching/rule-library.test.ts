import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cutAt } from '../../kernel/json/cut-at.fixture.ts';
import { PatternSet } from '../pattern-engine/index.ts';
import type { Rule } from './rule.ts';
import { compileRules, joined, RuleLibrary } from './rule-library.ts';

const rule = (fields: Partial<Rule>): Rule => ({
  id: 'test/rule',
  type: 'jailbreak',
  category: 'test',
  severity: 'low',
  score: 0.5,
  view: 'exact',
  patterns: ['ab'],
  surfaces: ['user'],
  message: 'A test.',
  owasp: 'LLM01:2025',
  atlas: null,
  ...fields,
});

/** Ids of the rules that match, each at most once. */
function idsIn(text: string, library: RuleLibrary, rules: readonly Rule[]): string[] {
  const compiled = library.compiled(rules, 'exact');
  const stream = compiled.patterns.stream();
  return [...new Set([...stream.push(text), ...stream.end()].map((match) => compiled.ruleOf(match).id))];
}

describe('a library of rules', () => {
  it('matches the selected rules and returns the rule of each match', () => {
    const [a, b, same] = [
      rule({ id: 'test/a', patterns: ['a'] }),
      rule({ id: 'test/b', patterns: ['b'] }),
      rule({ id: 'test/same', patterns: ['a'] }),
    ];
    const library = new RuleLibrary([a, b, same, rule({ id: 'test/other', view: 'folded' })]);
    expect(idsIn('ab', library, [a, b])).toEqual(['test/a', 'test/b']);
    expect(idsIn('ab', library, [same])).toEqual(['test/same']);
    expect(idsIn('ab', library, [same, a]).sort()).toEqual(['test/a', 'test/same']);
  });

  it('compiles a rule that has changed since codes were generated', () => {
    const before = [
      rule({ id: 'test/pattern', patterns: ['ab'] }),
      rule({ id: 'test/case', patterns: ['cd'] }),
      rule({ id: 'test/view', patterns: ['é'], view: 'folded' }),
    ];
    const after = [
      rule({ id: 'test/pattern', patterns: ['ax'] }),
      rule({ id: 'test/case', patterns: ['cd'], ignoreCase: true }),
      rule({ id: 'test/view', patterns: ['é'] }),
    ];
    const library = new RuleLibrary(after, compileRules(before));
    expect(idsIn('ab e cd', library, after)).toEqual(['test/case']);
    expect(idsIn('ax é CD', library, after)).toEqual(['test/pattern', 'test/view', 'test/case']);
  });

  it('uses the code of an unchanged rule', () => {
    const rules = [rule({ patterns: ['ab'] })];
    const [key = ''] = Object.keys(compileRules(rules));
    const [code = ''] = Object.values(compileRules([rule({ patterns: ['xy'] })]));
    expect(idsIn('xy', new RuleLibrary(rules, { [key]: code }), rules)).toEqual(['test/rule']);
  });
});

const first = new PatternSet([{ source: 'ab+' }, { source: 'c' }].map((one) => ({ ...one, ignoreCase: false })));
const second = new PatternSet([{ source: 'b[^.]*\\.', ignoreCase: false }]);
const both = joined(first, second, 2);

describe('two joined matchers', () => {
  it('return matches in order of offset, those of the second numbered after the first', () => {
    expect(both.watch().end('c abb x. c')).toEqual([
      { pattern: 1, start: 0, end: 1 },
      { pattern: 0, start: 2, end: 5 },
      { pattern: 2, start: 3, end: 8 },
      { pattern: 1, start: 9, end: 10 },
    ]);
  });

  it('settle what both have settled, with the same matches for any split', () => {
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
