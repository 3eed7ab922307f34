import { describe, expect, it } from '@jest/globals';
import type { Rule } from '../rule.ts';
import { compileRules, linkRules, RuleLibrary } from './rule-library.ts';

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

/** Ids of the rules that find something, each at most once. */
function idsIn(text: string, library: RuleLibrary, rules: readonly Rule[]): string[] {
  const compiled = library.compiled(rules, 'exact');
  const stream = compiled.patterns.stream();
  return [...new Set([...stream.push(text), ...stream.end()].map((match) => compiled.ruleOf(match).id))];
}

describe('a library of rules', () => {
  it('has those read a text that are chosen, and tells each by its own name', () => {
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

  it('compiles a rule that has changed since codes were written', () => {
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
    const library = new RuleLibrary(after, { codes: compileRules(before) });
    expect(idsIn('ab e cd', library, after)).toEqual(['test/case']);
    expect(idsIn('ax é CD', library, after)).toEqual(['test/pattern', 'test/view', 'test/case']);
  });

  it('takes the code of a rule that has not', () => {
    const rules = [rule({ patterns: ['ab'] })];
    const [key = ''] = Object.keys(compileRules(rules));
    const [code = ''] = Object.values(compileRules([rule({ patterns: ['xy'] })]));
    expect(idsIn('xy', new RuleLibrary(rules, { codes: { [key]: code } }), rules)).toEqual(['test/rule']);
  });

  it('takes linked rules as they are, and refuses those of others', () => {
    const rules = [rule({ id: 'test/a', patterns: ['ab'] }), rule({ id: 'test/b', patterns: ['b+', 'c'] })];
    const library = new RuleLibrary(rules, { linked: linkRules(rules) });
    expect(idsIn('a bb', library, rules)).toEqual(['test/b']);
    expect(idsIn('ab c', library, rules).sort()).toEqual(['test/a', 'test/b']);
    const others = new RuleLibrary(rules.toReversed(), { linked: linkRules(rules) });
    expect(() => idsIn('ab', others, rules)).toThrow('other rules');
  });
});
