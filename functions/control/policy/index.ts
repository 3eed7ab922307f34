/** The policy in force for a key: its fields over the deployment's. */
export { effectivePolicy, withEffectivePolicy } from './effective-policy.ts';
