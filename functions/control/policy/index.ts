export {
  DefaultPolicy,
  effectivePolicy,
  type PolicyStore,
  type PolicyVersion,
  type PolicyVersionPage,
  withEffectivePolicy,
} from './effective-policy.ts';
