import { describe, expect, it } from '@jest/globals';
import { PatternBudget } from './pattern-budget.ts';

const budget = () => new PatternBudget({ maxStates: 100, maxThreads: 99, maxSets: 20, maxMatchLength: 100 });

describe('the budget of patterns', () => {
  it.each([
    ['a literal', 'abc'],
    ['an open repeat, which is cut', '[a-z]+@[a-z]+'],
    ['nested repeats of an open one', '(?:a+)+$'],
    ['a repeat of nothing but an assertion', '(?:(?:\\b){1,9}a){1,9}'],
    ['matches of just the longest length', 'a{99}'],
    ['none of an open repeat', '(?:a+){0}b'],
  ])('accepts %s', (_, source) => expect(() => budget().add({ source })).not.toThrow());

  it.each([
    ['a match that is always too long', 'a{101,}', 'longer than 100'],
    ['a match that may be too long', '(?:a{10}|b{40}){3}', 'longer than 100'],
    ['too many states', '(?:a|bc|d){50}', 'more than 100 states'],
    ['no pattern', 'a(?=b)', 'lookahead'],
    ['the empty string', 'a*', 'empty string'],
  ])('rejects %s', (_, source, problem) => expect(() => budget().add({ source })).toThrow(problem));

  it('counts patterns together', () => {
    const shared = budget();
    shared.add({ source: 'abcdefghij' });
    expect(() => shared.add({ source: 'klmnopqrstu' })).toThrow('20 different characters');
    const states = budget();
    for (let count = 0; count < 9; count++) states.add({ source: 'a{10}' });
    expect(() => states.add({ source: 'a{10}' })).toThrow('more than 100 states');
  });

  it('rejects patterns with too many threads at once', () => {
    expect(() => budget().add({ source: '.{0,98}x' })).not.toThrow();
    const two = budget();
    two.add({ source: 'a[bc]{0,48}x' });
    expect(() => two.add({ source: '(?:a.{60}x)' })).toThrow('more than 100 states');
    const wide = new PatternBudget({ maxStates: 500, maxThreads: 99, maxSets: 20, maxMatchLength: 500 });
    expect(() => wide.add({ source: 'KLMNO[ab]*a[ab]{120}' })).toThrow('more than 99 matches may be open at once');
  });
});
