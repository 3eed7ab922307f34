import { describe, expect, it } from '@jest/globals';
import type { CustomRule, CustomSettings } from '../../kernel/model/index.ts';
import { findFault } from './check-policy.ts';

const rule = (fields: Partial<CustomRule>): CustomRule => ({ id: 'ours', action: 'flag', ...fields });
const withRule = (fields: Partial<CustomRule>): CustomSettings => ({ rules: [rule(fields)] });
const pattern = (source: string) => withRule({ pattern: source });
const families = ['politics', 'medical-advice', 'legal-advice', 'weapons', 'gambling', 'adult', 'self-harm'] as const;
const words = (count: number, length: number) =>
  Array.from({ length: count }, (_, at) => `${at}`.padStart(length, 'abcdefghijklmnopqrstuvwxyz'));

describe("a policy's rules, allowances and topics", () => {
  it.each<[string, CustomSettings]>([
    ['nothing', {}],
    ['nested repeats, which are linear here', pattern('(?:a+)+$')],
    ['flags, names and properties', pattern('(?i)\\b(?P<code>ACME-\\d{4,6})\\b|\\p{Greek}+')],
    ['literals with examples', withRule({ literals: ['Project Zeus'], tests: { match: ['on Project  Zeus'] } })],
    ['two rules', { rules: [rule({ pattern: 'a' }), rule({ id: 'other', pattern: 'b' })] }],
    ['a rule turned off', { allow: [{ rules: ['jailbreak/dan', 'toxicity'] }] }],
    ['a family by its name', { bannedTopics: [{ name: 'politics', action: 'flag' }] }],
    ['own words of a topic', { bannedTopics: [{ name: 'rivals', keywords: ['Initech', 'Hoo*'], action: 'block' }] }],
    ['200 literals', withRule({ literals: words(200, 20) })],
    ['every family', { bannedTopics: [{ name: 'all', families: [...families], action: 'flag' }] }],
  ])('are taken: %s', (_, settings) => expect(findFault(settings)).toBeUndefined());

  it.each<[string, CustomSettings, string, string]>([
    ['look-ahead', pattern('a(?=b)'), 'rules.0.pattern', 'at character 2: lookahead is not supported'],
    ['look-behind', pattern('(?<=a)b'), 'rules.0.pattern', 'lookbehind is not supported'],
    ['a back-reference', pattern('(a)\\1'), 'rules.0.pattern', 'backreferences'],
    ['a lazy quantifier', pattern('<.*?>'), 'rules.0.pattern', 'a match is always the longest'],
    ['an open group', pattern('(a'), 'rules.0.pattern', 'unclosed ('],
    ['the empty string', pattern('a*'), 'rules.0.pattern', 'matches the empty string'],
    ['long matches', pattern('(?:.{500}){3}'), 'rules.0.pattern', 'longer than 1024 characters'],
    ['repeats that expand far', pattern('(?:abc|bca|cab|dde|efe){300}'), 'rules.0.pattern', 'more than 2000 states'],
    ['long gaps', pattern('secret.{0,600}key'), 'rules.0.pattern', 'more than 250 matches may be open at once'],
    ['a hidden blow-up', pattern('KLMNO[ab]*a[ab]{900}'), 'rules.0.pattern', 'more than 250 matches'],
    ['neither pattern nor literals', withRule({}), 'rules.0.pattern', 'either'],
    ['pattern and literals', withRule({ pattern: 'a', literals: ['b'] }), 'rules.0.pattern', 'either'],
    ['whole words of a pattern', withRule({ pattern: 'a', wholeWord: true }), 'rules.0.wholeWord', 'literals only'],
    ['an invisible literal', withRule({ literals: ['a', '\u200b'] }), 'rules.0.literals.1', 'no visible characters'],
    ['an id twice', { rules: [rule({ pattern: 'a' }), rule({ pattern: 'b' })] }, 'rules.1.id', 'twice'],
    [
      'a failed match',
      withRule({ pattern: 'a', tests: { match: ['a', 'b'] } }),
      'rules.0.tests.match.1',
      'does not match',
    ],
    [
      'a failed near miss',
      withRule({ pattern: 'a', tests: { noMatch: ['cab'] } }),
      'rules.0.tests.noMatch.0',
      'matches',
    ],
    ['an empty allowance', { allow: [{}] }, 'allow.0.literal', "'literal', 'pattern' or 'rules'"],
    ['a double allowance', { allow: [{ literal: 'a', pattern: 'b' }] }, 'allow.0.pattern', 'not both'],
    ['a bad allowance', { allow: [{ literal: 'a' }, { pattern: '[' }] }, 'allow.1.pattern', 'unclosed ['],
    [
      'a topic without words',
      { bannedTopics: [{ name: 'rivals', action: 'flag' }] },
      'bannedTopics.0.keywords',
      'family',
    ],
    [
      'a topic that cannot be reached',
      { bannedTopics: [{ name: 'rivals', keywords: ['Initech'], action: 'flag' }] },
      'bannedTopics.0.threshold',
      'do not reach',
    ],
    [
      'an empty keyword beside a family',
      {
        bannedTopics: [{ name: 'politics', families: ['politics'], keywords: ['ok', '\u200b\u200b'], action: 'flag' }],
      },
      'bannedTopics.0.keywords.1',
      'no visible characters',
    ],
  ])('are refused with the place and the reason: %s', (_, settings, path, reason) => {
    const fault = findFault(settings);
    expect(fault?.path.join('.')).toBe(path);
    expect(fault?.message).toContain(reason);
  });

  it('are small enough together that one key cannot starve the others', () => {
    const random = (length: number) => Array.from({ length }, () => String.fromCharCode(97 + (next() % 26))).join('');
    let seed = 7;
    const next = () => {
      seed = (seed * 48_271) % 0x7fffffff;
      return seed;
    };
    const rules = Array.from({ length: 50 }, (_, at) => {
      return rule({ id: `r${at}`, literals: Array.from({ length: 20 }, () => random(50)) });
    });
    const fault = findFault({ rules });
    expect(fault?.message).toContain('more than 20000 states');
    expect(fault?.path).toEqual(['rules', 20, 'literals']);
    const alike = Array.from({ length: 9 }, (_, at) => rule({ id: `r${at}`, literals: ['a'.repeat(100)] }));
    expect(findFault({ rules: alike })?.message).toContain('more than 100 matches may be open at once');
  });

  it('are judged, however they are written: what would take long is refused', () => {
    const classes = Array.from({ length: 60 }, (_, at) => `[\\u00${(at + 0x80).toString(16)}-\\uffff]`).join('');
    const hostile = [classes, '(?:[a-f]?){300}z', '[ab]*a[ab]{900}', `(?:${'a?'.repeat(400)})b`, '(?:(?:a|b)c?){300}'];
    const messages = hostile.map(
      (source) => findFault({ rules: [rule({ pattern: source, ignoreCase: true })] })?.message,
    );
    const refused = expect.stringContaining('matches may be open at once');
    expect(messages).toEqual([undefined, refused, refused, refused, refused]);
    const rules = hostile.flatMap((source) => Array.from({ length: 10 }, () => source));
    const all = rules.map((source, at) => rule({ id: `r${at}`, pattern: source, ignoreCase: true }));
    expect(findFault({ rules: all })?.message).toEqual(refused);
  });

  it('never tell the text of an example', () => {
    const fault = findFault(withRule({ pattern: 'a', tests: { match: ['hidden'] } }));
    expect(JSON.stringify(fault)).not.toContain('hidden');
  });
});
