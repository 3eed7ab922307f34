import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type PolicySettings, PRESETS, policySchema, TYPE_ACTIONS } from '../../kernel/model/index.ts';
import { type DirectionPolicy, FLAG_FROM, PRESET_POLICIES } from '../../kernel/policies/index.ts';
import { strictestRule } from '../../kernel/policies/policy-strictness.ts';
import { effectivePolicy, weakerThanTeam } from './effective-policy.ts';

const TYPES = ['pii', 'secret', 'jailbreak'] as const;
const THRESHOLDS = [0.2, 0.4, 0.5, 0.7, 0.9];
const SCORES = [0.1, 0.2, 0.3, 0.45, 0.5, 0.55, 0.65, 0.7, 0.8, 0.85, 0.9, 1];
const action = fc.constantFrom('off' as const, 'flag' as const, 'redact' as const, 'block' as const);
const rule = fc.record({ action, threshold: fc.constantFrom(...THRESHOLDS) }, { requiredKeys: ['action'] });
const types = fc.dictionary(fc.constantFrom(...TYPES), rule);
const ownRules = fc.uniqueArray(
  fc.record({
    id: fc.constantFrom('a', 'b'),
    literals: fc.constantFrom(['x'], ['y']),
    action: fc.constantFrom('flag' as const, 'block' as const),
  }),
  { selector: ({ id }) => id },
);
const settings = fc.record(
  {
    preset: fc.constantFrom(...PRESETS),
    input: types,
    output: types,
    onBlock: fc.constantFrom('error' as const, 'refusal' as const),
    onDetectorFailure: fc.constantFrom('pass' as const, 'block' as const),
    unreadable: fc.constantFrom('allow' as const, 'flag' as const, 'block' as const),
    canary: fc.boolean(),
    evidence: fc.boolean(),
    maxOutputTokens: fc.integer({ min: 1, max: 5 }),
    unknownPrice: fc.constantFrom('refuse' as const, 'tokensOnly' as const, 'alias' as const),
    cache: fc.constantFrom(false, true, 'team' as const),
    capture: fc.constantFrom('none' as const, 'redacted' as const, 'full' as const),
    rules: ownRules,
    allow: fc.subarray([{ literal: 'x' }, { literal: 'y' }]),
    bannedTopics: fc.subarray([{ name: 'gambling', action: 'flag' as const }]),
    tools: fc.record(
      {
        unlisted: fc.constantFrom('allow' as const, 'flag' as const, 'block' as const),
        pin: fc.constantFrom('off' as const, 'flag' as const, 'block' as const),
        effects: fc.dictionary(fc.constantFrom('a', 'b*'), fc.constantFrom('read' as const, 'send' as const)),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
) as unknown as fc.Arbitrary<PolicySettings>;

function ruleOf(policy: PolicySettings, direction: 'input' | 'output', type: (typeof TYPES)[number]) {
  const preset = (PRESET_POLICIES[policy.preset ?? 'balanced'][direction] as DirectionPolicy)[type];
  const change = policy[direction]?.[type];
  return change === undefined ? preset : { action: change.action, threshold: change.threshold ?? preset.threshold };
}

/** What happens at a score: the place of its action in their order. */
function strengthAt({ action, threshold }: ReturnType<typeof ruleOf>, score: number): number {
  if (action === 'off') return 0;
  if (score >= threshold) return TYPE_ACTIONS.indexOf(action);
  return score >= FLAG_FROM ? TYPE_ACTIONS.indexOf('flag') : 0;
}

/** By a field, numbers that are higher for a stricter value. */
function strengthsOf(policy: PolicySettings) {
  const { preset = 'balanced', onDetectorFailure, tools } = policy;
  return {
    preset: PRESETS.indexOf(preset),
    onBlock: ['refusal', 'error'].indexOf(policy.onBlock ?? 'error'),
    onDetectorFailure:
      onDetectorFailure === undefined ? PRESETS.indexOf(preset) : onDetectorFailure === 'block' ? 2 : 0,
    unreadable: ['allow', 'flag', 'block'].indexOf(policy.unreadable ?? 'allow'),
    canary: policy.canary ? 1 : 0,
    evidence: policy.evidence ? 0 : 1,
    maxOutputTokens: -(policy.maxOutputTokens ?? Infinity),
    unknownPrice: ['tokensOnly', 'alias', 'refuse'].indexOf(policy.unknownPrice ?? 'refuse'),
    cache: ['team', true, false].indexOf(policy.cache ?? false),
    capture: ['full', 'redacted', 'none'].indexOf(policy.capture ?? 'none'),
    allow: -(policy.allow?.length ?? 0),
    tools: [
      ['allow', 'flag', 'block'].indexOf(tools?.unlisted ?? 'allow'),
      ['off', 'flag', 'block'].indexOf(tools?.pin ?? 'off'),
    ],
  };
}

describe('what a team sets', () => {
  it('is never weakened by a key, in any field and at any score', () => {
    fc.assert(
      fc.property(settings, settings, settings, (defaults, own, team) => {
        const floor = effectivePolicy(defaults, {}, team);
        const held = effectivePolicy(defaults, own, team);
        expect(policySchema.safeParse(held).success).toBe(true);
        const [least, is] = [strengthsOf(floor), strengthsOf(held)];
        for (const name of ['preset', 'onBlock', 'unreadable', 'canary', 'evidence', 'maxOutputTokens'] as const)
          if (team[name] !== undefined) expect(is[name]).toBeGreaterThanOrEqual(least[name]);
        for (const name of ['unknownPrice', 'cache', 'capture'] as const)
          if (team[name] !== undefined) expect(is[name]).toBeGreaterThanOrEqual(least[name]);
        if (team.preset !== undefined || team.onDetectorFailure !== undefined)
          expect(is.onDetectorFailure).toBeGreaterThanOrEqual(least.onDetectorFailure);
        for (const direction of ['input', 'output'] as const) {
          for (const type of TYPES) {
            if (team.preset === undefined && team[direction]?.[type] === undefined) continue;
            for (const score of SCORES)
              expect(strengthAt(ruleOf(held, direction, type), score)).toBeGreaterThanOrEqual(
                strengthAt(ruleOf(floor, direction, type), score),
              );
          }
        }
        if (team.rules !== undefined) expect(held.rules).toEqual(expect.arrayContaining(floor.rules ?? []));
        if (team.bannedTopics !== undefined)
          expect(held.bannedTopics).toEqual(expect.arrayContaining(floor.bannedTopics ?? []));
        if (team.allow !== undefined || team.input !== undefined || team.preset !== undefined)
          for (const one of held.allow ?? []) expect(floor.allow).toContainEqual(one);
        if (team.tools?.unlisted !== undefined) expect(held.tools?.effects).toEqual(floor.tools?.effects);
        if (team.tools !== undefined)
          for (const at of [0, 1]) expect(is.tools[at]).toBeGreaterThanOrEqual(least.tools[at] as number);
      }),
      { numRuns: 300 },
    );
  });

  it('is in force for a key that sets nothing or the same, and changes no key where it sets nothing', () => {
    fc.assert(
      fc.property(settings, settings, settings, (defaults, own, team) => {
        const floor = effectivePolicy(defaults, {}, team);
        expect(weakerThanTeam(defaults, {}, team)).toEqual([]);
        expect(weakerThanTeam(defaults, team, team)).toEqual([]);
        expect(strengthsOf(effectivePolicy(defaults, team, team))).toEqual(strengthsOf(floor));
        expect(effectivePolicy(defaults, own, {})).toEqual(effectivePolicy(defaults, own));
        // Once held, it is not raised again.
        const held = effectivePolicy(defaults, own, team);
        expect(strengthsOf(effectivePolicy(defaults, held, team))).toEqual(strengthsOf(held));
      }),
      { numRuns: 200 },
    );
  });

  it.each<[string, PolicySettings, PolicySettings, readonly string[]]>([
    ['a weaker action', { input: { pii: { action: 'block' } } }, { input: { pii: { action: 'flag' } } }, ['input.pii']],
    ['a weaker preset', { preset: 'strict' }, { preset: 'monitor' }, ['preset']],
    [
      'an action below that of the preset',
      { preset: 'strict' },
      { output: { secret: { action: 'off' } } },
      ['output.secret'],
    ],
    ['an exception', { input: { pii: { action: 'block' } } }, { allow: [{ literal: 'x' }] }, ['allow']],
    ['a failure that passes', { preset: 'strict' }, { onDetectorFailure: 'pass' }, ['onDetectorFailure']],
    ['more tokens', { maxOutputTokens: 5 }, { maxOutputTokens: 6 }, ['maxOutputTokens']],
    ['listed tools', { tools: { unlisted: 'block' } }, { tools: { effects: { '*': 'read' } } }, ['tools.effects']],
    ['what the team does not set', { canary: true }, { preset: 'monitor', evidence: true }, []],
    ['something stricter', { preset: 'balanced' }, { preset: 'strict', canary: true }, []],
  ])('names %s of a key', (_, team, own, weaker) => expect(weakerThanTeam({}, own, team)).toEqual(weaker));
});

describe('the stricter of two rules', () => {
  const any = fc.record({ action, threshold: fc.constantFrom(...THRESHOLDS) });
  const behaviour = (one: ReturnType<typeof strictestRule>) => SCORES.map((score) => strengthAt(one, score));

  it('is never weaker than either, and does not depend on order, grouping or repetition', () => {
    fc.assert(
      fc.property(any, any, any, (a, b, c) => {
        const both = strictestRule(a, b);
        for (const score of SCORES)
          expect(strengthAt(both, score)).toBeGreaterThanOrEqual(Math.max(strengthAt(a, score), strengthAt(b, score)));
        expect(behaviour(strictestRule(b, a))).toEqual(behaviour(both));
        expect(behaviour(strictestRule(a, a))).toEqual(behaviour(a));
        expect(behaviour(strictestRule(both, c))).toEqual(behaviour(strictestRule(a, strictestRule(b, c))));
      }),
      { numRuns: 300 },
    );
  });

  it('is the stricter preset for every type', () => {
    for (const direction of ['input', 'output'] as const) {
      for (const type of TYPES) {
        const [monitor, balanced, strict] = PRESETS.map((preset) => PRESET_POLICIES[preset][direction][type]);
        for (const [weak, strong] of [
          [monitor, balanced],
          [balanced, strict],
        ] as const)
          for (const score of SCORES)
            expect(strengthAt(strong as never, score)).toBeGreaterThanOrEqual(strengthAt(weak as never, score));
      }
    }
  });
});
