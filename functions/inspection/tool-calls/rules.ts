import type { Rule } from '../matching/index.ts';
import type { Role } from './tool-meaning.ts';

/** What is wrong with a call. `unrequested_call`: no single value shows it. */
export type CallCategory = 'instructed_call' | 'unknown_destination' | 'private_data_out' | 'unrequested_call';

/** Also what a rule of the policy forbids. */
type Category = CallCategory | 'tool_policy';

function rule(category: Category, severity: Rule['severity'], message: string, score = 0.8): Rule {
  return {
    id: `tool-misuse/${category.replaceAll('_', '-')}`,
    type: 'tool_misuse',
    category,
    severity,
    score,
    view: 'raw',
    patterns: [],
    surfaces: ['output'],
    message,
    owasp: 'LLM06:2025',
    atlas: 'AML.T0053',
  };
}

const NOWHERE = 'that occurs nowhere in the conversation.';

/** From this score on a call is reported, unless the policy acts on weaker signs, which are common in honest conversations. */
export const REPORT_FROM = 0.75;

/** Rules of tool calls, by category. They have no patterns: a call is compared with its conversation. */
export const CALL_RULES: Readonly<Record<Category, Rule>> = {
  instructed_call: rule(
    'instructed_call',
    'high',
    'A tool call whose values or cause are in third-party text and not in what the user wrote.',
  ),
  unknown_destination: rule(
    'unknown_destination',
    'high',
    `A tool call with a destination, an amount or another value ${NOWHERE}`,
  ),
  private_data_out: rule(
    'private_data_out',
    'high',
    'A tool call that takes data of a result to a destination that the user did not name.',
  ),
  unrequested_call: rule('unrequested_call', 'medium', 'A tool call that the user does not seem to have asked for.'),
  // It is no sign of an attack.
  tool_policy: rule('tool_policy', 'medium', 'A tool call that a rule of the policy forbids.', 0),
};

const UNKNOWN_VALUES: Readonly<Partial<Record<Role, string>>> = {
  destination: `A tool call to a destination ${NOWHERE}`,
  amount: `A tool call with an amount ${NOWHERE}`,
};

/** The rule of a finding. Its message says what the doubtful value is. `role`: that of its argument. */
export function callRuleOf(category: CallCategory, role: Role | undefined): Rule {
  const rule = CALL_RULES[category];
  const message = category === 'unknown_destination' && role !== undefined ? UNKNOWN_VALUES[role] : undefined;
  return message === undefined ? rule : { ...rule, message };
}
