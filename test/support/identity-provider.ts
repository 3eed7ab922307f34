/// <reference path="./oidc-provider.d.ts" />
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';

/** A public client of people in a terminal. */
export const CLIENT_ID = 'svc-terminal';
/** Another public client of the same provider. */
export const OTHER_CLIENT_ID = 'svc-other';
/** A client with a secret, which signs in itself. */
export const MACHINE_ID = 'svc-gateway';
export const MACHINE_SECRET = `planted-client-${'s3cret'.repeat(5)}`;
/** What access tokens are for. */
export const RESOURCE = 'https://svc.example.com';

/** Changes a response of the provider, or responds in its place. @returns whether it has responded */
type Hook = (request: http.IncomingMessage, response: http.ServerResponse) => boolean;

/** A real OpenID provider in this process, whose person signs in without a password. */
export class IdentityProvider {
  url = '';
  /** What its tokens name: its address, or a public one that leads to it. */
  issuer = '';
  /** Who signs in next. */
  person = 'sue';
  /** Of ID tokens and access tokens. */
  lifeSeconds = 3_600;
  hook: Hook = () => false;
  /** Method and path of all requests, and the grant of those for tokens. */
  asked: string[] = [];
  private callback: ReturnType<Provider['callback']> = () => {};
  private provider!: Provider;
  private readonly server = http.createServer((request, response) => {
    // As a proxy of this address would, so that the provider names that host.
    if (this.issuer !== this.url && request.headers.host === new URL(this.issuer).host)
      request.headers['x-forwarded-proto'] = 'https';
    const path = request.url?.split('?')[0] ?? '';
    this.asked.push(`${request.method} ${path}`);
    if (this.hook(request, response)) return;
    if (path.startsWith('/interaction/')) {
      this.interact(request, response).catch(() => response.writeHead(400).end());
    } else this.callback(request, response);
  });

  /** @param issuer a public https address */
  async start(issuer?: string): Promise<void> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    this.issuer = issuer ?? this.url;
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = { ...(await exportJWK(privateKey)), kid: 'first', use: 'sig', alg: 'ES256' };
    this.provider = new Provider(this.issuer, this.configuration(jwk));
    this.provider.proxy = issuer !== undefined;
    this.callback = this.provider.callback();
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  /** The person signs in, and agrees. */
  private async interact(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const { params } = await this.provider.interactionDetails(request, response);
    const grant = new this.provider.Grant({ accountId: this.person, clientId: params.client_id });
    grant.addOIDCScope('openid email profile offline_access models');
    grant.addResourceScope(typeof params.resource === 'string' ? params.resource : RESOURCE, 'models');
    const result = { login: { accountId: this.person }, consent: { grantId: await grant.save() } };
    await this.provider.interactionFinished(request, response, result);
  }

  private configuration(jwk: object): object {
    const life = () => this.lifeSeconds;
    const grants = ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'];
    const client = {
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256',
      redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
      grant_types: grants,
      response_types: ['code'],
    };
    return {
      clients: [
        ...[CLIENT_ID, OTHER_CLIENT_ID].map((client_id) => ({ ...client, client_id })),
        {
          ...{ client_id: MACHINE_ID, client_secret: MACHINE_SECRET, grant_types: ['client_credentials'] },
          ...{ redirect_uris: [], response_types: [], id_token_signed_response_alg: 'ES256' },
        },
      ],
      // Of clients that register themselves, as MCP clients do.
      clientDefaults: { application_type: 'native', id_token_signed_response_alg: 'ES256' },
      scopes: ['openid', 'offline_access', 'models'],
      jwks: { keys: [jwk] },
      cookies: { keys: ['of a test'] },
      conformIdTokenClaims: false,
      claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: ['name'] },
      enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
      findAccount: (_: unknown, id: string) => ({
        accountId: id,
        claims: () => ({ sub: id, email: `${id}@example.com`, email_verified: true, groups: ['engineering'] }),
      }),
      issueRefreshToken: async () => true,
      rotateRefreshToken: true,
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      features: {
        devInteractions: { enabled: false },
        deviceFlow: { enabled: true },
        clientCredentials: { enabled: true },
        registration: { enabled: true },
        revocation: { enabled: true, allowedPolicy: async () => true },
        resourceIndicators: {
          enabled: true,
          useGrantedResource: () => true,
          getResourceServerInfo: (_: unknown, resource: string) => ({
            audience: resource === RESOURCE ? 'svc' : resource,
            scope: 'models',
            accessTokenFormat: 'jwt',
            accessTokenTTL: this.lifeSeconds,
            jwt: { sign: { alg: 'ES256' } },
          }),
        },
      },
      ttl: {
        IdToken: life,
        AccessToken: life,
        RefreshToken: 86_400,
        DeviceCode: 600,
        Session: 60,
        Interaction: 60,
        Grant: 86_400,
      },
    };
  }
}

/** What a person's program gets who signs in by a code with PKCE: an ID token for `CLIENT_ID`. */
export async function idTokenOf(provider: IdentityProvider, person: string): Promise<string> {
  provider.person = person;
  const verifier = randomBytes(32).toString('base64url');
  const asked = new URLSearchParams({
    ...{ client_id: CLIENT_ID, response_type: 'code', redirect_uri: 'http://127.0.0.1/callback', nonce: 'n' },
    ...{ scope: 'openid email profile', code_challenge_method: 'S256' },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  });
  const { away = '' } = await new Browser().visit(`${provider.url}/auth?${asked}`);
  const body = new URLSearchParams({
    ...{ grant_type: 'authorization_code', client_id: CLIENT_ID, code_verifier: verifier },
    ...{ code: new URL(away).searchParams.get('code') ?? '', redirect_uri: 'http://127.0.0.1/callback' },
  });
  const response = await fetch(`${provider.url}/token`, { method: 'POST', body });
  return ((await response.json()) as { id_token: string }).id_token;
}

/** A browser that keeps cookies, and follows redirects as long as they stay at the identity provider. */
export class Browser {
  private readonly cookies = new Map<string, string>();

  /** What it shows at the end, and the address to which it was sent away, if it was. */
  async visit(address: string, form?: Readonly<Record<string, string>>): Promise<{ text: string; away?: string }> {
    const { origin } = new URL(address);
    let [next, body]: [string, URLSearchParams | undefined] = [address, form && new URLSearchParams(form)];
    for (let steps = 0; steps < 10; steps += 1) {
      const response = await fetch(next, {
        ...(body && { method: 'POST', body }),
        redirect: 'manual',
        headers: { cookie: [...this.cookies].map((pair) => pair.join('=')).join('; ') },
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split(/=(.*)/s);
        this.cookies.set(name, value);
      }
      const location = response.headers.get('location');
      if (location === null) return { text: await response.text() };
      await response.body?.cancel();
      body = undefined;
      next = new URL(location, next).href;
      if (new URL(next).origin !== origin) return { text: '', away: next };
    }
    throw new Error('too many redirects');
  }

  /** Signs in at the page of the authorization code flow, and opens what it is sent to. */
  async signIn(address: string): Promise<string> {
    const { away } = await this.visit(address);
    if (away === undefined) throw new Error('the provider did not redirect');
    return (await fetch(away)).text();
  }

  /** Signs in at the page of the device flow, with the code that the terminal shows. */
  async enter(address: string, code: string): Promise<string> {
    const tokenIn = (text: string) => /name="xsrf" value="(\w+)"/.exec(text)?.[1] ?? '';
    const asked = await this.visit(address);
    const entered = await this.visit(address, { xsrf: tokenIn(asked.text), user_code: code });
    const form = { xsrf: tokenIn(entered.text), user_code: code, confirm: 'yes' };
    return (await this.visit(address, form)).text;
  }
}
