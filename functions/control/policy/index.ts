/** The deployment's policy with its versions, and the policy in force for a key. */
export {
  DefaultPolicy,
  effectivePolicy,
  type PolicyStore,
  type PolicyVersion,
  type PolicyVersionPage,
  withEffectivePolicy,
} from './effective-policy.ts';
