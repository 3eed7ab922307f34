import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';

type Pair = Awaited<ReturnType<typeof generateKeyPair>>;
/** The audience of its tokens. */
export const AUDIENCE = 'svc';

/** An issuer of tokens with real signatures: a discovery document and keys, as identity providers serve them. */
export class TokenIssuer {
  url = '';
  /** Paths of all requests. */
  asked: string[] = [];
  /** Instead of its documents. */
  status = 200;
  pair!: Pair;
  keyId = 'first';
  now: () => number = Date.now;
  private readonly server = http.createServer((request, response) => {
    this.asked.push(request.url ?? '');
    this.documentOf(request.url).then(
      (document) => {
        response.writeHead(document === undefined ? 404 : this.status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(this.status === 200 ? (document ?? {}) : {}));
      },
      () => response.writeHead(500).end(),
    );
  });

  async start(): Promise<void> {
    await this.rotate('first');
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  /** Another key, which is the only one from now on. */
  async rotate(keyId: string): Promise<void> {
    this.pair = await generateKeyPair('ES256', { extractable: true });
    this.keyId = keyId;
  }

  /** A token for the next five minutes. */
  token(claims: JWTPayload, header: Partial<JWTHeaderParameters> = {}, { privateKey } = this.pair): Promise<string> {
    const now = Math.floor(this.now() / 1_000);
    const payload = { iss: this.url, aud: AUDIENCE, iat: now, exp: now + 300, ...claims };
    return new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: this.keyId, ...header }).sign(privateKey);
  }

  private async documentOf(path: string | undefined): Promise<object | undefined> {
    if (path === '/.well-known/openid-configuration') return { issuer: this.url, jwks_uri: `${this.url}/keys` };
    if (path !== '/keys') return undefined;
    return { keys: [{ ...(await exportJWK(this.pair.publicKey)), kid: this.keyId, use: 'sig' }] };
  }
}
