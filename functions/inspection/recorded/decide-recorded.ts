import type { Action, RecordedFinding, Surface } from '../../kernel/model/index.ts';
import type { Finding, Rule } from '../matching/index.ts';
import { isUnreadableRule, type Policy, unreadableRule } from '../policy/index.ts';
import { CALL_RULES } from '../tool-calls/index.ts';
import { isToolChangedRule } from '../tool-definitions/index.ts';

/**
 * The action of a policy for a finding of a record.
 * @param ruleOf the built-in rule of an id; undefined if it no longer exists
 */
export function decideRecorded(
  recorded: RecordedFinding,
  policy: Policy,
  ruleOf: (id: string) => Rule | undefined,
): Action {
  if (isToolChangedRule(recorded.rule)) return policy.pin === 'off' ? 'allow' : policy.pin;
  if (CALL_RULE_IDS.has(recorded.rule)) return decideRecordedCall(recorded, policy);
  const rule = recordedRule(recorded, policy, ruleOf);
  if (rule === undefined) return 'allow';
  const finding: Finding = { rule, score: recorded.score, start: 0, end: 0, decodedFrom: [] };
  const surface = surfaceOf(recorded);
  // Records do not show what an allowance matches.
  if (policy.rules.isAllowed(finding, surface, () => false)) return 'allow';
  return policy.decide(finding, surface);
}

const CALL_RULE_IDS = new Set(Object.values(CALL_RULES).map(({ id }) => id));

/** The action for a tool call. The client has made those of earlier turns, so they are flagged at most. */
function decideRecordedCall({ rule: id, policyRule, score, location }: RecordedFinding, policy: Policy): Action {
  const isPast = location.part === 'input' && location.message !== null;
  const action =
    id === CALL_RULES.tool_policy.id ? ruleAction(policyRule, policy) : policy.decide(callFinding(id, score), 'output');
  return action !== 'allow' && (isPast || action === 'redact') ? 'flag' : action;
}

/** The action of the policy's rule for tools with this id; undefined: for unlisted tools. */
function ruleAction(id: string | undefined, { tools = {} }: Policy): Action {
  if (id === undefined) return tools.unlisted ?? 'allow';
  return tools.rules?.find((rule) => rule.id === id)?.action ?? 'allow';
}

function callFinding(id: string, score: number): Finding {
  const rule = Object.values(CALL_RULES).find((one) => one.id === id) as Rule;
  return { rule, score, start: 0, end: 0, decodedFrom: [] };
}

/** The rule of a recorded finding under this policy; undefined for a custom rule that it does not have. */
function recordedRule(
  { rule: id, type }: RecordedFinding,
  { custom, unreadable }: Policy,
  ruleOf: (id: string) => Rule | undefined,
): Rule | undefined {
  const [family, name = ''] = id.split('/');
  if (family === 'custom' || family === 'topic') {
    const own = family === 'custom' ? custom.rules : custom.bannedTopics;
    const action = own?.find((one) => ('id' in one ? one.id : one.name) === name)?.action;
    return action && { ...nameless(id, type), forcedAction: action };
  }
  if (isUnreadableRule(id)) return unreadableRule(unreadable);
  return ruleOf(id) ?? nameless(id, type);
}

function surfaceOf({ location: { part, field } }: RecordedFinding): Surface {
  if (part === 'output') return 'output';
  return /^(?:tools|functions|response_format)\b/.test(field) ? 'system' : 'user';
}

/** A rule of which only id and type are known. */
function nameless(id: string, type: Rule['type']): Rule {
  return {
    id,
    type,
    category: '',
    severity: 'medium',
    score: 0,
    view: 'raw',
    patterns: [],
    surfaces: [],
    message: '',
    owasp: '',
    atlas: null,
  };
}
