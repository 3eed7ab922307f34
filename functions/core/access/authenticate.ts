import { GatewayError } from '../errors.ts';
import type { RequestHeaders } from '../http/request-headers.ts';
import { type ApiKey, keyState } from '../model/api-key.ts';
import type { Clock } from '../ports/clock.ts';
import type { KeyHasher } from '../ports/key-hasher.ts';
import { isApiKeyForm } from './api-key-format.ts';
import { isAllowedAddress } from './ip-range.ts';
import { isPermitted, type Permission } from './permissions.ts';

/** Where each SDK puts the key besides `Authorization`: ours, Anthropic's, Google's. */
const KEY_HEADERS = ['x-svc-api-key', 'x-api-key', 'x-goog-api-key'];

export interface Authenticator {
  readonly findBySecretHash: (secretHash: string) => Promise<ApiKey | undefined>;
  readonly hashKey: KeyHasher;
  readonly clock: Clock;
}

/**
 * The key that a request carries. Unknown, malformed, disabled, revoked, expired and contradictory keys all meet the same
 * answer, so that not even a key's existence leaks.
 * @throws GatewayError `invalid_api_key`
 */
export async function authenticate(
  headers: RequestHeaders,
  { findBySecretHash, hashKey, clock }: Authenticator,
): Promise<ApiKey> {
  const secret = presentedKey(headers);
  if (secret === undefined || !isApiKeyForm(secret)) throw invalidKey();
  const key = await findBySecretHash(await hashKey(secret));
  if (!key || keyState(key, clock.now()) !== 'active') throw invalidKey();
  return key;
}

/**
 * Lets a key use an endpoint from an address; `permission` undefined means that any valid key may.
 * @throws GatewayError `insufficient_permissions`
 */
export function authorize(key: ApiKey, permission: Permission | undefined, clientAddress: string): void {
  if (!isAllowedAddress(key.ipWhitelist, clientAddress)) {
    throw new GatewayError('insufficient_permissions', 'This API key may not be used from your IP address.');
  }
  if (permission !== undefined && !isPermitted(key, permission)) {
    throw new GatewayError(
      'insufficient_permissions',
      `This API key lacks the permission '${permission}' for this endpoint.`,
    );
  }
}

function presentedKey(headers: RequestHeaders): string | undefined {
  const bearer = /^bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1];
  const found = [bearer, ...KEY_HEADERS.map((name) => headers.get(name) ?? undefined)].filter(
    (key) => key !== undefined,
  );
  return new Set(found).size === 1 ? found[0] : undefined;
}

function invalidKey(): GatewayError {
  return new GatewayError(
    'invalid_api_key',
    "Missing or invalid API key. Send a valid key as 'Authorization: Bearer <API_KEY>' or 'X-Svc-API-Key: <API_KEY>'.",
  );
}
