import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  ATTACK_TYPES,
  type PolicySettings,
  PRESETS,
  policySchema,
  type Surface,
  THREAT_TYPES,
  type ThreatType,
} from '../../kernel/model/index.ts';
import type { Finding, Rule } from '../matching/index.ts';
import { Policy } from './policy.ts';

const SURFACES: readonly Surface[] = ['system', 'user', 'tool', 'output'];

function ruleOf(type: ThreatType, fields: Partial<Rule> = {}): Rule {
  return {
    id: 'test/rule',
    type,
    category: 'test',
    severity: 'low',
    score: 0.9,
    view: 'exact',
    patterns: ['x'],
    surfaces: SURFACES,
    message: '',
    owasp: '',
    atlas: null,
    ...fields,
  };
}
const finding = (
  type: ThreatType,
  score: number,
  fields: Partial<Rule> = {},
  decodedFrom: readonly string[] = [],
): Finding => ({
  rule: ruleOf(type, { score, ...fields }),
  score,
  start: 0,
  end: 1,
  decodedFrom,
});
/** The action for each score, as a row of the table. */
const row = (settings: PolicySettings, type: ThreatType, surface: Surface) =>
  [0.49, 0.5, 0.59, 0.6, 0.74, 0.75, 0.84, 0.85, 1].map((score) =>
    new Policy(settings).decide(finding(type, score), surface),
  );

const FLAG = ['allow', 'flag', 'flag', 'flag', 'flag', 'flag', 'flag', 'flag', 'flag'];
const from = (threshold: number, action: string) =>
  [0.49, 0.5, 0.59, 0.6, 0.74, 0.75, 0.84, 0.85, 1].map((score) =>
    score >= threshold ? action : score >= 0.5 ? 'flag' : 'allow',
  );

describe('actions of each preset for each type, by score', () => {
  const blockedInResponses: readonly ThreatType[] = [
    'malicious_url',
    'data_exfiltration',
    'code_injection',
    'system_prompt_leak',
  ];
  for (const type of THREAT_TYPES) {
    const attack = (ATTACK_TYPES as readonly string[]).includes(type);
    it(`monitor only flags: ${type}`, () => {
      for (const surface of SURFACES) expect(row({ preset: 'monitor' }, type, surface)).toEqual(FLAG);
    });
    it(`balanced: ${type}`, () => {
      for (const surface of ['user', 'tool'] as const)
        expect(row({}, type, surface)).toEqual(attack ? from(0.85, 'block') : FLAG);
      const acting: Partial<Record<ThreatType, readonly string[]>> = {
        secret: from(0.75, 'redact'),
        data_exfiltration: from(0.85, 'block'),
        system_prompt_leak: from(1, 'redact'),
      };
      expect(row({ preset: 'balanced' }, type, 'output')).toEqual(acting[type] ?? FLAG);
    });
    it(`strict: ${type}`, () => {
      const content = type === 'secret' || type === 'pii' ? from(0.6, 'redact') : FLAG;
      for (const surface of ['user', 'tool'] as const)
        expect(row({ preset: 'strict' }, type, surface)).toEqual(attack ? from(0.6, 'block') : content);
      const acting: Partial<Record<ThreatType, readonly string[]>> = {
        indirect_injection: from(0.85, 'block'),
        tool_misuse: from(0.8, 'ask'),
      };
      expect(row({ preset: 'strict' }, type, 'output')).toEqual(
        blockedInResponses.includes(type) ? from(0.6, 'block') : (acting[type] ?? content),
      );
    });
  }
});

const settings: fc.Arbitrary<PolicySettings> = fc.record(
  {
    preset: fc.constantFrom(...PRESETS),
    input: fc.dictionary(fc.constantFrom(...THREAT_TYPES), typeRule()),
    output: fc.dictionary(fc.constantFrom(...THREAT_TYPES), typeRule()),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<PolicySettings>;
function typeRule() {
  return fc.record(
    {
      action: fc.constantFrom('off', 'flag', 'redact', 'block'),
      threshold: fc.double({ min: 0, max: 1, noNaN: true }),
    },
    { requiredKeys: ['action'] },
  );
}
const findings = fc.record({
  type: fc.constantFrom(...THREAT_TYPES),
  score: fc.double({ min: 0, max: 1, noNaN: true }),
  decoded: fc.boolean(),
  forced: fc.constantFrom(undefined, 'flag', 'redact', 'block'),
  checked: fc.boolean(),
});

describe('any policy', () => {
  it("at most flags the operator's text", () => {
    fc.assert(
      fc.property(settings, findings, (policy, { type, score, forced }) => {
        const found = finding(type, score, forced === undefined ? {} : { forcedAction: forced as 'flag' });
        expect(['allow', 'flag']).toContain(new Policy(policy).decide(found, 'system'));
      }),
    );
  });

  it('changes a response only for findings of rules that hold it back', () => {
    fc.assert(
      fc.property(settings, findings, (policy, { type, score, decoded, forced, checked }) => {
        const fields = {
          ...(forced !== undefined && { forcedAction: forced as 'flag' }),
          ...(checked && { check: () => score, score: 0.1 }),
        };
        const found = finding(type, score, fields, decoded ? ['base64'] : []);
        const made = { ...found, score, rule: { ...found.rule, ...(checked && { score: 0.1 }) } };
        const subject = new Policy(policy);
        const action = subject.decide(made, 'output');
        if (action === 'redact' || action === 'block')
          expect([subject.actsOnOutput(made.rule), decoded]).toEqual([true, false]);
      }),
      { numRuns: 500 },
    );
  });

  it('omits findings of a type that is off, in that direction only', () => {
    const policy = new Policy({ preset: 'strict', input: { pii: { action: 'off' } } });
    expect([policy.decide(finding('pii', 1), 'user'), policy.decide(finding('pii', 1), 'output')]).toEqual([
      'allow',
      'redact',
    ]);
  });

  it("keeps the preset's threshold for an override without one", () => {
    expect(row({ preset: 'strict', output: { secret: { action: 'block' } } }, 'secret', 'output')).toEqual(
      from(0.6, 'block'),
    );
    expect(row({ input: { jailbreak: { action: 'flag' } } }, 'jailbreak', 'user')).toEqual(FLAG);
  });

  it('applies the action of a test text in every preset, except in system text', () => {
    for (const preset of PRESETS) {
      for (const forcedAction of ['flag', 'redact', 'block'] as const) {
        const found = finding('prompt_injection', 0, { forcedAction });
        expect(
          (['user', 'tool', 'output', 'system'] as const).map((surface) =>
            new Policy({ preset }).decide(found, surface),
          ),
        ).toEqual([forcedAction, forcedAction, forcedAction, 'flag']);
      }
    }
  });
});

describe("a policy's settings", () => {
  it.each([
    ['nothing', {}],
    ['one type', { output: { pii: { action: 'redact', threshold: 0.7 } } }],
    ['a tool call that waits', { output: { tool_misuse: { action: 'ask', threshold: 0.8 } } }],
    ['several fields', { preset: 'strict', onBlock: 'refusal', input: { jailbreak: { action: 'off' } } }],
  ])('are accepted: %s', (_, value) => expect(policySchema.safeParse(value).success).toBe(true));

  it.each([
    ['an unknown preset', { preset: 'lax' }],
    ['an unknown type', { input: { magic: { action: 'flag' } } }],
    ['an unknown action', { input: { pii: { action: 'allow' } } }],
    ['a threshold above 1', { input: { pii: { action: 'flag', threshold: 1.1 } } }],
    ['an unknown field', { colour: 'red' }],
    ['a shadow of a shadow', { shadow: { shadow: {} } }],
  ])('are rejected: %s', (_, value) => expect(policySchema.safeParse(value).success).toBe(false));

  it.each([
    ['requests', { input: { tool_misuse: { action: 'ask' } } }, 'input.tool_misuse.action'],
    ['other types', { output: { secret: { action: 'ask' } } }, 'output.secret.action'],
    ['a shadow', { shadow: { output: { pii: { action: 'ask' } } } }, 'shadow.output.pii.action'],
  ])('ask for calls of responses only, not for %s', (_, value, field) => {
    expect(policySchema.safeParse(value).error?.issues.map(({ path }) => path.join('.'))).toEqual([field]);
  });
});

describe('the lowest flagged score', () => {
  const off = Object.fromEntries(ATTACK_TYPES.map((type) => [type, { action: 'off' as const }]));
  it.each([
    ['a preset', {}, 0.5],
    ['another', { preset: 'strict' }, 0.5],
    ['a lower threshold of an attack', { input: { jailbreak: { action: 'block', threshold: 0.3 } } }, 0.3],
    [
      'a higher one, below which attacks are still flagged',
      { input: { jailbreak: { action: 'block', threshold: 0.9 } } },
      0.5,
    ],
    ['a threshold of personal data, which is no attack', { input: { pii: { action: 'flag', threshold: 0.1 } } }, 0.5],
    ['no attack at all', { input: off }, Number.POSITIVE_INFINITY],
  ] as const)('is the lowest score that is flagged as an attack, by %s', (_, settings, from) => {
    expect(new Policy(settings as PolicySettings).flagsAttacksFrom).toBe(from);
  });
});
