export { checkPolicy } from './check-policy.ts';
export { cachedRules, PolicyRules } from './policy-rules.ts';
export { RuleLayer } from './rule-layer.ts';
