import { describe, expect, it } from '@jest/globals';
import { effectivePolicy } from '../control/policy/index.ts';
import { Policy } from '../inspection/index.ts';
import { type DeploymentPolicy, type PolicySettings, THREAT_TYPES } from '../kernel/model/index.ts';
import { explainPolicy } from './explain-policy.ts';

describe('the policy in force', () => {
  it('is the preset balanced where nothing is set', () => {
    const explained = explainPolicy({}, {});
    expect(explained.preset).toEqual({ value: 'balanced', source: 'default' });
    expect(explained.input.prompt_injection).toEqual({
      action: 'block',
      threshold: 0.85,
      source: 'preset',
      thresholdSource: 'preset',
    });
    expect(explained.contactDetails).toEqual({ value: 'allow', source: 'preset' });
    expect(explained.onDetectorFailure).toEqual({ value: 'pass', source: 'preset' });
    expect(explained.capture).toEqual({ value: 'none', source: 'default' });
    expect(explained.maxOutputTokens).toEqual({ value: null, source: 'default' });
  });

  it('names the source of each action, and of its threshold', () => {
    const defaults: DeploymentPolicy = {
      preset: 'strict',
      canary: true,
      input: { pii: { action: 'block' }, secret: { action: 'flag', threshold: 0.7 } },
      rules: [{ id: 'ours', literals: ['x'], action: 'flag' }],
    };
    const own: PolicySettings = {
      input: { secret: { action: 'block', threshold: 0.9 } },
      capture: 'redacted',
      rules: [],
    };
    const { input, canary, capture, rules, contactDetails } = explainPolicy(defaults, own);
    expect(input.pii).toEqual({ action: 'block', threshold: 0.6, source: 'deployment', thresholdSource: 'preset' });
    expect(input.secret).toEqual({ action: 'block', threshold: 0.9, source: 'key', thresholdSource: 'key' });
    expect(contactDetails).toEqual({ value: 'as_pii', source: 'deployment' });
    expect(canary).toEqual({ value: true, source: 'deployment' });
    expect(capture).toEqual({ value: 'redacted', source: 'key' });
    expect(rules).toEqual({ value: [], source: 'key' });
  });

  it("does not have the deployment's types under a key's preset", () => {
    const { input, preset } = explainPolicy({ input: { pii: { action: 'block' } } }, { preset: 'monitor' });
    expect(preset).toEqual({ value: 'monitor', source: 'key' });
    expect(input.pii).toEqual({ action: 'flag', threshold: 0.5, source: 'preset', thresholdSource: 'preset' });
  });

  it.each<[DeploymentPolicy, PolicySettings]>([
    [{}, {}],
    [{ preset: 'strict', output: { toxicity: { action: 'off' } } }, {}],
    [{ input: { pii: { action: 'redact', threshold: 0.7 } } }, { output: { secret: { action: 'block' } } }],
    [{ input: { pii: { action: 'redact' } } }, { preset: 'monitor', input: { jailbreak: { action: 'block' } } }],
  ])('is what decides: %j under %j', (defaults, own) => {
    const explained = explainPolicy(defaults, own);
    const decided = new Policy(effectivePolicy(defaults, own)) as unknown as typeof explained;
    for (const direction of ['input', 'output'] as const) {
      for (const type of THREAT_TYPES) {
        const { action, threshold } = explained[direction][type];
        expect({ action, threshold }).toEqual(decided[direction][type]);
      }
    }
  });
});
