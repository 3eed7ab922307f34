import { createHash } from 'node:crypto';
import { GatewayError } from '../../kernel/errors/index.ts';
import { isAllowedAddress, type RequestHeaders } from '../../kernel/http/index.ts';
import {
  type ApiKey,
  acceptedSecrets,
  type Grants,
  isPermitted,
  keyState,
  type Permission,
} from '../../kernel/model/index.ts';
import type { Clock } from '../../kernel/tasks/index.ts';
import { isApiKeyForm } from './api-key-format.ts';
import type { ImportedSecrets } from './imported-secrets.ts';
import type { KeyCache, KeyUses } from './key-cache.ts';
import type { KeyHasher, KeyStore } from './key-store.ts';

/** Where each SDK sends the key besides `Authorization`: ours, Anthropic's, Google's. */
const KEY_HEADERS = ['x-svc-api-key', 'x-api-key', 'x-goog-api-key'];

/** Callers with a token of an issuer in place of a key. */
export interface TokenCallers {
  /** Whether a secret has the form of a token. */
  accepts(secret: string): boolean;
  /**
   * The caller in the form of a key. @param address of the client @param isRunning its request was let in before: the token may have expired
   * @throws GatewayError for one that is not let in; StoreUnavailable
   */
  find(token: string, address: string, isRunning?: boolean): Promise<ApiKey>;
}

export interface Authenticator {
  readonly keys: KeyCache;
  readonly hasher: KeyHasher;
  readonly uses: KeyUses;
  readonly teams: TeamDirectory;
  readonly clock: Clock;
  readonly identities: TokenCallers;
  readonly imported: Pick<ImportedSecrets, 'hashes' | 'mayHold'>;
}

/** Adds to a caller what its team adds. */
interface TeamDirectory {
  /** @throws GatewayError `insufficient_permissions` if the team is disabled or does not exist; StoreUnavailable */
  join(key: ApiKey): Promise<ApiKey>;
}

/**
 * Returns the key that a request carries, or the caller of its token, with its team. Unknown, malformed, disabled, revoked, expired and
 * contradictory keys cause the same error, so that a key's existence does not leak; every well-formed key costs the same look-up.
 * @param clientAddress bounds what tokens with invalid signatures and wrong secrets in other formats cost
 * @throws GatewayError `invalid_api_key`, those of TokenCallers, `insufficient_permissions` for a valid caller of a disabled team
 */
export async function authenticate(
  headers: RequestHeaders,
  clientAddress: string,
  authenticator: Authenticator,
): Promise<ApiKey> {
  const secret = presentedKey(headers);
  const { identities, teams, uses } = authenticator;
  if (secret !== undefined && identities.accepts(secret))
    return teams.join(await identities.find(secret, clientAddress));
  const { key, hashes } = await findValidKey(secret, authenticator, clientAddress);
  uses.note(key, hashes);
  return key;
}

/** @param clientAddress undefined: imported secrets are refused. @throws GatewayError `invalid_api_key` */
async function findValidKey(
  secret: string | undefined,
  { keys, hasher, imported, teams, clock }: Authenticator,
  clientAddress: string | undefined,
) {
  if (secret === undefined) throw invalidKey();
  const isOurs = isApiKeyForm(secret);
  if (!isOurs && clientAddress === undefined) throw invalidKey();
  const hashes = await (isOurs ? hasher : imported).hashes(secret);
  const mayExist = async () => {
    if (isOurs) return hasher.isSealed(secret);
    if (clientAddress === undefined || !(await imported.mayHold(hashes, clientAddress))) throw invalidKey();
    return true;
  };
  const key = await keys.find(hashes, mayExist);
  if (!key || !isSecretOf(key, hashes, clock.now()) || keyState(key, clock.now()) !== 'active') throw invalidKey();
  return { key: key.teamId ? await teams.join(key) : key, hashes };
}

/** Checks the key or token of a running request again; no use of the key. @throws GatewayError 401 or 403; StoreUnavailable */
export async function reauthorize(
  headers: RequestHeaders,
  permission: Permission | undefined,
  clientAddress: string,
  authenticator: Authenticator,
): Promise<void> {
  const secret = presentedKey(headers);
  const { identities, teams } = authenticator;
  const isToken = secret !== undefined && identities.accepts(secret);
  const key = isToken
    ? await teams.join(await identities.find(secret, clientAddress, true))
    : (await findValidKey(secret, authenticator, clientAddress)).key;
  authorize(key, permission, clientAddress);
}

/** Whether a running request would still be let in. @throws StoreUnavailable */
export async function isStillAuthorized(...request: Parameters<typeof reauthorize>): Promise<boolean> {
  try {
    await reauthorize(...request);
    return true;
  } catch (error) {
    if (error instanceof GatewayError) return false;
    throw error;
  }
}

/** A key that was presented earlier, in its state at that time. */
export interface KeyHolder {
  readonly id: string;
  /** `fingerprintOf`; it changes with the secret. */
  readonly fingerprint: string;
}

/**
 * Checks a secret that is presented once, which is none of an imported key. A rotated one is refused, also in its grace period, which the holder would outlast.
 * @throws GatewayError `invalid_api_key`
 */
export async function holderOf(secret: string, authenticator: Authenticator): Promise<KeyHolder> {
  const { key, hashes } = await findValidKey(secret, authenticator, undefined);
  if (!hashes.includes(key.secretHash)) throw invalidKey();
  authenticator.uses.note(key, hashes);
  return { id: key.id, fingerprint: fingerprintOf(key) };
}

/**
 * Returns the key that was presented earlier, checked in its present state; fails where the secret changed since.
 * @throws GatewayError `invalid_api_key`
 */
export async function authenticateHolder(
  { id, fingerprint }: KeyHolder,
  keys: Pick<KeyStore, 'get'>,
  { uses, teams, clock }: Pick<Authenticator, 'uses' | 'teams' | 'clock'>,
): Promise<ApiKey> {
  const key = (await keys.get(id))?.key;
  if (!key || fingerprintOf(key) !== fingerprint || keyState(key, clock.now()) !== 'active') throw invalidKey();
  uses.note(key, [key.secretHash]);
  return teams.join(key);
}

/** Distinguishes a key's present secret from others, without revealing it. */
function fingerprintOf({ secretHash }: ApiKey): string {
  return createHash('sha256').update(secretHash).digest('base64url');
}

/** Whether the key accepts this secret now: the current one, or a rotated one within its grace period. */
function isSecretOf(key: ApiKey, hashes: readonly string[], nowMs: number): boolean {
  return hashes.includes(key.secretHash) || acceptedSecrets(key, nowMs).some(({ hash }) => hashes.includes(hash));
}

/** A caller's grants and addresses. */
export type Grantee = Grants & Pick<ApiKey, 'ipWhitelist' | 'mcpServers'>;

/**
 * Checks that a key may use an endpoint from an address; without `permission` any valid key may.
 * @throws GatewayError `insufficient_permissions`
 */
export function authorize(key: Grantee, permission: Permission | undefined, clientAddress: string): void {
  if (!isAllowedAddress(key.ipWhitelist, clientAddress)) {
    throw new GatewayError('insufficient_permissions', 'This API key may not be used from your IP address.');
  }
  if (key.mcpServers !== undefined && permission !== 'mcp') {
    throw new GatewayError('insufficient_permissions', 'This token is for MCP servers only.');
  }
  if (permission !== undefined && !isPermitted(key, permission)) {
    throw new GatewayError(
      'insufficient_permissions',
      `This API key lacks the permission '${permission}' for this endpoint.`,
    );
  }
}

/** The one secret in a request's headers; undefined for none or several. */
export function presentedKey(headers: RequestHeaders): string | undefined {
  const found = presentedKeys(headers);
  return found.size === 1 ? [...found][0] : undefined;
}

/** Whether a request carries any key, valid or not. */
export function presentsKey(headers: RequestHeaders): boolean {
  return presentedKeys(headers).size > 0;
}

function presentedKeys(headers: RequestHeaders): Set<string> {
  const bearer = /^bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1];
  return new Set([bearer, ...KEY_HEADERS.map((name) => headers.get(name))].filter((key) => typeof key === 'string'));
}

function invalidKey(): GatewayError {
  return new GatewayError(
    'invalid_api_key',
    "Missing or invalid API key. Send a valid key as 'Authorization: Bearer <API_KEY>' or 'X-Svc-API-Key: <API_KEY>'.",
  );
}
