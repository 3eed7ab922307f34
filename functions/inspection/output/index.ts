export { CANARY_RULE, createMarker } from './canary.ts';
export { inspectOutput, type OutputChecks, type OutputSettings } from './inspect-output.ts';
export { LOST_VALUE_RULE } from './lost-values.ts';
export { PROMPT_OVERLAP_RULE } from './prompt-overlap.ts';
export { ProviderKeys } from './provider-keys.ts';
export { contextOf, type ResponseContext } from './response-context.ts';
export { inspectResponse } from './whole-response.ts';
