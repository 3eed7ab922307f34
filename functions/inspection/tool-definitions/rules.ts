import type { Action } from '../../kernel/model/index.ts';
import type { Rule } from '../matching/index.ts';

const CHANGED = 'tool-misuse/tool-changed';
/** Names in a message. */
const MAX_FIELDS = 8;

/** What the rules of definitions share. Their score is 0: a definition by itself is no attack, so `threat_score` does not change. */
const OF_DEFINITIONS = {
  type: 'tool_misuse',
  score: 0,
  view: 'raw',
  patterns: [],
  surfaces: ['tool'],
  owasp: 'LLM06:2025',
  atlas: 'AML.T0053',
} as const satisfies Partial<Rule>;

/** The same name twice, or names that a reader confuses. */
export const TOOL_SHADOWED_RULE: Rule = {
  ...OF_DEFINITIONS,
  id: 'tool-misuse/tool-shadowed',
  category: 'tool_shadowed',
  severity: 'medium',
  message: 'Another tool of the request has this name, or one that looks like it.',
  forcedAction: 'flag',
};

/** The rule for a policy's `tools.pin`. Its message names the changed fields. */
export function toolChangedRule(action: Action, fields: readonly string[] = []): Rule {
  const more = fields.length > MAX_FIELDS ? ` and ${fields.length - MAX_FIELDS} more` : '';
  const named = fields.length === 0 ? '' : `: ${fields.slice(0, MAX_FIELDS).join(', ')}${more}`;
  return {
    ...OF_DEFINITIONS,
    id: CHANGED,
    category: 'tool_changed',
    severity: 'high',
    message: `The definition of this tool differs from the pinned one${named}.`,
    forcedAction: action,
  };
}

export function isToolChangedRule(id: string): boolean {
  return id === CHANGED;
}
