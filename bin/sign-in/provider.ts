import type { Configuration, TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client';
import { isPlainLoopback, requireSafeAddress } from './addresses.ts';
import type { SignInSettings } from './gateway.ts';
import { Loopback } from './loopback.ts';
import type { Session, Tokens } from './session-store.ts';
import { callFailure, SignInError } from './sign-in-error.ts';

/** Of each call. */
const TIMEOUT_S = 10;
/** How long a person may take. */
const SIGN_IN_MS = 10 * 60_000;
const SCOPE = 'openid email profile';

type Client = typeof import('openid-client');
type Response = TokenEndpointResponse & TokenEndpointResponseHelpers;

/** What a person does on another device: enters a code at an address. */
export interface DeviceCode {
  readonly address: string;
  readonly code: string;
}

/** The identity provider of one session. Each call has 10 s. Failures are a SignInError. */
export class Provider {
  private readonly client: Client;
  private readonly config: Configuration;
  private readonly settings: SignInSettings;

  private constructor(client: Client, config: Configuration, settings: SignInSettings) {
    this.client = client;
    this.config = config;
    this.settings = settings;
  }

  /** Reads the provider's discovery document, whose issuer must be the one of the settings. */
  static async connect(settings: SignInSettings): Promise<Provider> {
    const { issuer, clientId } = settings;
    const client = await import('openid-client');
    // Plain HTTP only if the issuer itself uses it, on this machine.
    const execute = isPlainLoopback(issuer) ? [client.allowInsecureRequests] : [];
    try {
      const config = await client.discovery(new URL(issuer), clientId, undefined, client.None(), {
        timeout: TIMEOUT_S,
        execute,
      });
      if (config.serverMetadata().issuer !== issuer)
        throw new SignInError('The identity provider names another issuer.');
      return new Provider(client, config, settings);
    } catch (error) {
      throw callFailure(nameOf(settings), error);
    }
  }

  /** Whether it offers the device flow (RFC 8628). */
  get hasDeviceFlow(): boolean {
    return this.config.serverMetadata().device_authorization_endpoint !== undefined;
  }

  /** The authorization code flow with PKCE, through a browser on this machine. `show` gets the address to open. */
  async signInWithBrowser(show: (address: string) => void): Promise<Tokens> {
    const { client, config } = this;
    const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()];
    const loopback = await Loopback.listen(this.settings.redirectUri, state);
    try {
      const address = client.buildAuthorizationUrl(config, {
        redirect_uri: loopback.redirectUri,
        ...this.request(),
        ...{ state, nonce },
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      show(address.href);
      const url = await loopback.redirect(SIGN_IN_MS);
      const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
      return this.tokensOf(await client.authorizationCodeGrant(config, url, checks, this.forResource()));
    } catch (error) {
      throw callFailure(nameOf(this.settings), error);
    } finally {
      loopback.close();
    }
  }

  /** The device flow: the person signs in on any device. `show` gets what to enter there. */
  async signInWithCode(show: (code: DeviceCode) => void): Promise<Tokens> {
    const { client, config } = this;
    try {
      const device = await client.initiateDeviceAuthorization(config, this.request());
      requireSafeAddress(device.verification_uri, "The identity provider's page");
      show({ address: new URL(device.verification_uri).href, code: device.user_code });
      const signal = AbortSignal.timeout(Math.min(SIGN_IN_MS, device.expires_in * 1_000));
      return this.tokensOf(await client.pollDeviceAuthorizationGrant(config, device, this.forResource(), { signal }));
    } catch (error) {
      throw callFailure(nameOf(this.settings), error);
    }
  }

  /** New tokens of the same person. Throws the client's own errors, by which the caller decides. */
  async refresh({ refreshToken = '', subject, person }: Session): Promise<Tokens> {
    const tokens = this.tokensOf(await this.client.refreshTokenGrant(this.config, refreshToken, this.forResource()));
    if (tokens.subject !== undefined && subject !== undefined && tokens.subject !== subject)
      throw new SignInError('The identity provider returned a token of another person.');
    // Without a new one the old one stays valid (RFC 6749, 6).
    return { subject, person, ...tokens, refreshToken: tokens.refreshToken ?? refreshToken };
  }

  /** Ends the refresh token at the provider (RFC 7009), if it offers that. */
  async revoke({ refreshToken }: Session): Promise<void> {
    if (refreshToken === undefined || this.config.serverMetadata().revocation_endpoint === undefined) return;
    try {
      await this.client.tokenRevocation(this.config, refreshToken, { token_type_hint: 'refresh_token' });
    } catch (error) {
      throw callFailure(nameOf(this.settings), error);
    }
  }

  private request(): Record<string, string> {
    const { scope } = this.settings;
    const listed = this.config.serverMetadata().scopes_supported ?? [];
    const preset = listed.includes('offline_access') ? `${SCOPE} offline_access` : SCOPE;
    return { scope: scope ?? preset, ...this.forResource() };
  }

  private forResource(): Record<string, string> {
    const { resource } = this.settings;
    return resource === undefined ? {} : { resource };
  }

  private tokensOf(response: Response): Tokens {
    const { token } = this.settings;
    const value = response[token];
    // A provider may leave it out of a refresh (OpenID Connect Core, 12.2).
    if (value === undefined)
      throw new SignInError(`${nameOf(this.settings)} returned no ID token. Sign in again, or use access tokens.`);
    const claims = response.claims();
    const seconds = response.expiresIn();
    const receivedAt = Date.now();
    const expiresAt = token === 'id_token' ? (claims?.exp ?? 0) * 1_000 : receivedAt + (seconds ?? 0) * 1_000;
    if (expiresAt <= receivedAt)
      throw new SignInError(`${nameOf(this.settings)} returned a token that is over by the clock of this machine.`);
    const known = claims && {
      subject: claims.sub,
      person: String(claims.email ?? claims.preferred_username ?? claims.sub),
    };
    return { value, receivedAt, expiresAt, refreshToken: response.refresh_token, ...known };
  }
}

function nameOf({ issuer }: SignInSettings): string {
  return `The identity provider ${issuer}`;
}
