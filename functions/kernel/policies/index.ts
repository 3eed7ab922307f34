/** What the presets of a policy are, and which of two policies is the stricter one in each field. */
export { type DirectionPolicy, FLAG_FROM, PRESET_POLICIES, type TypePolicy } from './policy-presets.ts';
export { notWeaker } from './policy-strictness.ts';
