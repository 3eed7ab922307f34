export { moderationResult } from './moderation-result.ts';
export { RequestedModeration } from './requested-moderation.ts';
