import type { CAPTURE_MODES } from '../model/capture.ts';
import type { PolicySettings, Preset } from '../model/policy.ts';
import { type Action, ATTACK_TYPES, type Surface, THREAT_TYPES, type ThreatType } from '../model/threat.ts';
import { cachedRules, type PolicyRules } from './custom-rules/policy-rules.ts';
import type { Finding } from './finding.ts';
import { isLateSignal, type Rule } from './rule.ts';

interface TypePolicy {
  readonly action: 'off' | 'flag' | 'redact' | 'block';
  readonly threshold: number;
}
type DirectionPolicy = Readonly<Record<ThreatType, TypePolicy>>;

/** From this score on a finding is reported, even where the policy's action needs a higher one. */
export const FLAG_FROM = 0.5;

const flagAll: DirectionPolicy = forTypes(THREAT_TYPES, { action: 'flag', threshold: FLAG_FROM });

function forTypes(types: readonly ThreatType[], policy: TypePolicy): DirectionPolicy {
  return Object.fromEntries(types.map((type) => [type, policy])) as DirectionPolicy;
}

/**
 * `monitor` changes nothing. `balanced` blocks what is almost certainly an attack and keeps secrets from leaving in
 * answers. `strict` blocks from a likely attack on and redacts personal data both ways.
 */
const PRESET_POLICIES: Readonly<Record<Preset, { input: DirectionPolicy; output: DirectionPolicy }>> = {
  monitor: { input: flagAll, output: flagAll },
  balanced: {
    input: { ...flagAll, ...forTypes(ATTACK_TYPES, { action: 'block', threshold: 0.85 }) },
    output: {
      ...flagAll,
      secret: { action: 'redact', threshold: 0.75 },
      data_exfiltration: { action: 'block', threshold: 0.85 },
      // Only a canary is that certain.
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
      // Answers quote attacks more often than they make them: only a sure one is cut.
      indirect_injection: { action: 'block', threshold: 0.85 },
      secret: { action: 'redact', threshold: 0.6 },
      pii: { action: 'redact', threshold: 0.6 },
    },
  },
};

/** Contact details, which most mail, tickets and logs contain. */
const CONTACT_DETAILS: ReadonlySet<string> = new Set(['email', 'phone', 'ip_address']);

/** What the policy does about a finding; `allow` leaves it untold, but for what it notes. */
export class Policy {
  readonly onBlock: 'error' | 'refusal';
  /** Whether a marker is planted in the system prompt. */
  readonly canary: boolean;
  /** Whether contact details in requests are no alarm: unless the key's policy sets personal data itself. */
  private readonly notesContacts: boolean;
  /** `strict` blocks what could not be judged; the others let it pass, and report it in `coverage` and in the record. */
  readonly onDetectorFailure: 'pass' | 'block';
  /** What is done about content of a request that cannot be read. */
  readonly unreadable: 'allow' | 'flag' | 'block';
  /**
   * What happens to text whose inspection uses up its CPU budget. Blocked but in `monitor`: a detector fails by itself, while a caller
   * can choose a text that takes long.
   */
  readonly onUnfinishedInspection: 'pass' | 'block';
  /** Whether the caller is shown masked excerpts. */
  readonly evidence: boolean;
  /** Model tokens; the longest answer of each choice. */
  readonly maxOutputTokens: number | undefined;
  /** Whether the texts of requests and answers are kept. */
  readonly capture: (typeof CAPTURE_MODES)[number];
  /** A second policy, which only leaves in the record what it would have done. */
  readonly shadow: Policy | undefined;
  private readonly ownRules: () => PolicyRules;
  private readonly input: DirectionPolicy;
  private readonly output: DirectionPolicy;

  constructor(settings: PolicySettings) {
    const preset = PRESET_POLICIES[settings.preset ?? 'balanced'];
    this.input = override(preset.input, settings.input);
    this.output = override(preset.output, settings.output);
    this.onBlock = settings.onBlock ?? 'error';
    this.canary = settings.canary ?? false;
    this.notesContacts = settings.input?.pii === undefined;
    this.onDetectorFailure = settings.onDetectorFailure ?? (settings.preset === 'strict' ? 'block' : 'pass');
    this.unreadable = settings.unreadable ?? 'allow';
    this.onUnfinishedInspection = settings.onDetectorFailure ?? (settings.preset === 'monitor' ? 'pass' : 'block');
    this.evidence = settings.evidence ?? false;
    this.maxOutputTokens = settings.maxOutputTokens;
    this.capture = settings.capture ?? 'none';
    this.shadow = settings.shadow && new Policy(settings.shadow);
    this.ownRules = cachedRules(settings);
  }

  /** The policy's own rules, topics and allowances. */
  get rules(): PolicyRules {
    return this.ownRules();
  }

  decide(finding: Finding, surface: Surface): Action {
    const action = this.notes(finding, surface) ? 'allow' : this.actionFor(finding, surface);
    // The operator's own text is only ever flagged; text behind an encoding has left by the time it is read in an answer.
    const mayAct = surface !== 'system' && (surface !== 'output' || comesInTime(finding, action));
    return mayAct || action === 'allow' ? action : 'flag';
  }

  /**
   * Whether a finding is reported without being an alarm: contact details in a request, where they would only be flagged
   * (docs/decisions/0018-contact-details-are-recorded.md).
   */
  notes(finding: Finding, surface: Surface): boolean {
    const { type, category } = finding.rule;
    if (!this.notesContacts || surface === 'output' || type !== 'pii' || !CONTACT_DETAILS.has(category)) return false;
    return this.actionFor(finding, surface) === 'flag';
  }

  /** The lowest score from which it flags an attack in a request; Infinity where it flags none. */
  get flagsAttacksFrom(): number {
    const thresholds = ATTACK_TYPES.map((type) => this.input[type]).filter(({ action }) => action !== 'off');
    return Math.min(...thresholds.map(({ threshold }) => Math.min(threshold, FLAG_FROM)));
  }

  /** Whether a match of this rule in an answer may change the text, so that text must wait for it. One function a policy. */
  readonly actsOnOutput = (rule: Rule): boolean => {
    if (isLateSignal(rule.signal)) return false;
    if (rule.forcedAction !== undefined) return rule.forcedAction === 'redact' || rule.forcedAction === 'block';
    const { action, threshold } = this.output[rule.type];
    if (rule.judgesAfter) return action === 'block';
    // A check may raise a candidate's score.
    return (action === 'redact' || action === 'block') && (rule.check !== undefined || rule.score >= threshold);
  };

  private actionFor({ rule, score }: Finding, surface: Surface): Action {
    if (rule.forcedAction !== undefined) return rule.forcedAction;
    const { action, threshold } = (surface === 'output' ? this.output : this.input)[rule.type];
    if (action === 'off') return 'allow';
    if (score >= threshold) return action;
    return score >= FLAG_FROM ? 'flag' : 'allow';
  }
}

const policies = new WeakMap<PolicySettings, Policy>();

/** The policy of these settings, made once for as long as the settings object lives. */
export function policyOf(settings: PolicySettings): Policy {
  let policy = policies.get(settings);
  if (policy === undefined) {
    policy = new Policy(settings);
    policies.set(settings, policy);
  }
  return policy;
}

/** Whether the text of an answer that a finding acts on is still there. */
function comesInTime({ rule, decodedFrom }: Finding, action: Action): boolean {
  return decodedFrom.length === 0 && !isLateSignal(rule.signal) && !(rule.judgesAfter && action === 'redact');
}

function override(preset: DirectionPolicy, changes: PolicySettings['input']): DirectionPolicy {
  const merged: Record<ThreatType, TypePolicy> = { ...preset };
  for (const type of THREAT_TYPES) {
    const change = changes?.[type];
    if (change) merged[type] = { action: change.action, threshold: change.threshold ?? merged[type].threshold };
  }
  return merged;
}
