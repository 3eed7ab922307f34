import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { KeyHasher } from '../core/ports/key-hasher.ts';

/** HMAC-SHA-256 under the pepper, hex; the pepper is asked for on every call, and whoever gives it caches it. */
export function createKeyHasher(pepper: () => Promise<string>): KeyHasher {
  let known: { readonly text: string; readonly key: KeyObject } | undefined;
  return async (secret) => {
    const text = await pepper();
    if (known?.text !== text) known = { text, key: createSecretKey(text, 'utf8') };
    return createHmac('sha256', known.key).update(secret).digest('hex');
  };
}
