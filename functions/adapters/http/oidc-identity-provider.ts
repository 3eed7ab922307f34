import { createHash, randomBytes } from 'node:crypto';
import type { JWTVerifyGetKey } from 'jose';
import * as z from 'zod';
import { type IdentityProvider, NotVouchedFor, type Person, type SignInAttempt } from '../../control/keys/index.ts';
import { StoreUnavailable } from '../../kernel/errors/index.ts';
import { addressSchema, type HttpClient } from '../../kernel/http/index.ts';
import type { Clock } from '../../kernel/tasks/index.ts';
import { readText } from './incoming-body.ts';

const TIMEOUT_MS = 5_000;
const MAX_RESPONSE_BYTES = 256 * 1024;
/** How long a provider's metadata and signing keys are cached. */
const FRESH_MS = 3_600_000;
const CLOCK_TOLERANCE_SECONDS = 60;
const MAX_EMAIL_CHARS = 320;
/** Only signatures with the provider's private key: neither `none` nor a MAC with a shared secret. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderMetadata */
const discoverySchema = z.object({
  issuer: z.string(),
  authorization_endpoint: addressSchema,
  token_endpoint: addressSchema,
  jwks_uri: addressSchema,
});
type Discovery = z.infer<typeof discoverySchema>;

const tokenSchema = z.object({ id_token: z.string() });
/** https://openid.net/specs/openid-connect-core-1_0.html#IDToken: a subject has at most 255 characters. */
const personSchema = z.object({
  sub: z.string().min(1).max(255),
  email: z.string().max(MAX_EMAIL_CHARS).nullable().catch(null),
  email_verified: z.unknown().optional(),
});
const keySetSchema = z.object({ keys: z.array(z.record(z.string(), z.unknown())) });

interface OidcSettings {
  /** The issuer as the provider writes it. */
  readonly issuer: string;
  readonly clientId: string;
  /** Absent for a public client. */
  readonly clientSecret?: (() => Promise<string>) | undefined;
  /** The text of the sign-in button. */
  readonly label: string;
  /** Where the provider redirects after sign-in. */
  readonly redirectUri: string;
  /** The claim that lists groups, such as `cognito:groups`. */
  readonly groupsClaim: string;
}

interface Known<T> {
  readonly value: T;
  readonly readAt: number;
}

/**
 * OpenID Connect: the authorization code flow with PKCE, state and nonce
 * (https://openid.net/specs/openid-connect-core-1_0.html#CodeFlowAuth). Every call has a deadline of five seconds; none is repeated.
 */
export class OidcIdentityProvider implements IdentityProvider {
  readonly label: string;
  private readonly settings: OidcSettings;
  private readonly http: HttpClient;
  private readonly clock: Clock;
  private discovery: Known<Discovery> | undefined;
  private keys: Known<JWTVerifyGetKey> | undefined;

  constructor(settings: OidcSettings, http: HttpClient, clock: Clock) {
    this.label = settings.label;
    this.settings = settings;
    this.http = http;
    this.clock = clock;
  }

  async begin(): Promise<{ attempt: SignInAttempt; url: string }> {
    const { authorization_endpoint } = await this.discover();
    const attempt = { state: random(), nonce: random(), verifier: random() };
    const url = new URL(authorization_endpoint);
    const parameters = {
      response_type: 'code',
      client_id: this.settings.clientId,
      redirect_uri: this.settings.redirectUri,
      scope: 'openid email profile',
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: createHash('sha256').update(attempt.verifier).digest('base64url'),
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return { attempt, url: url.href };
  }

  async finish(code: string, attempt: SignInAttempt): Promise<Person> {
    const idToken = await this.redeem(code, attempt.verifier);
    const claims = await this.verify(idToken);
    if (claims.nonce !== attempt.nonce) throw new NotVouchedFor('the nonce does not match');
    const person = personSchema.safeParse(claims);
    if (!person.success) throw new NotVouchedFor('the token has no valid subject');
    const { sub: subject, email, email_verified } = person.data;
    const groups = claims[this.settings.groupsClaim];
    return {
      subject,
      // Users of some providers write any address.
      email: email_verified === false || email_verified === 'false' ? null : email,
      groups: Array.isArray(groups) ? groups.filter((group) => typeof group === 'string') : [],
      claims,
    };
  }

  /** A code is valid for one attempt. */
  private async redeem(code: string, verifier: string): Promise<string> {
    const { clientId, clientSecret, redirectUri } = this.settings;
    const { token_endpoint } = await this.discover();
    const secret = await clientSecret?.();
    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      ...(secret === undefined && { client_id: clientId }),
    });
    const basic = secret !== undefined && [clientId, secret].map(encodeURIComponent).join(':');
    const { status, text } = await this.call('POST', token_endpoint, {
      body: form.toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(basic && { authorization: `Basic ${Buffer.from(basic).toString('base64')}` }),
      },
    });
    if (status >= 500) throw new StoreUnavailable(`identity provider: status ${status}`);
    const answer = status === 200 ? tokenSchema.safeParse(jsonOf(text)) : undefined;
    if (!answer?.success) throw new NotVouchedFor(`the code was refused (status ${status})`);
    return answer.data.id_token;
  }

  private async verify(idToken: string) {
    const { issuer, clientId } = this.settings;
    const { jwtVerify, errors } = await import('jose');
    const options = {
      issuer,
      audience: clientId,
      algorithms: ALGORITHMS,
      requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(this.clock.now()),
    };
    const check = async () => (await jwtVerify(idToken, await this.keySet(), options)).payload;
    const refused = (error: unknown): never => {
      if (error instanceof errors.JOSEError) throw new NotVouchedFor(`the token is refused (${error.code})`);
      if (error instanceof StoreUnavailable) throw error;
      throw new StoreUnavailable('identity provider: its key cannot be used');
    };
    const isWithWrongKey = (error: unknown) =>
      error instanceof errors.JWKSNoMatchingKey ||
      error instanceof errors.JWSSignatureVerificationFailed ||
      !(error instanceof errors.JOSEError || error instanceof StoreUnavailable);
    const claims = await check().catch((error) => {
      // The provider may have replaced or corrected a cached key, also under the same id.
      if (!isWithWrongKey(error)) return refused(error);
      this.keys = undefined;
      return check().catch(refused);
    });
    const isShared = Array.isArray(claims.aud) && claims.aud.length > 1;
    if ((isShared || claims.azp !== undefined) && claims.azp !== clientId) {
      throw new NotVouchedFor('the token has another audience');
    }
    return claims;
  }

  private async discover(): Promise<Discovery> {
    if (this.discovery && this.clock.monotonic() - this.discovery.readAt < FRESH_MS) return this.discovery.value;
    const { issuer } = this.settings;
    const value = await this.read(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, discoverySchema);
    if (value.issuer !== issuer) throw new StoreUnavailable('identity provider: its issuer differs from the setting');
    for (const url of [value.authorization_endpoint, value.token_endpoint, value.jwks_uri]) {
      // Plain HTTP only if the issuer itself uses it, on the local machine.
      if (new URL(url).protocol !== 'https:' && new URL(issuer).protocol === 'https:') {
        throw new StoreUnavailable('identity provider: a URL without https');
      }
    }
    this.discovery = { value, readAt: this.clock.monotonic() };
    return value;
  }

  private async keySet(): Promise<JWTVerifyGetKey> {
    if (this.keys && this.clock.monotonic() - this.keys.readAt < FRESH_MS) return this.keys.value;
    const { createLocalJWKSet } = await import('jose');
    const value = createLocalJWKSet(await this.read((await this.discover()).jwks_uri, keySetSchema));
    this.keys = { value, readAt: this.clock.monotonic() };
    return value;
  }

  private async read<T extends z.ZodType>(url: string, schema: T): Promise<z.infer<T>> {
    const { status, text } = await this.call('GET', url, { headers: { accept: 'application/json' } });
    const answer = status === 200 ? schema.safeParse(jsonOf(text)) : undefined;
    if (!answer?.success) throw new StoreUnavailable(`identity provider: ${new URL(url).pathname} is not readable`);
    return answer.data;
  }

  private async call(
    method: 'GET' | 'POST',
    url: string,
    more: { readonly headers: Readonly<Record<string, string>>; readonly body?: string },
  ): Promise<{ status: number; text: string }> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const limits = { headTimeoutMs: TIMEOUT_MS, idleTimeoutMs: TIMEOUT_MS, signal };
      const { status, body } = await this.http.send({ method, url, ...more, ...limits });
      return { status, text: await readText(body, MAX_RESPONSE_BYTES) };
    } catch (error) {
      throw new StoreUnavailable(`identity provider: ${error instanceof Error ? error.message : typeof error}`);
    }
  }
}

function random(): string {
  return randomBytes(32).toString('base64url');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
