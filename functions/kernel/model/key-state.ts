import type { KEY_STATES, KeyView } from './api-key.ts';
import type { ApiKey, RetiredSecret } from './stored-key.ts';

/** The key of the synthetic check: its requests have records and metrics like others, but emit no events. */
export const SYNTHETIC_CHECK_KEY_ID = `key_${'0'.repeat(32)}`;

/** The current state. */
export function keyState(key: ApiKey, nowMs: number): (typeof KEY_STATES)[number] {
  const expired = key.expiresAt !== null && Date.parse(key.expiresAt) <= nowMs;
  return key.state !== 'revoked' && expired ? 'expired' : key.state;
}

/** Rotated secrets that are accepted now. */
export function acceptedSecrets({ retiredSecrets = [] }: ApiKey, nowMs: number): readonly RetiredSecret[] {
  return retiredSecrets.filter(({ validUntil }) => nowMs < Date.parse(validUntil));
}

/** The key as the admin API returns it. */
export function toKeyView(key: ApiKey, nowMs: number): KeyView {
  const { secretHash: _, retiredSecrets: __, ...shown } = key;
  return {
    ...shown,
    tokenLimit: key.tokenLimit ?? null,
    budget: key.budget ?? null,
    maxConcurrent: key.maxConcurrent ?? null,
    onStoreFailure: key.onStoreFailure ?? 'closed',
    credentialId: key.credentialId ?? null,
    teamId: key.teamId ?? null,
    object: 'key',
    state: keyState(key, nowMs),
    lastUsedAt: key.lastUsedAt ?? null,
    previousSecrets: acceptedSecrets(key, nowMs).map(({ last4, validUntil }) => ({ last4, validUntil })),
  };
}
