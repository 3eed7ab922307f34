import { createHmac } from 'node:crypto';
import type { KeyHasher } from '../core/ports/key-hasher.ts';

/** HMAC-SHA-256 under the pepper, hex; the pepper is asked for on every call, and whoever gives it caches it. */
export function createKeyHasher(pepper: () => Promise<string>): KeyHasher {
  return async (secret) =>
    createHmac('sha256', await pepper())
      .update(secret)
      .digest('hex');
}
