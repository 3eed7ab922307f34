import { createHash } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';

/** The client that every issuer knows. */
export const CLIENT = { id: 'svc-dashboard', secret: ['client', 'secret'].join('-') };
const ASKED = {
  response_type: 'code',
  client_id: CLIENT.id,
  scope: 'openid email profile',
  code_challenge_method: 'S256',
};
type Pair = Awaited<ReturnType<typeof generateKeyPair>>;

/** An identity provider with real signatures: discovery, keys, and a token endpoint that checks what PKCE and clients promise. */
export class Issuer {
  url = '';
  /** What the next ID token says besides the usual. */
  claims: Record<string, unknown> = {};
  /** Makes the token another way. */
  sign: ((claims: JWTPayload) => Promise<string>) | undefined;
  pair!: Pair;
  keyId: string | undefined = 'first';
  /** Members of the published key besides its own. */
  keyFields: Record<string, unknown> = {};
  asked: string[] = [];
  readonly now: () => number;
  private readonly codes = new Map<string, { challenge: string; nonce: string; redirectUri: string }>();
  private readonly server = http.createServer((request, response) => {
    this.answer(request).then(
      ([status, body]) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      () => response.writeHead(500).end(),
    );
  });

  constructor(now: () => number) {
    this.now = now;
  }

  async start(): Promise<void> {
    this.pair = await generateKeyPair('ES256', { extractable: true });
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  /** What a person's browser is sent back with, who signed in at this address. */
  authorize(address: string): URLSearchParams {
    const asked = new URL(address).searchParams;
    for (const [name, value] of Object.entries(ASKED))
      if (asked.get(name) !== value) throw new Error(`${name} is ${asked.get(name)}, not ${value}`);
    const code = `code-${this.codes.size}`;
    this.codes.set(code, {
      challenge: asked.get('code_challenge') ?? '',
      nonce: asked.get('nonce') ?? '',
      redirectUri: asked.get('redirect_uri') ?? '',
    });
    return new URLSearchParams({ code, state: asked.get('state') ?? '' });
  }

  private async answer(request: http.IncomingMessage): Promise<[number, unknown]> {
    this.asked.push(request.url ?? '');
    const at = (path: string) => `${this.url}${path}`;
    if (request.url === '/.well-known/openid-configuration') {
      const endpoints = {
        authorization_endpoint: at('/authorize'),
        token_endpoint: at('/token'),
        jwks_uri: at('/keys'),
      };
      return [200, { issuer: this.url, ...endpoints }];
    }
    if (request.url === '/keys') {
      return [
        200,
        { keys: [{ ...(await exportJWK(this.pair.publicKey)), kid: this.keyId, alg: 'ES256', ...this.keyFields }] },
      ];
    }
    const form = new URLSearchParams(await text(request));
    const known = this.codes.get(form.get('code') ?? '');
    this.codes.delete(form.get('code') ?? '');
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const basic = `Basic ${Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64')}`;
    const isFine = proof === known?.challenge && form.get('redirect_uri') === known.redirectUri;
    if (!isFine || request.headers.authorization !== basic) return [400, { error: 'invalid_grant' }];
    const seconds = Math.floor(this.now() / 1000);
    const claims = {
      iss: this.url,
      aud: CLIENT.id,
      sub: 'sue-1',
      email: 'sue@example.com',
      nonce: known.nonce,
      iat: seconds,
      exp: seconds + 300,
      'cognito:groups': ['security'],
      ...this.claims,
    };
    const signed = await (this.sign ?? ((all) => this.signedBy(this.pair, all)))(claims);
    return [200, { id_token: signed, access_token: 'x', token_type: 'Bearer' }];
  }

  signedBy({ privateKey }: Pair, claims: JWTPayload): Promise<string> {
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', ...(this.keyId !== undefined && { kid: this.keyId }) })
      .sign(privateKey);
  }
}
