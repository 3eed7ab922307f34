export { actionInCall, decidingSurface, Policy, policyOf } from './policy.ts';
export { underPolicy } from './policy-inspector.ts';
export { PLACEHOLDER, REDACTED_FILE, Redaction, redacted } from './redaction.ts';
export { isUnreadable, isUnreadableRule, unreadableRule } from './unreadable-rule.ts';
