import {
  type Action,
  ATTACK_TYPES,
  type CAPTURE_MODES,
  type CallBy,
  type CustomSettings,
  type PolicySettings,
  type RequestText,
  type Surface,
  THREAT_TYPES,
  type ThreatType,
} from '../../kernel/model/index.ts';
import { type DirectionPolicy, FLAG_FROM, PRESET_POLICIES, type TypePolicy } from '../../kernel/policies/index.ts';
import { cachedRules, type PolicyRules } from '../custom-rules/index.ts';
import { type Finding, isLateSignal, type Rule } from '../matching/index.ts';
import { ShadowTally } from './shadow-tally.ts';

/** Contact details, which most mail, tickets and logs contain. */
const CONTACT_DETAILS: ReadonlySet<string> = new Set(['email', 'phone', 'ip_address']);

/** Decides the action for each finding; `allow` omits it from the report, unless `notes` records it. */
export class Policy {
  readonly onBlock: 'error' | 'refusal';
  /** Whether a marker is planted in the system prompt. */
  readonly canary: boolean;
  /** Whether contact details in requests are only recorded; not if the key's policy sets `pii` for requests. */
  private readonly notesContacts: boolean;
  /** `strict` blocks requests that a detector did not inspect; other presets let them pass and report it in `coverage` and the record. */
  readonly onDetectorFailure: 'pass' | 'block';
  /** The action for content of a request that cannot be read. */
  readonly unreadable: 'allow' | 'flag' | 'block';
  /**
   * The action when inspection uses up its CPU budget. All presets but `monitor` block: unlike a failing detector, a caller can choose a text
   * that takes long.
   */
  readonly onUnfinishedInspection: 'pass' | 'block';
  /** Whether the caller receives masked excerpts. */
  readonly evidence: boolean;
  /** Limit of each choice's length, in model tokens. */
  readonly maxOutputTokens: number | undefined;
  /** What happens to a request with a tool whose definition has changed; `off` pins none. */
  readonly pin: 'off' | 'flag' | 'block';
  /** Which texts of requests and responses are stored. */
  readonly capture: (typeof CAPTURE_MODES)[number];
  /** A second policy, whose decisions are only recorded. */
  readonly shadow: Policy | undefined;
  private readonly ownRules: () => PolicyRules;
  /** Action and threshold of each type, for requests and for responses. */
  readonly input: DirectionPolicy;
  readonly output: DirectionPolicy;
  /** The score from which a finding is flagged, even if the action needs a higher one. */
  readonly flagFrom = FLAG_FROM;
  /** What agents may do; undefined if it sets nothing. */
  readonly tools: PolicySettings['tools'];
  /** The settings of custom rules and topics. */
  readonly custom: CustomSettings;

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
    this.pin = settings.tools?.pin ?? 'off';
    this.capture = settings.capture ?? 'none';
    this.shadow = settings.shadow && new Policy(settings.shadow);
    this.tools = settings.tools;
    this.custom = settings;
    this.ownRules = cachedRules(settings);
  }

  /** Custom rules, topics and the allow list. */
  get rules(): PolicyRules {
    return this.ownRules();
  }

  decide(finding: Finding, surface: Surface): Action {
    const action = this.notes(finding, surface) ? 'allow' : this.actionFor(finding, surface);
    // The operator's text is only ever flagged; encoded text of a response is already released when it is decoded.
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

  /** Starts to count what the shadow policy would do; undefined if there is none. */
  tallyShadow(): ShadowTally | undefined {
    const { shadow } = this;
    return shadow && new ShadowTally((finding, surface) => shadow.decide(finding, surface));
  }

  /** Whether findings of this type are off. */
  ignores(type: ThreatType, surface: Surface): boolean {
    return (surface === 'output' ? this.output : this.input)[type].action === 'off';
  }

  /** The lowest score at which it flags an attack in a request; Infinity if it flags none. */
  get flagsAttacksFrom(): number {
    const thresholds = ATTACK_TYPES.map((type) => this.input[type]).filter(({ action }) => action !== 'off');
    return Math.min(...thresholds.map(({ threshold }) => Math.min(threshold, FLAG_FROM)));
  }

  /** Whether a match of this rule in a response may change the text, so that text must wait for it. The same function for each policy. */
  readonly actsOnOutput = (rule: Rule): boolean => {
    if (isLateSignal(rule.signal)) return false;
    if (rule.forcedAction !== undefined) return rule.forcedAction === 'redact' || rule.forcedAction === 'block';
    const { action, threshold } = this.output[rule.type];
    if (rule.scoresAfterRelease) return action === 'block';
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

/** Returns the policy of these settings, cached by the identity of the settings object. */
export function policyOf(settings: PolicySettings): Policy {
  let policy = policies.get(settings);
  if (policy === undefined) {
    policy = new Policy(settings);
    policies.set(settings, policy);
  }
  return policy;
}

/** Whether the text of the finding is not released yet. */
function comesInTime({ rule, decodedFrom }: Finding, action: Action): boolean {
  return decodedFrom.length === 0 && !isLateSignal(rule.signal) && !(rule.scoresAfterRelease && action === 'redact');
}

/**
 * The action in a tool call: personal data passes instead of being redacted. A client would execute a call with a placeholder, so everything
 * else to redact there ends the response (docs/policies.md#tool-calls).
 */
export function actionInCall(action: Action, { type }: Rule, call: CallBy): Action {
  if (action !== 'redact') return action;
  if (type === 'pii') return 'flag';
  return call === 'client' ? 'block' : 'redact';
}

/**
 * The surface that decides the actions for a text: a definition is only flagged, like the operator's text, since no caller could send the
 * request without it.
 */
export function decidingSurface({ author, surface }: RequestText): Surface {
  return author === 'definition' ? 'system' : surface;
}

function override(preset: DirectionPolicy, changes: PolicySettings['input' | 'output']): DirectionPolicy {
  const merged: Record<ThreatType, TypePolicy> = { ...preset };
  for (const type of THREAT_TYPES) {
    const change = changes?.[type];
    if (change) merged[type] = { action: change.action, threshold: change.threshold ?? merged[type].threshold };
  }
  return merged;
}
