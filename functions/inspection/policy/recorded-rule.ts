import type { Action, CustomSettings, RecordedFinding, Surface } from '../../kernel/model/index.ts';
import type { Rule } from '../matching/index.ts';
import { isUnreadableRule, unreadableRule } from './unreadable-rule.ts';

/** What a policy says about rules that are not built in. */
interface OwnRules {
  readonly custom: CustomSettings;
  readonly unreadable: Action;
}

/** The rule of a recorded finding under this policy; undefined for a custom rule that it does not have. */
export function recordedRule(
  { rule: id, type }: RecordedFinding,
  { custom, unreadable }: OwnRules,
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

export function recordedSurface({ location: { part, field } }: RecordedFinding): Surface {
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
