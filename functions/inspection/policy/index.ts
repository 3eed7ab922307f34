export {
  actionInCall,
  type DirectionPolicy,
  FLAG_FROM,
  Policy,
  PRESET_POLICIES,
  policyOf,
  type TypePolicy,
  trustOf,
} from './policy.ts';
export { type ShadowRecord, ShadowTally, underPolicy } from './policy-inspector.ts';
export { PLACEHOLDER, REDACTED_FILE, Redaction, redacted } from './redaction.ts';
