import type { PolicySource } from '../contract/index.ts';
import { effectivePolicy } from '../control/policy/index.ts';
import { type Policy, policyOf } from '../inspection/index.ts';
import { type DeploymentPolicy, type PolicySettings, THREAT_TYPES, type ThreatType } from '../kernel/model/index.ts';

interface Sourced<T> {
  readonly value: T;
  readonly source: PolicySource;
}

/** The action of a type from a score on. Between `flagFrom` and `threshold` a finding is flagged. */
export interface EffectiveType {
  readonly action: Policy['input'][ThreatType]['action'];
  readonly threshold: number;
  readonly source: PolicySource;
  readonly thresholdSource: PolicySource;
}

type EffectiveDirection = Readonly<Record<ThreatType, EffectiveType>>;

/** Every value of a policy that is in force, and where each is set. */
export function explainPolicy(defaults: DeploymentPolicy, own: PolicySettings) {
  const settings = effectivePolicy(defaults, own);
  const policy = policyOf(settings);
  const sourceOf = (name: keyof PolicySettings, otherwise: PolicySource = 'default'): PolicySource => {
    if (own[name] !== undefined) return 'key';
    return defaults[name] === undefined ? otherwise : 'deployment';
  };
  const field = <T>(name: keyof PolicySettings, value: T, otherwise?: PolicySource): Sourced<T> => ({
    value,
    source: sourceOf(name, otherwise),
  });
  const preset = field('preset', settings.preset ?? 'balanced');
  const presetPolicy = policyOf({ preset: preset.value });
  return {
    preset,
    flagFrom: policy.flagFrom,
    input: explainDirection('input', presetPolicy, defaults, own),
    output: explainDirection('output', presetPolicy, defaults, own),
    contactDetails: explainContacts(defaults, own, settings),
    onBlock: field('onBlock', policy.onBlock),
    onDetectorFailure: field('onDetectorFailure', policy.onDetectorFailure, 'preset'),
    onUnfinishedInspection: field('onDetectorFailure', policy.onUnfinishedInspection, 'preset'),
    unreadable: field('unreadable', policy.unreadable),
    maxOutputTokens: field('maxOutputTokens', settings.maxOutputTokens ?? null),
    unknownPrice: field('unknownPrice', settings.unknownPrice ?? 'refuse'),
    canary: field('canary', policy.canary),
    evidence: field('evidence', policy.evidence),
    capture: field('capture', policy.capture),
    rules: field('rules', settings.rules ?? []),
    allow: field('allow', settings.allow ?? []),
    bannedTopics: field('bannedTopics', settings.bannedTopics ?? []),
    tools: field('tools', { unlisted: 'allow' as const, pin: 'off' as const, ...settings.tools }),
    shadow: field('shadow', settings.shadow ?? null),
    tagBudgets: {
      value: defaults.tagBudgets ?? [],
      source: (defaults.tagBudgets === undefined ? 'default' : 'deployment') as PolicySource,
    },
  };
}

function explainDirection(
  name: 'input' | 'output',
  preset: Policy,
  defaults: DeploymentPolicy,
  own: PolicySettings,
): EffectiveDirection {
  const explained = THREAT_TYPES.map((type): [ThreatType, EffectiveType] => {
    const { change, source } = changeOf(name, type, defaults, own);
    const { action, threshold } = preset[name][type];
    return [
      type,
      {
        action: change?.action ?? action,
        threshold: change?.threshold ?? threshold,
        source,
        thresholdSource: change?.threshold === undefined ? 'preset' : source,
      },
    ];
  });
  return Object.fromEntries(explained) as EffectiveDirection;
}

/** What changes a type of the preset. A key with its own preset ignores the deployment's types. */
function changeOf(name: 'input' | 'output', type: ThreatType, defaults: DeploymentPolicy, own: PolicySettings) {
  const ofKey = own[name]?.[type];
  if (ofKey !== undefined) return { change: ofKey, source: 'key' as const };
  const ofDeployment = own.preset === undefined ? defaults[name]?.[type] : undefined;
  if (ofDeployment !== undefined) return { change: ofDeployment, source: 'deployment' as const };
  return { change: undefined, source: 'preset' as const };
}

/** E-mail addresses, telephone numbers and IP addresses in requests are only recorded where `pii` would flag them. */
function explainContacts(
  defaults: DeploymentPolicy,
  own: PolicySettings,
  settings: PolicySettings,
): Sourced<'allow' | 'as_pii'> {
  const { source } = changeOf('input', 'pii', defaults, own);
  const action = settings.input?.pii?.action ?? policyOf({ preset: settings.preset ?? 'balanced' }).input.pii.action;
  return { value: source === 'preset' && action === 'flag' ? 'allow' : 'as_pii', source };
}
