/** The policy in force for a key: its fields over the deployment's, which a roll-out or an override changes. */
export { effectivePolicy, withCandidate, withEffectivePolicy } from './effective-policy.ts';
export { observedPolicy } from './observed-policy.ts';
export { policyInForce, takesSession } from './rollout.ts';
