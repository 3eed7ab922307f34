export { moderationResult } from './moderation-result.ts';
export { OWN_MODERATION_MODEL, RequestedModeration } from './requested-moderation.ts';
