import { KEY_DEFAULTS, type KeyView } from './api-key.ts';
import type { IdentityRef } from './identity-ref.ts';

/** A rotated secret, accepted until `validUntil`. */
export interface RetiredSecret {
  readonly hash: string;
  readonly last4: string;
  /** ISO 8601. */
  readonly validUntil: string;
}

/** Fields that older keys, or callers with an issuer's token, lack: those that `keySchema` makes optional, and the first limits. */
type LaterFields = Pick<KeyView, OptionalNames<KeyView> | 'tokenLimit' | 'budget' | 'maxConcurrent' | 'onStoreFailure'>;
type OptionalNames<Fields> = { [Name in keyof Fields]-?: undefined extends Fields[Name] ? Name : never }[keyof Fields];
type Absent<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | undefined };

/** A key in its stored form. Settings that an earlier release did not store have a value: readStoredKey sets it. */
export interface ApiKey
  extends Required<Omit<KeyView, 'object' | 'state' | 'lastUsedAt' | 'previousSecrets' | keyof LaterFields>>,
    Absent<LaterFields> {
  /** `expired` is not stored but derived from `expiresAt`. */
  readonly state: 'active' | 'disabled' | 'revoked';
  /** Of the secret, from KeyHasher. */
  readonly secretHash: string;
  readonly retiredSecrets?: readonly RetiredSecret[];
  /** Written by the gateway, independently of changes of the key. */
  readonly lastUsedAt?: string;
  /** Of a caller, whose tags are then the team's too. Not stored. */
  readonly team?: TeamBounds;
  /** Whom the token of an issuer names; such a caller has limits and rights like a key, but no secret and no stored key. */
  readonly identity?: IdentityRef;
  /** The MCP servers that the token of such a caller is for, `*` for all; absent: it is for all of the gateway. */
  readonly mcpServers?: readonly string[] | undefined;
  /** The role of such a caller in its team. */
  readonly teamRole?: 'owner' | 'member' | 'viewer' | undefined;
}

/** What a team adds to its keys, and limits for all of them together. */
export interface TeamBounds
  extends Pick<
    KeyView,
    'allowedModels' | 'allowedTools' | 'policy' | 'tags' | 'tokenLimit' | 'budget' | 'maxConcurrent'
  > {
  readonly id: string;
  readonly name: string;
  readonly rateLimit: KeyView['rateLimit'] | null;
}

/** Without what a stored key may lack. */
const {
  permissions: _permissions,
  tokenLimit: _tokens,
  budget: _budget,
  onStoreFailure: _failure,
  ...NEW_KEY
} = KEY_DEFAULTS;

/** A stored key. Fields that an earlier release did not store have the value of a new key. */
export function readStoredKey(text: string): ApiKey {
  return { ...NEW_KEY, ...(JSON.parse(text) as ApiKey) };
}
