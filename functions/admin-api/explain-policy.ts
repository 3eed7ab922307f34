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

/** The policies that make the one in force, the last one of a field first in turn: each of the key, then the team, then the deployment. */
interface Layers {
  readonly defaults: DeploymentPolicy;
  readonly team: PolicySettings | undefined;
  readonly own: PolicySettings;
  /** The policy in force. */
  readonly settings: PolicySettings;
}

/** Every value of a policy that is in force, and where each is set. @param team the policy of the key's team, which the key cannot weaken */
export function explainPolicy(defaults: DeploymentPolicy, own: PolicySettings, team?: PolicySettings) {
  const settings = effectivePolicy(defaults, own, team);
  const layers = { defaults, team, own, settings };
  const policy = policyOf(settings);
  const sourceOf = (name: keyof PolicySettings, otherwise: PolicySource = 'default'): PolicySource => {
    const isHeld = team !== undefined && JSON.stringify(settings[name]) !== JSON.stringify(own[name]);
    if (own[name] !== undefined && !isHeld) return 'key';
    if (team?.[name] !== undefined || (isHeld && own[name] !== undefined)) return 'team';
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
    input: explainDirection('input', presetPolicy, layers),
    output: explainDirection('output', presetPolicy, layers),
    contactDetails: explainContacts(layers),
    onBlock: field('onBlock', policy.onBlock),
    onDetectorFailure: field('onDetectorFailure', policy.onDetectorFailure, 'preset'),
    onUnfinishedInspection: field('onDetectorFailure', policy.onUnfinishedInspection, 'preset'),
    unreadable: field('unreadable', policy.unreadable),
    maxOutputTokens: field('maxOutputTokens', settings.maxOutputTokens ?? null),
    unknownPrice: field('unknownPrice', settings.unknownPrice ?? 'refuse'),
    cache: field('cache', settings.cache ?? false),
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

function explainDirection(name: 'input' | 'output', preset: Policy, layers: Layers): EffectiveDirection {
  const explained = THREAT_TYPES.map((type): [ThreatType, EffectiveType] => {
    const { change, source } = changeOf(name, type, layers);
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
function changeOf(name: 'input' | 'output', type: ThreatType, { defaults, team, own, settings }: Layers) {
  const ofKey = own[name]?.[type];
  const inForce = settings[name]?.[type];
  const isHeld = team !== undefined && (ofKey?.action !== inForce?.action || ofKey?.threshold !== inForce?.threshold);
  if (ofKey !== undefined && !isHeld) return { change: ofKey, source: 'key' as const };
  const isOfTeam = team?.[name]?.[type] !== undefined || (team !== undefined && ofKey !== undefined);
  if (isOfTeam) return { change: inForce, source: 'team' as const };
  const ofDeployment = own.preset === undefined && team?.preset === undefined ? defaults[name]?.[type] : undefined;
  if (ofDeployment !== undefined) return { change: ofDeployment, source: 'deployment' as const };
  return { change: undefined, source: 'preset' as const };
}

/** E-mail addresses, telephone numbers and IP addresses in requests are only recorded where `pii` would flag them. */
function explainContacts(layers: Layers): Sourced<'allow' | 'as_pii'> {
  const { settings } = layers;
  const { source } = changeOf('input', 'pii', layers);
  const action = settings.input?.pii?.action ?? policyOf({ preset: settings.preset ?? 'balanced' }).input.pii.action;
  return { value: source === 'preset' && action === 'flag' ? 'allow' : 'as_pii', source };
}
