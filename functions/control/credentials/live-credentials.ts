import { sha256 } from '../../kernel/crypto/index.ts';
import { GatewayError, StoreUnavailable } from '../../kernel/errors/index.ts';
import type { ApiKey } from '../../kernel/model/index.ts';
import type { Clock } from '../../kernel/tasks/index.ts';
import type { LiveDocument } from '../documents/index.ts';
import { type AccessToken, ExchangeFailure, type FederatedTokens, serviceAccountOf } from '../federation/index.ts';
import {
  type CredentialsDocument,
  type CredentialUseStore,
  previousOf,
  type SealedValue,
  type StoredCredential,
  sealName,
  type ValueSealer,
} from './credential.ts';

/** A secret outside of the gateway, which may change. */
export interface OutsideSecret {
  readonly version: number;
  /** @throws StoreUnavailable if it cannot be read and never was */
  read(): Promise<string>;
  renewedSince(version: number, provider: string): Promise<boolean>;
}

/** How a value is sent. */
export interface BoundValue {
  /** To these only. */
  readonly hosts: ReadonlySet<string>;
  /** Of an access token, which every API takes as `Authorization: Bearer`, whatever its header for keys is. Milliseconds since 1970. */
  readonly expiresAt?: number | undefined;
}

/** A value for one call. */
export interface UsedCredential {
  readonly id: string;
  readonly value: string;
  /** Of the secret that it was read from. */
  readonly version?: number;
}

/** The caller of a model, as far as it decides about credentials. */
type CallingKey = Pick<ApiKey, 'credentialId' | 'teamId'>;

interface LiveCredentialsDeps {
  readonly document: Pick<LiveDocument<CredentialsDocument>, 'settings' | 'renew'>;
  readonly sealer: Pick<ValueSealer, 'open'>;
  readonly outsideSecret: (arn: string) => OutsideSecret;
  readonly tokens: Pick<FederatedTokens, 'current' | 'afterRefusal'>;
  readonly uses: Pick<CredentialUseStore, 'noteUse'>;
  readonly clock: Clock;
  /** The credential that a provider names; undefined if it names none. */
  readonly namedBy?: (provider: string) => Promise<string | undefined>;
  /** Called with each value before it is first used. */
  readonly onValue: (value: string) => void;
  /** Called with an access token that has expired long ago. */
  readonly onExpired: (value: string) => void;
  /** The provider refuses the new value of a rotated credential, and the old one is used. */
  readonly onRefused: (id: string, provider: string) => void;
}

/** A use is recorded at most this often by each process. */
const NOTED_EVERY_MS = 10 * 60_000;
/** How long a refused value is not tried again. */
const REFUSED_MS = 60_000;
/** How long an expired access token is still known: a request that began before may still hold it. */
const EXPIRED_MS = 3_600_000;
/** The document is read in between for a refused or unknown credential, at most this often. */
const RENEWED_EVERY_MS = 5_000;
/** A key setting that names a stored credential instead of holding a value. */
const REFERENCE = /^credential:(cred_[0-9a-f]{32})$/;

/** The key setting of a provider with a stored credential. */
export function referenceTo(id: string): string {
  return `credential:${id}`;
}

/** The stored credential that a key setting names; undefined if it holds a value. */
function referredBy(setting: string): string | undefined {
  return REFERENCE.exec(setting)?.[1];
}

/**
 * The stored credentials as this process knows them, and which one a call uses. The first of these decides:
 * 1. the credential that the key names, for calls of its provider only;
 * 2. the one that the provider names;
 * 3. the oldest active one of the provider that is not only for keys;
 * 4. none: the call uses the key of the settings.
 * A credential that is named but cannot be used fails the call: another one would be another account's.
 */
export class LiveCredentials {
  private readonly deps: LiveCredentialsDeps;
  /** Each value that was ever used; access tokens until they have expired. */
  private readonly bound = new Map<string, BoundValue>();
  private readonly secrets = new Map<string, OutsideSecret>();
  private shared: { readonly of: CredentialsDocument; readonly ids: ReadonlyMap<string, string> } | undefined;
  private opened: { readonly of: CredentialsDocument; readonly values: Map<string, string> } | undefined;
  private readonly notedAt = new Map<string, number>();
  private readonly refusedUntil = new Map<string, number>();
  private renewedAt = Number.NEGATIVE_INFINITY;

  constructor(deps: LiveCredentialsDeps) {
    this.deps = deps;
  }

  /** Where and how a value may be sent; undefined for a text that is no value of a credential. */
  boundOf(value: string): BoundValue | undefined {
    return this.bound.get(value);
  }

  /**
   * The credential of a call; undefined if it uses the key of the settings. @param ofKey whose request it is
   * @throws GatewayError for one that cannot be used, StoreUnavailable
   */
  async forCall(provider: string, ofKey: CallingKey): Promise<UsedCredential | undefined> {
    try {
      const credential = await this.choose(provider, ofKey);
      if (credential === undefined) return undefined;
      const used = await this.valueOf(credential);
      this.noteUse(credential.id);
      return used;
    } catch (error) {
      throw error instanceof StoreUnavailable ? unreadable(provider, error) : error;
    }
  }

  /** Another digest for another credential or another value of it; undefined if a call uses the key of the settings. @throws like `forCall` */
  async accountOf(provider: string, ofKey: CallingKey): Promise<string | undefined> {
    const credential = await this.choose(provider, ofKey);
    if (credential === undefined) return undefined;
    const { id, federation } = credential;
    const account = JSON.stringify([id, federation ?? (await this.textOf(credential)).value]);
    return sha256(Buffer.from(account)).toString('hex');
  }

  /** The credential of each provider that has one for all keys, by the provider's name. The same map while the document is the same. */
  async byProvider(): Promise<ReadonlyMap<string, string>> {
    const document = await this.deps.document.settings();
    if (this.shared?.of !== document) {
      const oldestLast = document.credentials.filter(isShared).reverse();
      this.shared = { of: document, ids: new Map(oldestLast.map(({ provider, id }) => [provider, id])) };
    }
    return this.shared.ids;
  }

  /** The value that a key setting refers to, or the setting itself. @throws like `forCall` */
  async resolve(setting: string): Promise<string> {
    const id = referredBy(setting);
    if (id === undefined) return setting;
    return (await this.valueOf(usable(await this.named(id)))).value;
  }

  /** The value of a credential, and the hosts to which it may be sent. @throws like `forCall` */
  async lookUp(id: string): Promise<{ readonly value: string; readonly hosts: ReadonlySet<string> }> {
    const credential = usable(await this.named(id));
    return { value: (await this.valueOf(credential)).value, hosts: new Set(credential.hosts) };
  }

  /** Binds an access token that was got with a credential to the host that it is for, before it is first used. */
  bindToken({ value, expiresAt }: AccessToken, host: string): void {
    if (!this.bound.has(value)) this.forgetExpired();
    this.bind(value, [host], expiresAt);
  }

  /**
   * Another value after the provider refused one: the previous one within its grace period, or one that was stored since.
   * Undefined if there is none. Never throws.
   */
  async afterRefusal(used: UsedCredential): Promise<UsedCredential | undefined> {
    try {
      return await this.replacementOf(used);
    } catch {
      return undefined;
    }
  }

  private async choose(provider: string, { credentialId, teamId }: CallingKey): Promise<StoredCredential | undefined> {
    const own = credentialId == null ? undefined : await this.named(credentialId);
    if (own?.provider === provider) {
      if (own.teamId !== null && own.teamId !== teamId) throw unusable('belongs to another team');
      return usable(own);
    }
    const id = await this.deps.namedBy?.(provider);
    if (id !== undefined) {
      const ofProvider = await this.named(id);
      if (ofProvider.provider !== provider) throw unusable(`is not for the provider ${provider}`);
      if (ofProvider.teamId !== null) throw unusable('belongs to a team');
      return usable(ofProvider);
    }
    const { credentials } = await this.deps.document.settings();
    return credentials.find((one) => one.provider === provider && isShared(one));
  }

  private async replacementOf(used: UsedCredential): Promise<UsedCredential | undefined> {
    const credential = await this.find(used.id);
    if (credential === undefined || credential.state !== 'active') return undefined;
    const federated = await this.federatedOf(credential);
    if (federated !== undefined) {
      const token = await this.deps.tokens.afterRefusal(federated, used.value);
      return token && this.handOutToken(credential, token);
    }
    if (credential.secretArn !== undefined) {
      const secret = this.secretOf(credential.secretArn);
      const isRenewed = await secret.renewedSince(used.version ?? 0, credential.provider);
      return isRenewed ? this.valueOf(credential) : undefined;
    }
    if (credential.value !== undefined) {
      const current = await this.open(credential, credential.value);
      if (current === used.value && this.usesPrevious(credential)) return this.valueOf(credential);
    }
    await this.renew();
    const renewed = await this.find(used.id);
    const other = renewed?.state === 'active' ? await this.valueOf(renewed) : undefined;
    return other?.value === used.value ? undefined : other;
  }

  private async find(id: string): Promise<StoredCredential | undefined> {
    const { credentials } = await this.deps.document.settings();
    return credentials.find((one) => one.id === id);
  }

  /** One that a key, a provider or a setting names; it may have been stored a moment ago. @throws GatewayError */
  private async named(id: string): Promise<StoredCredential> {
    const known = await this.find(id);
    if (known !== undefined) return known;
    await this.renew();
    const found = await this.find(id);
    if (found === undefined) throw unusable('does not exist');
    return found;
  }

  /** Reads the document now, unless that was done a moment ago. */
  private async renew(): Promise<void> {
    const { document, clock } = this.deps;
    const now = clock.monotonic();
    if (now - this.renewedAt < RENEWED_EVERY_MS) return;
    this.renewedAt = now;
    await document.renew();
  }

  private async valueOf(credential: StoredCredential): Promise<UsedCredential> {
    try {
      const federated = await this.federatedOf(credential);
      if (federated === undefined)
        return this.handOut(credential, { id: credential.id, ...(await this.textOf(credential)) });
      return this.handOutToken(credential, await this.deps.tokens.current(federated));
    } catch (error) {
      if (!(error instanceof ExchangeFailure)) throw error;
      if (error.isRefused && this.usesPrevious(credential)) return this.valueOf(credential);
      throw withoutToken(credential.provider, error);
    }
  }

  /** Whether the previous value is used from now on, since the new one is refused. */
  private usesPrevious(credential: StoredCredential): boolean {
    const { clock, onRefused } = this.deps;
    const { value } = credential;
    if (value === undefined || previousOf(credential, clock.now()) === undefined || this.isRefused(value)) return false;
    this.refusedUntil.set(value.sealed, clock.monotonic() + REFUSED_MS);
    onRefused(credential.id, credential.provider);
    return true;
  }

  private isRefused({ sealed }: SealedValue): boolean {
    return (this.refusedUntil.get(sealed) ?? 0) > this.deps.clock.monotonic();
  }

  /** The value that is kept here or in a secret. */
  private async textOf(credential: StoredCredential): Promise<Pick<UsedCredential, 'value' | 'version'>> {
    const { provider, secretArn, secretField, value } = credential;
    if (secretArn !== undefined) {
      const secret = this.secretOf(secretArn);
      const text = memberOf(await secret.read(), secretField, provider);
      return { value: text, version: secret.version };
    }
    if (value === undefined) throw unusable('is of a type that this release does not know');
    const chosen = (this.isRefused(value) ? previousOf(credential, this.deps.clock.now()) : undefined) ?? value;
    return { value: await this.open(credential, chosen) };
  }

  /** How it gets access tokens: by federation, or as the service account whose key it keeps; undefined for a value that is sent. */
  private async federatedOf(credential: StoredCredential): Promise<Federated | undefined> {
    const { id, provider, federation, hosts } = credential;
    if (federation !== undefined) return { id, provider, federation };
    const account = serviceAccountOf((await this.textOf(credential)).value, hosts);
    return account && { id, provider, federation: account, variant: account.keyId };
  }

  /** A value is bound to its hosts, and known to the filter of responses, before anything gets it. */
  private handOut({ hosts }: StoredCredential, used: UsedCredential, expiresAt?: number): UsedCredential {
    this.bind(used.value, hosts, expiresAt);
    return used;
  }

  private bind(value: string, hosts: readonly string[], expiresAt: number | undefined): void {
    const known = this.bound.get(value);
    if (known === undefined) this.deps.onValue(value);
    this.bound.set(value, { hosts: new Set([...(known?.hosts ?? []), ...hosts]), expiresAt });
  }

  private handOutToken(credential: StoredCredential, { value, expiresAt }: AccessToken): UsedCredential {
    if (!this.bound.has(value)) this.forgetExpired();
    return this.handOut(credential, { id: credential.id, value }, expiresAt);
  }

  /** Else a process that runs for months would keep a token for each hour. */
  private forgetExpired(): void {
    const now = this.deps.clock.now();
    for (const [value, { expiresAt }] of this.bound) {
      if (expiresAt === undefined || now < expiresAt + EXPIRED_MS) continue;
      this.bound.delete(value);
      this.deps.onExpired(value);
    }
  }

  /** Opened values are kept as long as their document. */
  private async open(credential: StoredCredential, { sealed }: SealedValue): Promise<string> {
    const document = await this.deps.document.settings();
    if (this.opened?.of !== document) this.opened = { of: document, values: new Map() };
    const { values } = this.opened;
    const name = sealName(credential);
    const known = values.get(`${name} ${sealed}`);
    if (known !== undefined) return known;
    const value = await this.deps.sealer.open(sealed, name);
    values.set(`${name} ${sealed}`, value);
    return value;
  }

  private secretOf(arn: string): OutsideSecret {
    const secret = this.secrets.get(arn) ?? this.deps.outsideSecret(arn);
    this.secrets.set(arn, secret);
    return secret;
  }

  private noteUse(id: string): void {
    const { clock, uses } = this.deps;
    const now = clock.now();
    if (now - (this.notedAt.get(id) ?? 0) < NOTED_EVERY_MS) return;
    this.notedAt.set(id, now);
    uses.noteUse(id, new Date(now).toISOString()).catch(() => {});
  }
}

/** A credential whose value is an access token. */
type Federated = Parameters<FederatedTokens['current']>[0];

function usable(credential: StoredCredential): StoredCredential {
  if (credential.state === 'active') return credential;
  throw unusable('is disabled');
}

function isShared({ teamId, keysOnly, state }: StoredCredential): boolean {
  return teamId === null && !keysOnly && state === 'active';
}

function unreadable(provider: string, { message }: StoreUnavailable): GatewayError {
  return new GatewayError(
    'unavailable',
    `The credential for the provider ${provider} cannot be read. Try again shortly.`,
    {
      headers: { 'retry-after': '1' },
      internal: message,
      fallback: 'now',
    },
  );
}

/** The call fails; other targets are tried. What AWS or the provider refuses is mended by an administrator, not by a retry. */
function withoutToken(provider: string, { message: internal, isRefused }: ExchangeFailure): GatewayError {
  const message = `The gateway gets no access token for the provider ${provider}.`;
  const [code, headers] = isRefused
    ? (['provider_error', { 'x-should-retry': 'false' }] as const)
    : (['unavailable', { 'retry-after': '5' }] as const);
  return new GatewayError(code, message, { headers, internal, fallback: 'now' });
}

/** The call fails; other targets are tried. */
function unusable(fault: string): GatewayError {
  const message = `The credential that is named for this call ${fault}.`;
  const headers = { 'x-should-retry': 'false' };
  return new GatewayError('provider_error', message, {
    headers,
    internal: `the named credential ${fault}`,
    fallback: 'now',
  });
}

/** The value in a secret. @throws StoreUnavailable if it is not there; the message has no text of the secret */
export function memberOf(text: string, field: string | undefined, provider: string): string {
  const value = field === undefined ? text : readMember(text, field);
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  const what = field === undefined ? 'is empty' : `is no JSON object with the text '${field}'`;
  throw new StoreUnavailable(`the secret of the credential for ${provider} ${what}`);
}

function readMember(text: string, field: string): unknown {
  try {
    const parsed = JSON.parse(text) as Readonly<Record<string, unknown>> | null;
    return parsed?.[field];
  } catch {
    return undefined;
  }
}
