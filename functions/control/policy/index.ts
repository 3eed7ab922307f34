/** The policy in force for a key: its fields over the deployment's. */
export { effectivePolicy, weakerThanTeam, withEffectivePolicy } from './effective-policy.ts';
