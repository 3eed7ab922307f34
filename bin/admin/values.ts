import type { Permission } from '../../functions/core/model/api-key.ts';
import { EVENT_TYPES } from '../../functions/core/model/event-types.ts';

export { THREAT_TYPES } from '../../functions/core/model/threat.ts';

/** `webhook.test` is always delivered. */
export const WEBHOOK_EVENTS = EVENT_TYPES.filter((type) => type !== 'webhook.test');

// Written out, because the schemas take 0.1 s to load; test/admin/cli-values.test.ts compares both.
export const ENVIRONMENTS = ['Production', 'Staging', 'Development'];
export const PERMISSIONS: readonly Permission[] = [
  'chat_completions',
  'completions',
  'embeddings',
  'images',
  'audio',
  'analytics',
  'admin',
];
export const KEY_STATES = ['active', 'disabled', 'revoked', 'expired'];
export const DELIVERY_STATES = ['pending', 'delivered', 'dead', 'gathered'];
export const GROUP_FIELDS = ['keyId', 'environment', 'model', 'provider', 'threatType', 'endUserId'];
export const INTERVALS = ['1m', '5m', 'hour', 'day'];
export const MARKS = ['false_positive', 'confirmed', 'none'];
