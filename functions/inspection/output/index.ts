export { CANARY_RULE, createMarker, plantedText } from './canary.ts';
export { contextOf, InspectedResponse, type ResponseContext, responseDetectors } from './inspect-response.ts';
export { KeyFilter, WHOLE_RESPONSE } from './key-filter.ts';
export { LOST_VALUE_RULE, LostValues } from './lost-values.ts';
export { OutputGuard } from './output-guard.ts';
export { PROMPT_OVERLAP_RULE } from './prompt-overlap.ts';
export { type KeyRange, PROVIDER_KEY_RULE, ProviderKeys } from './provider-keys.ts';
export type { OutputFinding } from './response-channel.ts';
