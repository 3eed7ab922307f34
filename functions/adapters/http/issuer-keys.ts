import type { JWTVerifyGetKey } from 'jose';
import * as z from 'zod';
import { invalidToken, type TokenSignatures, type UnverifiedToken } from '../../control/identities/index.ts';
import { GatewayError } from '../../kernel/errors/index.ts';
import { addressSchema, type HttpClient, HttpFailure } from '../../kernel/http/index.ts';
import type { TokenIssuer } from '../../kernel/identity/index.ts';
import type { Clock } from '../../kernel/tasks/index.ts';
import { readText } from './incoming-body.ts';

/** For both calls together; none is repeated. */
const DEADLINE_MS = 5_000;
const MAX_RESPONSE_BYTES = 256 * 1024;
const MAX_KEYS = 100;
/** From this age on the keys are read again in the background. */
const FRESH_MS = 5 * 60_000;
/** A token whose key is not known makes this process read the keys at most this often. */
const RENEWED_EVERY_MS = 60_000;
/** The same while no keys are known. */
const RETRIED_EVERY_MS = 5_000;

/** https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderMetadata */
const discoverySchema = z.object({ issuer: z.string(), jwks_uri: addressSchema });
/** RFC 7517, 5: a key that is not understood is ignored. */
const keySetSchema = z.object({ keys: z.array(z.record(z.string(), z.unknown())).max(MAX_KEYS) });

interface IssuerKeysOptions {
  /** For issuers of the settings, which may be at private addresses. */
  readonly http: HttpClient;
  /** For all others. */
  readonly publicHttp: HttpClient;
  readonly clock: Clock;
  /** Gets reads that no request waits for. */
  readonly inBackground: (reading: Promise<void>) => void;
  /** The keys of an issuer cannot be read. `reason` has no text of a response. */
  readonly onUnreadable: (issuer: string, reason: string) => void;
}

interface KeySet {
  readonly text: string;
  readonly find: JWTVerifyGetKey;
  readonly generation: number;
}

interface Known {
  keys: KeySet | undefined;
  readAt: number;
  triedAt: number;
  reading: Promise<void> | undefined;
}

/**
 * The public keys of issuers, by their discovery document or `jwksUrl`. Requests wait for a read only if a token's key is not known, and at
 * most one each minute makes a read; else keys are read again in the background. The last keys stay while they cannot be read.
 */
export class IssuerKeys implements TokenSignatures {
  private readonly options: IssuerKeysOptions;
  private readonly known = new Map<string, Known>();
  private generations = 0;

  constructor(options: IssuerKeysOptions) {
    this.options = options;
  }

  generationOf(issuer: TokenIssuer, isOfSettings: boolean): number {
    const known = this.entryOf(issuer);
    const now = this.options.clock.monotonic();
    const isDue = now - known.readAt >= FRESH_MS && now - known.triedAt >= RENEWED_EVERY_MS;
    if (known.keys !== undefined && isDue) this.options.inBackground(this.read(issuer, known, isOfSettings));
    return known.keys?.generation ?? 0;
  }

  async verify(token: UnverifiedToken, issuer: TokenIssuer, isOfSettings: boolean): Promise<void> {
    const known = this.entryOf(issuer);
    const read = () => this.read(issuer, known, isOfSettings);
    if (known.keys === undefined) await this.readUnlessTried(known, RETRIED_EVERY_MS, read);
    if (known.keys === undefined) throw withoutKeys(issuer);
    const { generation } = known.keys;
    const fault = await this.faultOf(token, issuer, known.keys);
    if (fault === undefined) return;
    // The issuer may have new keys, also under the name of an old one.
    if (fault.mayBeOld) await this.readUnlessTried(known, RENEWED_EVERY_MS, read);
    if (known.keys.generation === generation) throw fault.error;
    const next = await this.faultOf(token, issuer, known.keys);
    if (next !== undefined) throw next.error;
  }

  private entryOf(issuer: TokenIssuer): Known {
    const name = nameOf(issuer);
    const never = Number.NEGATIVE_INFINITY;
    const known = this.known.get(name) ?? { keys: undefined, readAt: never, triedAt: never, reading: undefined };
    this.known.set(name, known);
    return known;
  }

  /** Waits for a read that runs, or makes one unless that was tried a moment ago. */
  private async readUnlessTried(known: Known, everyMs: number, read: () => Promise<void>): Promise<void> {
    if (known.reading !== undefined) return known.reading;
    if (this.options.clock.monotonic() - known.triedAt >= everyMs) await read();
  }

  /** Never throws: the last keys stay. */
  private read(issuer: TokenIssuer, known: Known, isOfSettings: boolean): Promise<void> {
    const http = isOfSettings ? this.options.http : this.options.publicHttp;
    const startedAt = this.options.clock.monotonic();
    known.triedAt = startedAt;
    known.reading ??= this.load(issuer, http)
      .then(async (text) => {
        if (text !== known.keys?.text) known.keys = await this.toKeySet(text);
        known.readAt = startedAt;
      })
      .catch((error: unknown) => {
        const reason = error instanceof Unreadable ? error.message : 'the response is not readable';
        this.options.onUnreadable(issuer.issuer, reason);
      })
      .finally(() => {
        known.reading = undefined;
      });
    return known.reading;
  }

  private async toKeySet(text: string): Promise<KeySet> {
    const parsed = keySetSchema.safeParse(jsonOf(text));
    if (!parsed.success) throw new Unreadable('the response is no key set');
    const { createLocalJWKSet } = await import('jose');
    this.generations += 1;
    return { text, find: createLocalJWKSet(parsed.data), generation: this.generations };
  }

  private async load({ issuer, jwksUrl }: TokenIssuer, http: HttpClient): Promise<string> {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    if (jwksUrl !== undefined) return get(jwksUrl, http, signal);
    const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const found = discoverySchema.safeParse(jsonOf(await get(url, http, signal)));
    if (!found.success) throw new Unreadable('the response is no discovery document');
    if (found.data.issuer !== issuer) throw new Unreadable('its discovery document names another issuer');
    const { jwks_uri } = found.data;
    // Plain HTTP only if the issuer itself uses it, on the local machine.
    if (issuer.startsWith('https:') && !jwks_uri.startsWith('https:'))
      throw new Unreadable('its jwks_uri has no https');
    return get(jwks_uri, http, signal);
  }

  /** Why the signature is not valid under these keys; `mayBeOld`: other keys may differ. */
  private async faultOf({ text }: UnverifiedToken, { algorithms }: TokenIssuer, { find }: KeySet) {
    const { compactVerify, errors } = await import('jose');
    try {
      await compactVerify(text, find, { algorithms: [...algorithms] });
      return undefined;
    } catch (error) {
      const fault = (message: string, mayBeOld: boolean) => ({ error: invalidToken(message), mayBeOld });
      if (error instanceof errors.JWKSNoMatchingKey) return fault("its issuer has no key for it ('kid')", true);
      if (error instanceof errors.JWSSignatureVerificationFailed) return fault('its signature is not valid', true);
      if (error instanceof errors.JWKSMultipleMatchingKeys)
        return fault("its header names none of the issuer's keys ('kid')", false);
      if (error instanceof errors.JOSEError) return fault('its signature is not readable', false);
      // A key of the issuer that cannot be used, such as a short one.
      return fault("the issuer's key for it cannot be used", true);
    }
  }
}

/** What was wrong, without text of a response. */
class Unreadable extends Error {}

function nameOf({ issuer, jwksUrl }: TokenIssuer): string {
  return JSON.stringify([issuer, jwksUrl]);
}

async function get(url: string, http: HttpClient, signal: AbortSignal): Promise<string> {
  const limits = { headTimeoutMs: DEADLINE_MS, idleTimeoutMs: DEADLINE_MS, signal };
  try {
    const { status, body } = await http.send({
      method: 'GET',
      url,
      headers: { accept: 'application/json' },
      ...limits,
    });
    const text = await readText(body, MAX_RESPONSE_BYTES);
    if (status === 200) return text;
    throw new Unreadable(`status ${status}`);
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable(error instanceof HttpFailure ? `no response (${error.reason})` : 'the response is too large');
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function withoutKeys({ issuer }: TokenIssuer): GatewayError {
  return new GatewayError('unavailable', "The keys of the token's issuer cannot be read. Try again shortly.", {
    headers: { 'retry-after': '5' },
    internal: `the keys of ${issuer} were never read`,
  });
}
