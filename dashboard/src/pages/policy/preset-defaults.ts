import type { Action, ThreatType } from '../../api/client.ts';
import { THREAT_TYPES } from '../../components/labels.ts';
import { type Direction, type Settings, settingAt } from './policy-settings.ts';

interface TypeDefault {
  readonly action: Exclude<Action, 'allow'>;
  readonly threshold: number;
}
type Defaults = Readonly<Partial<Record<ThreatType, TypeDefault>>>;

const FLAG: TypeDefault = { action: 'flag', threshold: 0.5 };
const FLAG_CALLS: TypeDefault = { action: 'flag', threshold: 0.75 };

/** A copy of the presets of functions/inspection/policy/policy.ts, which a test compares. Types that are absent are flagged. */
const PRESETS: Readonly<Record<string, Readonly<Record<Direction, Defaults>>>> = {
  monitor: { input: {}, output: { tool_misuse: FLAG_CALLS } },
  balanced: {
    input: attacks({ action: 'block', threshold: 0.85 }),
    output: {
      secret: { action: 'redact', threshold: 0.75 },
      data_exfiltration: { action: 'block', threshold: 0.85 },
      system_prompt_leak: { action: 'redact', threshold: 0.95 },
      tool_misuse: FLAG_CALLS,
    },
  },
  strict: {
    input: {
      ...attacks({ action: 'block', threshold: 0.6 }),
      secret: { action: 'redact', threshold: 0.6 },
      pii: { action: 'redact', threshold: 0.6 },
    },
    output: {
      malicious_url: { action: 'block', threshold: 0.6 },
      data_exfiltration: { action: 'block', threshold: 0.6 },
      code_injection: { action: 'block', threshold: 0.6 },
      system_prompt_leak: { action: 'block', threshold: 0.6 },
      tool_misuse: { action: 'ask', threshold: 0.8 },
      indirect_injection: { action: 'block', threshold: 0.85 },
      secret: { action: 'redact', threshold: 0.6 },
      pii: { action: 'redact', threshold: 0.6 },
    },
  },
};

function attacks(value: TypeDefault): Defaults {
  const types = THREAT_TYPES.filter((type) => !['pii', 'secret', 'toxicity'].includes(type));
  return Object.fromEntries(types.map((type) => [type, value]));
}

/** The action and threshold that apply to a type which the policy does not set. */
export function presetDefault({ preset }: Settings, direction: Direction, type: ThreatType): TypeDefault {
  const name = typeof preset === 'string' ? preset : 'balanced';
  return PRESETS[name]?.[direction][type] ?? FLAG;
}

export type TypeAction = 'off' | TypeDefault['action'];

/** The action and threshold of a type that a policy puts in force, and whether the policy or its preset sets each. */
export interface InForce {
  readonly action: TypeAction;
  readonly threshold: number;
  readonly isSet: boolean;
  readonly isThresholdSet: boolean;
}

export function inForce(settings: Settings, direction: Direction, type: ThreatType): InForce {
  const preset = presetDefault(settings, direction, type);
  const action = settingAt(settings, [direction, type, 'action']);
  const threshold = settingAt(settings, [direction, type, 'threshold']);
  const isSet = isAction(action);
  const isThresholdSet = isSet && typeof threshold === 'number';
  return {
    action: isSet ? action : preset.action,
    threshold: isThresholdSet ? threshold : preset.threshold,
    isSet,
    isThresholdSet,
  };
}

function isAction(value: unknown): value is TypeAction {
  return ['off', 'flag', 'redact', 'ask', 'block'].includes(value as string);
}

/** What happens by default if an outside detector fails. */
export function presetOnDetectorFailure({ preset }: Settings): 'pass' | 'block' {
  return preset === 'strict' ? 'block' : 'pass';
}
