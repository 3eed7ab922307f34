export { ruleOf } from './rule-of.ts';
