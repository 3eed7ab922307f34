import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cutAt } from '../../kernel/json/cut-at.fixture.ts';
import { type PolicySettings, policySchema, type Surface } from '../../kernel/model/index.ts';
import { findFault } from '../custom-rules/check-policy.ts';
import { Inspector } from '../inspector/index.ts';
import type { Finding, Rule } from '../matching/index.ts';
import { Policy } from './policy.ts';
import { maskedExcerpt, underPolicy } from './policy-inspector.ts';
import { ShadowTally } from './shadow-tally.ts';

const SHARED = {
  category: 'test',
  severity: 'low',
  score: 0.9,
  message: 'A test.',
  owasp: 'LLM01:2025',
  atlas: null,
  surfaces: ['user', 'output'],
} as const;
const NUMBER: Rule = { ...SHARED, id: 'test/number', type: 'secret', view: 'exact', patterns: ['\\d+(?:-\\d+)*'] };
const WORD: Rule = { ...SHARED, id: 'test/word', type: 'jailbreak', view: 'folded', patterns: ['\\bab+a\\b'] };
const TEST_TEXT: Rule = {
  ...SHARED,
  id: 'test-text/block',
  type: 'prompt_injection',
  view: 'exact',
  patterns: ['SVC'],
  forcedAction: 'block',
};
const builtIn = new Inspector([NUMBER, WORD, TEST_TEXT]);

const inspectorOf = (settings: PolicySettings, shadow?: ShadowTally) =>
  underPolicy(builtIn, new Policy(settings), shadow);
const show = (findings: readonly Finding[]) => findings.map(({ rule, start, end }) => `${rule.id} ${start}-${end}`);
const inspect = (settings: PolicySettings, text: string, surface: Surface = 'user') =>
  show(inspectorOf(settings).inspect(text, surface));

describe('a policy without custom rules', () => {
  it('uses the shared inspector', () => expect(inspectorOf({ preset: 'strict' })).toBe(builtIn));
});

describe('a long text, read in slices', () => {
  it('has the findings of the custom rules, without allowed ones', () => {
    const settings: PolicySettings = {
      rules: [{ id: 'ours', literals: ['zeus'], action: 'flag' }],
      allow: [{ pattern: 'zeus-\\d+' }],
    };
    const text = ['zeus', '77', 'zeus-1', 'zeus'].join(' '.repeat(8_190));
    expect(inspect(settings, text)).toEqual(['custom/ours 0-4', 'test/number 8194-8196', 'custom/ours 24582-24586']);
  });
});

describe('a custom rule', () => {
  const rules = [{ id: 'ours', literals: ['zeus'], ignoreCase: true, action: 'redact' as const }];

  it('is reported with the others, in order', () => {
    expect(inspect({ rules }, '1 ZEUS 2')).toEqual(['test/number 0-1', 'custom/ours 2-6', 'test/number 7-8']);
  });

  it('inspects user text, tool text and responses by default', () => {
    const found = (settings: PolicySettings) =>
      (['system', 'user', 'tool', 'output'] as const).filter(
        (surface) => inspect(settings, 'zeus', surface).length > 0,
      );
    expect(found({ rules })).toEqual(['user', 'tool', 'output']);
    expect(found({ rules: rules.map((rule) => ({ ...rule, surfaces: ['system', 'output'] })) })).toEqual([
      'system',
      'output',
    ]);
  });

  it('has its own action under any preset, but only flags system text and encoded output', () => {
    const policy = new Policy({ preset: 'monitor', rules });
    const [found] = underPolicy(builtIn, policy, undefined).inspect('zeus', 'user') as [Finding];
    const decide = (surface: Surface, finding = found) => policy.decide(finding, surface);
    expect([decide('user'), decide('output'), decide('system')]).toEqual(['redact', 'redact', 'flag']);
    expect(decide('output', { ...found, decodedFrom: ['base64'] })).toBe('flag');
  });

  it('matches in encoded text', () => {
    const text = btoa('nothing but zeus in here');
    expect(inspect({ rules }, text)).toContain(`custom/ours 0-${text.length}`);
  });
});

describe('an allow list entry', () => {
  it.each<[string, PolicySettings['allow'], string[]]>([
    ['what equals a literal', [{ literal: '12-34' }], ['test/word 6-9']],
    ['what is within a literal', [{ literal: '12-34 ab' }], ['test/word 6-9']],
    ['no finding that extends beyond a literal', [{ literal: '2-34' }], ['test/number 0-5', 'test/word 6-9']],
    ['what a pattern matches', [{ pattern: '\\d\\d-\\d+ [a-z]+' }], []],
    ['only the rules it names', [{ pattern: '.+', rules: ['test/word'] }], ['test/number 0-5']],
    ['only the types it names', [{ pattern: '.+', rules: ['secret'] }], ['test/word 6-9']],
    ['a rule in any text', [{ rules: ['test/number'] }], ['test/word 6-9']],
    ['nothing on another surface', [{ pattern: '.+', surfaces: ['output'] }], ['test/number 0-5', 'test/word 6-9']],
  ])('suppresses %s', (_, allow, left) => expect(inspect({ allow }, '12-34 aba')).toEqual(left));

  it('never suppresses a test text', () => {
    const allow = [{ literal: 'SVC' }, { rules: ['test-text/block', 'prompt_injection'] }];
    expect(inspect({ allow }, 'SVC')).toEqual(['test-text/block 0-3']);
  });

  it('also suppresses findings of custom rules', () => {
    const rules = [{ id: 'ours', pattern: 'zeus', action: 'block' as const }];
    expect(inspect({ rules, allow: [{ literal: 'zeus.com' }] }, 'zeus zeus.com')).toEqual(['custom/ours 0-4']);
  });
});

const atoms = ['a', 'b', '-', ' ', '1', 'é', '\u200b', 'B', '😀', 'ab', 'aba'];
const texts = fc.array(fc.constantFrom(...atoms, 'SVC'), { maxLength: 40 }).map((parts) => parts.join(''));
const pattern = fc
  .array(fc.constantFrom('a', 'b', '1', '[a1]', '.', '\\b', '(?:ab)+', 'a{1,3}', '-?', '\\w*', '\\d+', '(?i)b'), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.join(''));
const words = fc.array(fc.constantFrom('a', 'b', 'ab', 'aba', 'a 1', 'b*', 'é'), { minLength: 1, maxLength: 4 });
const settings = fc
  .record({
    preset: fc.constantFrom('monitor', 'balanced', 'strict'),
    rules: fc.array(
      fc.record({ pattern, action: fc.constantFrom('flag', 'redact', 'block'), ignoreCase: fc.boolean() }),
      { maxLength: 3 },
    ),
    allow: fc.array(fc.record({ pattern, rules: fc.constantFrom(undefined, ['secret'], ['topic/t0']) }), {
      maxLength: 2,
    }),
    bannedTopics: fc.array(
      fc.record({
        keywords: words,
        action: fc.constantFrom('flag', 'block'),
        threshold: fc.integer({ min: 1, max: 2 }),
      }),
      { maxLength: 2 },
    ),
  })
  .map(({ preset, rules, allow, bannedTopics }) => ({
    preset,
    rules: rules.map((rule, at) => ({ id: `r${at}`, ...rule })),
    allow: allow.map(({ pattern, rules }) => (rules === undefined ? { pattern } : { pattern, rules })),
    bannedTopics: bannedTopics.map((topic, at) => ({ name: `t${at}`, ...topic })),
  }))
  .filter((value) => policySchema.safeParse(value).success)
  .map((value) => policySchema.parse(value))
  .filter((value) => findFault(value) === undefined);

describe('a response under a policy', () => {
  it('has the same findings for any split, and no acting finding in settled text', () => {
    fc.assert(
      fc.property(settings, texts, fc.array(fc.nat(60)), (settings, text, cuts) => {
        const policy = new Policy(settings);
        const inspector = underPolicy(builtIn, policy, undefined);
        const whole = show(inspector.inspect(text, 'output'));
        for (const pieces of [cutAt(text, cuts), text.split('')]) {
          const stream = inspector.open('output', policy.actsOnOutput);
          const found: Finding[] = [];
          const take = (findings: readonly Finding[], settled: number) => {
            for (const finding of findings) {
              if (['redact', 'block'].includes(policy.decide(finding, 'output')))
                expect(finding.start).toBeGreaterThanOrEqual(settled);
            }
            found.push(...findings);
          };
          for (const piece of pieces) {
            const { settled } = stream;
            take(stream.push(piece), settled);
            expect(stream.settled).toBeGreaterThanOrEqual(settled);
          }
          const { settled } = stream;
          take(stream.end(), settled);
          expect(show(found).sort()).toEqual([...whole].sort());
        }
      }),
      { numRuns: 400 },
    );
  });

  it('waits only for acting rules', () => {
    const held = (settings: PolicySettings) => {
      const policy = new Policy({ preset: 'monitor', ...settings });
      const stream = underPolicy(builtIn, policy, undefined).open('output', policy.actsOnOutput);
      stream.push('x zeu');
      return 5 - stream.settled;
    };
    const rule = { id: 'ours', literals: ['zeus'] };
    expect(held({ rules: [{ ...rule, action: 'flag' }] })).toBe(0);
    expect(held({ rules: [{ ...rule, action: 'block' }] })).toBe(3);
    expect(held({ bannedTopics: [{ name: 'gods', keywords: ['zeus'], threshold: 1, action: 'flag' }] })).toBe(0);
    expect(held({ bannedTopics: [{ name: 'gods', keywords: ['zeus', 'hera'], action: 'block' }] })).toBe(3);
    expect(held({ shadow: { rules: [{ ...rule, action: 'block' }] } })).toBe(0);
  });
});

describe('a shadow policy', () => {
  const shadowed = (shadow: NonNullable<PolicySettings['shadow']>, text: string, main: PolicySettings = {}) => {
    const policy = new Policy({ ...main, shadow });
    const tally = new ShadowTally((finding, surface) => policy.shadow?.decide(finding, surface) ?? 'allow');
    const reported = show(underPolicy(builtIn, policy, tally).inspect(text, 'output'));
    return { reported, ...tally.toRecord() };
  };

  it('decides on findings and changes nothing', () => {
    expect(shadowed({ preset: 'strict' }, 'aba 1')).toEqual({
      reported: ['test/word 0-3', 'test/number 4-5'],
      action: 'redact',
      threats: { jailbreak: 1, secret: 1 },
    });
    expect(shadowed({ output: { secret: { action: 'off' } } }, '1')).toMatchObject({ action: 'allow', threats: {} });
  });

  it('uses its own rules and allow list, not those of the policy', () => {
    const rules = [{ id: 'ours', pattern: 'zeus', action: 'block' as const }];
    expect(shadowed({ rules }, 'zeus 1', { allow: [{ rules: ['secret'] }] })).toEqual({
      reported: [],
      action: 'block',
      threats: { secret: 2 },
    });
    expect(shadowed({ allow: [{ rules: ['secret'] }] }, 'zeus 1', { rules })).toEqual({
      reported: ['custom/ours 0-4', 'test/number 5-6'],
      action: 'allow',
      threats: {},
    });
  });
});

describe('evidence', () => {
  it('is added to each finding of a text and of a stream if the policy asks for it', () => {
    const text = `aba ${'1234-'.repeat(4)}5678 `;
    const policy = new Policy({ evidence: true });
    const inspector = underPolicy(builtIn, policy, undefined);
    const expected = ['*** (fewer than 8 characters)', '12***78 (16 to 31 characters)'];
    expect(inspector.inspect(text, 'output').map(({ evidence }) => evidence)).toEqual(expected);
    const stream = inspector.open('output', policy.actsOnOutput);
    const found = [...text].flatMap((piece) => stream.push(piece));
    expect(found.map(({ evidence }) => evidence)).toEqual(expected);
    expect(
      inspectorOf({ rules: [{ id: 'r', pattern: 'x', action: 'flag' }] }).inspect(text, 'user')[0],
    ).not.toHaveProperty('evidence');
  });

  it('is omitted if the text is no longer buffered', () => {
    const inspector = underPolicy(builtIn, new Policy({ evidence: true }), undefined);
    const stream = inspector.open('output', () => false);
    stream.push(btoa(`${'x'.repeat(20_000)} aba `).replaceAll('=', ''));
    const [late] = stream.end(' ');
    expect(late).toMatchObject({ rule: { id: 'test/word' }, decodedFrom: ['base64'] });
    expect(late).not.toHaveProperty('evidence');
  });
});

describe('masked evidence', () => {
  it.each([
    ['1234567', '*** (fewer than 8 characters)'],
    ['12345678', '1***8 (8 to 15 characters)'],
    ['1234567890abcdef', '12***ef (16 to 31 characters)'],
    ['😀'.repeat(20), '😀😀***😀😀 (16 to 31 characters)'],
    [`\n\u202e${'x'.repeat(300)}`, '  ***xx (256 or more characters)'],
  ])('of %j is %s', (text, shown) => expect(maskedExcerpt(text)).toBe(shown));

  it('shows at most a quarter of the text, and never three consecutive characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'abcdXYZ019'), maxLength: 80 }), (text) => {
        const [shown = ''] = maskedExcerpt(text).split(' ');
        expect(shown.length - 3).toBeLessThanOrEqual(text.length / 4);
        for (let at = 0; at + 3 <= text.length; at++) expect(shown).not.toContain(text.slice(at, at + 3));
      }),
    );
  });
});
