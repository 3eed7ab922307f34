import type { Action, RecordedFinding, Surface } from '../../kernel/model/index.ts';
import type { Finding, Rule } from '../matching/index.ts';
import { isUnreadableRule, type Policy, unreadableRule } from '../policy/index.ts';
import { isToolChangedRule, toolChangedRule } from '../tool-definitions/index.ts';

/**
 * The action of a policy for a finding of a record.
 * @param ruleOf the built-in rule of an id; undefined if it no longer exists
 */
export function decideRecorded(
  recorded: RecordedFinding,
  policy: Policy,
  ruleOf: (id: string) => Rule | undefined,
): Action {
  const rule = recordedRule(recorded, policy, ruleOf);
  if (rule === undefined) return 'allow';
  const finding: Finding = { rule, score: recorded.score, start: 0, end: 0, decodedFrom: [] };
  const surface = surfaceOf(recorded);
  // Records do not show what an allowance matches.
  if (policy.rules.isAllowed(finding, surface, () => false)) return 'allow';
  return policy.decide(finding, surface);
}

/** The rule of a recorded finding under this policy; undefined for a custom rule that it does not have. */
function recordedRule(
  { rule: id, type }: RecordedFinding,
  { custom, unreadable, pin }: Policy,
  ruleOf: (id: string) => Rule | undefined,
): Rule | undefined {
  const [family, name = ''] = id.split('/');
  if (family === 'custom' || family === 'topic') {
    const own = family === 'custom' ? custom.rules : custom.bannedTopics;
    const action = own?.find((one) => ('id' in one ? one.id : one.name) === name)?.action;
    return action && { ...nameless(id, type), forcedAction: action };
  }
  if (isUnreadableRule(id)) return unreadableRule(unreadable);
  if (isToolChangedRule(id)) return toolChangedRule(pin === 'off' ? 'allow' : pin);
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
