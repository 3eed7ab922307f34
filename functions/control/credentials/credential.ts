import { type ResponseOf, readServiceAccountKey } from '../../contract/index.ts';
import { randomHex } from '../../kernel/crypto/index.ts';
import type { Federation } from '../federation/index.ts';

/** A credential as the admin API returns it. */
export type CredentialView = ResponseOf<'getCredential'>;

/** A stored value. */
export interface SealedValue {
  readonly sealed: string;
  /** null for a short value. */
  readonly last4: string | null;
}

/** A rotated value, kept until `validUntil`. */
export interface PreviousValue extends SealedValue {
  /** ISO 8601. */
  readonly validUntil: string;
}

/** A credential of a provider in its stored form. */
export interface StoredCredential
  extends Pick<
    CredentialView,
    'id' | 'name' | 'provider' | 'hosts' | 'type' | 'teamId' | 'keysOnly' | 'state' | 'createdAt'
  > {
  /** Of the type `sealed`. */
  readonly value?: SealedValue;
  readonly previous?: PreviousValue;
  /** Of the type `secret`. */
  readonly secretArn?: string;
  readonly secretField?: string;
  /** Of the type `federation`. */
  readonly federation?: Federation;
}

/** All credentials, oldest first. Only this version is stored, so that a deleted value is gone. */
export interface CredentialsDocument {
  readonly credentials: readonly StoredCredential[];
}

/** Seals values, and opens them again under the same name only. Throws StoreUnavailable. */
export interface ValueSealer {
  seal(text: string, name: string): Promise<string>;
  open(sealed: string, name: string): Promise<string>;
}

/** When credentials were used. Throws StoreUnavailable. */
export interface CredentialUseStore {
  /** @param usedAt ISO 8601 */
  noteUse(id: string, usedAt: string): Promise<void>;
  /** The last use of each credential that has one, by id. */
  lastUses(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  deleteUse(id: string): Promise<void>;
}

const ID_DIGITS = 32;
/** Four characters of a shorter value would be too much of it. */
const MIN_SHOWN_FROM = 16;

export function newCredentialId(): string {
  return `cred_${randomHex(ID_DIGITS)}`;
}

type Place = Pick<StoredCredential, 'id' | 'provider' | 'hosts'>;

/** The name that a value is sealed under: moved to a credential with another provider or other hosts, it does not open. */
export function sealName({ id, provider, hosts }: Place): string {
  return JSON.stringify(['credential', id, provider, hosts]);
}

/** A value sealed for a credential. */
export async function sealValue(value: string, place: Place, sealer: Pick<ValueSealer, 'seal'>): Promise<SealedValue> {
  const shown = readServiceAccountKey(value)?.keyId ?? value;
  return {
    sealed: await sealer.seal(value, sealName(place)),
    last4: shown.length < MIN_SHOWN_FROM ? null : shown.slice(-4),
  };
}

/** The previous value while it is valid. */
export function previousOf({ previous }: StoredCredential, nowMs: number): PreviousValue | undefined {
  return previous !== undefined && nowMs < Date.parse(previous.validUntil) ? previous : undefined;
}

/** The credential with a new value; the old one is kept for the grace period. */
export function rotated(
  credential: StoredCredential,
  value: SealedValue,
  graceSeconds: number,
  nowMs: number,
): StoredCredential {
  const { previous: _, value: old, ...rest } = credential;
  const validUntil = new Date(nowMs + graceSeconds * 1_000).toISOString();
  const kept = old !== undefined && graceSeconds > 0;
  return { ...rest, value, ...(kept && { previous: { ...old, validUntil } }) };
}

/** The document without values whose grace period is over; the same object if it has none. */
export function withoutExpired(document: CredentialsDocument, nowMs: number): CredentialsDocument {
  const isExpired = (one: StoredCredential) => one.previous !== undefined && previousOf(one, nowMs) === undefined;
  if (!document.credentials.some(isExpired)) return document;
  const credentials = document.credentials.map((one) => {
    if (!isExpired(one)) return one;
    const { previous: _, ...rest } = one;
    return rest;
  });
  return { ...document, credentials };
}

/** The credential as the admin API and the audit log show it. */
export function toCredentialView(
  credential: StoredCredential,
  lastUsedAt: string | undefined,
  nowMs: number,
): CredentialView {
  const { value, previous: _, hosts, ...shown } = credential;
  const previous = previousOf(credential, nowMs);
  return {
    ...shown,
    object: 'credential',
    hosts: [...hosts],
    last4: value?.last4 ?? null,
    previous: previous === undefined ? null : { last4: previous.last4, validUntil: previous.validUntil },
    lastUsedAt: lastUsedAt ?? null,
  };
}
