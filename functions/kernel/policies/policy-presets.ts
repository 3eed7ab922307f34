import { ATTACK_TYPES, type Preset, THREAT_TYPES, type ThreatType, type TypeAction } from '../model/index.ts';

export interface TypePolicy {
  readonly action: TypeAction;
  readonly threshold: number;
}
export type DirectionPolicy = Readonly<Record<ThreatType, TypePolicy>>;

/** From this score on a finding is reported, even if the policy's action needs a higher one. */
export const FLAG_FROM = 0.5;

const flagAll: DirectionPolicy = forTypes(THREAT_TYPES, { action: 'flag', threshold: FLAG_FROM });
/** Weaker signs, which many honest calls of coding agents have, are not reported: a policy that asks or blocks sets a lower threshold for them. */
const flagCalls: DirectionPolicy = { ...flagAll, tool_misuse: { action: 'flag', threshold: 0.75 } };

function forTypes(types: readonly ThreatType[], policy: TypePolicy): DirectionPolicy {
  return Object.fromEntries(types.map((type) => [type, policy])) as DirectionPolicy;
}

/**
 * `monitor` changes nothing. `balanced` blocks near-certain attacks and redacts secrets in responses. `strict` also blocks likely attacks and
 * redacts personal data in both directions.
 */
export const PRESET_POLICIES: Readonly<Record<Preset, { input: DirectionPolicy; output: DirectionPolicy }>> = {
  monitor: { input: flagAll, output: flagCalls },
  balanced: {
    input: { ...flagAll, ...forTypes(ATTACK_TYPES, { action: 'block', threshold: 0.85 }) },
    output: {
      ...flagCalls,
      secret: { action: 'redact', threshold: 0.75 },
      data_exfiltration: { action: 'block', threshold: 0.85 },
      // Only a canary has this score.
      system_prompt_leak: { action: 'redact', threshold: 0.95 },
    },
  },
  strict: {
    input: {
      ...flagAll,
      ...forTypes(ATTACK_TYPES, { action: 'block', threshold: 0.6 }),
      secret: { action: 'redact', threshold: 0.6 },
      pii: { action: 'redact', threshold: 0.6 },
    },
    output: {
      ...flagAll,
      ...forTypes(['malicious_url', 'data_exfiltration', 'code_injection', 'system_prompt_leak'], {
        action: 'block',
        threshold: 0.6,
      }),
      tool_misuse: { action: 'ask', threshold: 0.8 },
      // Responses quote attacks more often than they contain them: only near-certain ones are cut.
      indirect_injection: { action: 'block', threshold: 0.85 },
      secret: { action: 'redact', threshold: 0.6 },
      pii: { action: 'redact', threshold: 0.6 },
    },
  },
};
