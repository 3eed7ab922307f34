export { decideRecorded } from './decide-recorded.ts';
export { ruleOf } from './rule-of.ts';
