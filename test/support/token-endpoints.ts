import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportPKCS8, generateKeyPair, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { HttpClient, HttpRequest, HttpResponse } from '../../functions/kernel/http/index.ts';
import { HttpFailure } from '../../functions/kernel/http/index.ts';

/** The account's issuer, and the role of the gateway. */
const ISSUER = 'https://0f1e2d3c-0000-0000-0000-000000000000.tokens.sts.global.api.aws';
export const ROLE = 'arn:aws:iam::123456789012:role/svc-gateway';
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const JWT = 'urn:ietf:params:oauth:token-type:jwt';
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const BEARER = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const UUIDS = ['3f0e8a52-0000-4000-8000-000000000001', '3f0e8a52-0000-4000-8000-000000000002'] as const;

/** What each provider's administrator has configured, as a request to create a credential has it. */
export const FEDERATIONS = {
  openai: { kind: 'openai', identityProviderId: 'wip_planted', serviceAccountId: 'sa_planted' },
  google: {
    kind: 'google',
    workloadProvider: 'projects/123/locations/global/workloadIdentityPools/pool/providers/aws-role',
    serviceAccount: 'svc@lab.iam.gserviceaccount.com',
  },
  azure: { kind: 'azure', tenantId: UUIDS[0], clientId: UUIDS[1] },
} as const;
const AUDIENCES = {
  openai: 'https://api.openai.com/v1',
  google: `https://iam.googleapis.com/${FEDERATIONS.google.workloadProvider}`,
  azure: 'api://AzureADTokenExchange',
} as const;
const KEY_ID = 'a1'.repeat(20);
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';

type Fields = Readonly<Record<string, unknown>>;
type Reply = readonly [status: number, body: object | string];
/** Why an identity token is not accepted. */
type Fault = 'audience' | 'expired' | 'subject' | 'signature';

class Refused extends Error {
  readonly reply: Reply;

  constructor(...reply: Reply) {
    super('refused');
    this.reply = reply;
  }
}

/**
 * AWS STS, and the token endpoints of OpenAI, Google and Microsoft Entra, with what their documentation requires: each field, the signature of
 * the identity token, its issuer, audience, time and subject. Refusals quote the identity token. There is no library of such servers.
 */
export class TokenEndpoints {
  /** What STS writes instead of the right values. */
  claims: JWTPayload = {};
  /** The error of the next calls of STS. */
  stsError: string | undefined;
  /** The longest identity token that the session of the role allows. */
  longestSeconds = 3_600;
  /** Instead of the response of a token endpoint, by host. */
  readonly instead = new Map<string, Reply | 'nothing'>();
  lifeSeconds = 3_600;
  /** Hosts of the token endpoints that were called, and the identity and access tokens that were made. */
  readonly called: string[] = [];
  readonly tokens: string[] = [];
  /** Fields of calls of STS. */
  readonly asked: URLSearchParams[] = [];
  url = '';
  private readonly now: () => number;
  private keys!: Awaited<ReturnType<typeof generateKeyPair>>;
  /** Gets requests to other hosts. */
  others: http.RequestListener = (_, response) => void response.writeHead(404).end();
  private readonly server = http.createServer(async (request, response) => {
    const host = request.headers.host ?? '';
    if (HANDLERS[host] !== undefined) {
      this.called.push(host);
      request.url = `/${host}${request.url}`;
    } else if (!this.url.endsWith(host)) return this.others(request, response);
    const body = await text(request);
    const [status, reply] = await this.reply(request, body).catch((error: unknown): Reply => {
      if (error instanceof Refused) return error.reply;
      return [500, String(error)];
    });
    response.writeHead(status).end(typeof reply === 'string' ? reply : JSON.stringify(reply));
  });

  constructor(now: () => number = Date.now) {
    this.now = now;
  }

  async start(): Promise<void> {
    this.keys = await generateKeyPair('RS256', { extractable: true });
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  reset(): void {
    [this.claims, this.stsError, this.longestSeconds, this.lifeSeconds] = [{}, undefined, 3_600, 3_600];
    this.instead.clear();
    for (const list of [this.called, this.tokens, this.asked]) list.length = 0;
  }

  /** Calls of these hosts by https come here; those of other hosts go to `others`, or fail. */
  client(real: HttpClient, others?: (request: HttpRequest) => Promise<HttpResponse>): HttpClient {
    return {
      send: async (request) => {
        const { protocol, host, pathname } = new URL(request.url);
        if (protocol === 'https:' && HANDLERS[host] !== undefined) {
          this.called.push(host);
          return real.send({ ...request, url: `${this.url}/${host}${pathname}` });
        }
        if (others === undefined) throw new HttpFailure('connect', false);
        return others(request);
      },
    };
  }

  private async reply({ url = '', headers, method }: http.IncomingMessage, body: string): Promise<Reply> {
    if (method !== 'POST') return [405, {}];
    if (url === '/') return this.replyAsSts(String(headers.authorization), new URLSearchParams(body));
    const [, host = '', ...path] = url.split('/');
    const instead = this.instead.get(host);
    if (instead === 'nothing') return new Promise(() => {});
    if (instead !== undefined) return instead;
    const isJson = headers['content-type'] === 'application/json';
    const fields: Fields = isJson ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
    const call = { fields, isJson, path: path.join('/'), authorization: headers.authorization };
    return (await HANDLERS[host]?.(this, call)) ?? [404, {}];
  }

  /** https://docs.aws.amazon.com/STS/latest/APIReference/API_GetWebIdentityToken.html */
  private async replyAsSts(authorization: string, fields: URLSearchParams): Promise<Reply> {
    this.asked.push(fields);
    const fail = (code: string, status = 403): Reply => [
      status,
      `<ErrorResponse><Error><Code>${code}</Code><Message>planted message</Message></Error></ErrorResponse>`,
    ];
    if (!/^AWS4-HMAC-SHA256 .*\/sts\/aws4_request/.test(authorization)) return fail('MissingAuthenticationToken');
    if (this.stsError !== undefined) return fail(this.stsError, this.stsError === 'InternalFailure' ? 500 : 403);
    const seconds = Number(fields.get('DurationSeconds'));
    if (!(seconds >= 60 && seconds <= 3_600) || fields.get('SigningAlgorithm') !== 'RS256')
      return fail('ValidationError', 400);
    if (seconds > this.longestSeconds) return fail('SessionDurationEscalationException');
    const issuedAt = Math.floor(this.now() / 1_000);
    const usual = { iss: ISSUER, sub: ROLE, aud: fields.get('Audience.member.1') ?? '' };
    const claims = {
      ...usual,
      iat: issuedAt,
      exp: issuedAt + seconds,
      jti: String(this.tokens.length),
      ...this.claims,
    };
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'key', typ: 'JWT' })
      .sign(this.keys.privateKey);
    this.tokens.push(token);
    const result = `<WebIdentityToken>${token}</WebIdentityToken><Expiration>2026-11-30T10:00:00Z</Expiration>`;
    return [
      200,
      `<GetWebIdentityTokenResponse><GetWebIdentityTokenResult>${result}</GetWebIdentityTokenResult></GetWebIdentityTokenResponse>`,
    ];
  }

  /** The key of the service account, as a file of Google Cloud. */
  async serviceAccountKey(): Promise<Fields> {
    return {
      ...{ type: 'service_account', project_id: 'lab', private_key_id: KEY_ID, client_id: '1' },
      ...{ client_email: FEDERATIONS.google.serviceAccount, private_key: await exportPKCS8(this.keys.privateKey) },
      ...{ token_uri: 'https://evil.example/token', universe_domain: 'googleapis.com' },
    };
  }

  /** Whether an assertion of the service account is valid. */
  async isSigned(assertion: unknown): Promise<boolean> {
    const options = {
      ...{ issuer: FEDERATIONS.google.serviceAccount, audience: 'https://oauth2.googleapis.com/token' },
      ...{ currentDate: new Date(this.now()), algorithms: ['RS256'], requiredClaims: ['exp', 'iat'] },
    };
    try {
      const { payload, protectedHeader } = await jwtVerify(String(assertion), this.keys.publicKey, options);
      const seconds = Number(payload.exp) - Number(payload.iat);
      return protectedHeader.kid === KEY_ID && payload.scope === SCOPE && seconds > 0 && seconds <= 3_600;
    } catch {
      return false;
    }
  }

  /** What is wrong with an identity token; undefined for a right one. */
  async faultOf(token: unknown, audience: string): Promise<Fault | undefined> {
    const currentDate = new Date(this.now());
    const options = {
      issuer: ISSUER,
      audience,
      currentDate,
      algorithms: ['RS256'],
      requiredClaims: ['exp', 'iat', 'sub'],
    };
    try {
      const { payload } = await jwtVerify(String(token), this.keys.publicKey, options);
      return payload.sub === ROLE ? undefined : 'subject';
    } catch (error) {
      const { code, claim } = error as { readonly code?: string; readonly claim?: string };
      return code === 'ERR_JWT_EXPIRED' ? 'expired' : claim === 'aud' ? 'audience' : 'signature';
    }
  }

  /** An access token, in the form of the provider's. */
  make(prefix: string): string {
    const token = `${prefix}planted-access-${'Zq7'.repeat(12)}-${this.tokens.length}`;
    this.tokens.push(token);
    return token;
  }
}

interface EndpointCall {
  readonly fields: Fields;
  readonly isJson: boolean;
  readonly path: string;
  readonly authorization: string | undefined;
}

function require(fields: Fields, names: readonly string[], refusal: (name: string) => Refused): void {
  for (const name of names) if (typeof fields[name] !== 'string' || fields[name] === '') throw refusal(name);
}

const HANDLERS: Readonly<Record<string, (at: TokenEndpoints, call: EndpointCall) => Promise<Reply>>> = {
  // https://developers.openai.com/api/reference/workload-identity-federation
  'auth.openai.com': async (at, { fields, isJson, path }) => {
    if (path !== 'oauth/token') return [404, {}];
    const refuse = (error: string, status = 400) =>
      new Refused(status, { error, error_description: `refused: ${fields.subject_token}` });
    if (!isJson) throw refuse('invalid_request');
    const names = ['grant_type', 'subject_token_type', 'subject_token', 'identity_provider_id', 'service_account_id'];
    require(fields, names, () => refuse('invalid_request'));
    if (fields.grant_type !== EXCHANGE) throw refuse('unsupported_grant_type');
    if (fields.subject_token_type !== JWT) throw refuse('invalid_request');
    const { identityProviderId, serviceAccountId } = FEDERATIONS.openai;
    if (fields.identity_provider_id !== identityProviderId) throw refuse('invalid_grant', 401);
    if (await at.faultOf(fields.subject_token, AUDIENCES.openai)) throw refuse('invalid_grant', 401);
    if (fields.service_account_id !== serviceAccountId) throw refuse('access_denied', 403);
    const issued = { issued_token_type: ACCESS_TOKEN, token_type: 'Bearer', expires_in: at.lifeSeconds };
    return [200, { access_token: at.make('oai_'), ...issued }];
  },
  // https://docs.cloud.google.com/iam/docs/reference/sts/rest/v1/TopLevel/token
  'sts.googleapis.com': async (at, { fields, isJson, path, authorization }) => {
    if (path !== 'v1/token') return [404, {}];
    const refuse = (error: string) =>
      new Refused(400, { error, error_description: `refused: ${fields.subject_token}` });
    if (isJson || authorization !== undefined) throw refuse('invalid_request');
    const names = ['grant_type', 'audience', 'scope', 'requested_token_type', 'subject_token', 'subject_token_type'];
    require(fields, names, () => refuse('invalid_request'));
    if (fields.grant_type !== EXCHANGE) throw refuse('unsupported_grant_type');
    if (fields.requested_token_type !== ACCESS_TOKEN || fields.subject_token_type !== JWT)
      throw refuse('invalid_request');
    if (fields.audience !== `//iam.googleapis.com/${FEDERATIONS.google.workloadProvider}`)
      throw refuse('invalid_target');
    const fault = await at.faultOf(fields.subject_token, AUDIENCES.google);
    if (fault !== undefined) throw refuse(fault === 'subject' ? 'unauthorized_client' : 'invalid_grant');
    const issued = { issued_token_type: ACCESS_TOKEN, token_type: 'Bearer', expires_in: at.lifeSeconds };
    return [200, { access_token: at.make('ya29.d.'), ...issued }];
  },
  // https://developers.google.com/identity/protocols/oauth2/service-account#httprest
  'oauth2.googleapis.com': async (at, { fields, isJson, path }) => {
    if (path !== 'token') return [404, {}];
    const refuse = (error: string) => new Refused(400, { error, error_description: `refused: ${fields.assertion}` });
    if (isJson || typeof fields.assertion !== 'string') throw refuse('invalid_request');
    if (fields.grant_type !== 'urn:ietf:params:oauth:grant-type:jwt-bearer') throw refuse('unsupported_grant_type');
    if (!(await at.isSigned(fields.assertion))) throw refuse('invalid_grant');
    return [200, { access_token: at.make('ya29.c.'), token_type: 'Bearer', expires_in: at.lifeSeconds }];
  },
  // https://docs.cloud.google.com/iam/docs/reference/credentials/rest/v1/projects.serviceAccounts/generateAccessToken
  'iamcredentials.googleapis.com': async (at, { fields, path, authorization = '' }) => {
    const refuse = (code: number, status: string) =>
      new Refused(code, { error: { code, status, message: `refused: ${authorization}` } });
    if (!authorization.startsWith('Bearer ya29.d.planted')) throw refuse(401, 'UNAUTHENTICATED');
    const { serviceAccount } = FEDERATIONS.google;
    if (path !== `v1/projects/-/serviceAccounts/${serviceAccount}:generateAccessToken`)
      throw refuse(403, 'PERMISSION_DENIED');
    const scopes = fields.scope as readonly string[] | undefined;
    if (scopes?.join() !== SCOPE || fields.lifetime !== '3600s') throw refuse(400, 'INVALID_ARGUMENT');
    const expireTime = new Date(1_000 * Math.floor((Date.now() + 1_000 * at.lifeSeconds) / 1_000));
    return [200, { accessToken: at.make('ya29.c.'), expireTime: expireTime.toISOString().replace('.000', '') }];
  },
  // https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow
  'login.microsoftonline.com': async (at, { fields, isJson, path }) => {
    const refuse = (error: string, code: number, status = 400) =>
      new Refused(status, {
        error,
        error_description: `AADSTS${code}: refused: ${fields.client_assertion}`,
        error_codes: [code],
      });
    const { tenantId, clientId } = FEDERATIONS.azure;
    if (path !== `${tenantId}/oauth2/v2.0/token`) throw refuse('invalid_request', 90002);
    if (isJson) throw refuse('invalid_request', 900144);
    const names = ['client_id', 'scope', 'client_assertion_type', 'client_assertion', 'grant_type'];
    require(fields, names, () => refuse('invalid_request', 900144));
    if (fields.grant_type !== 'client_credentials') throw refuse('unsupported_grant_type', 70003);
    if (fields.client_assertion_type !== BEARER) throw refuse('invalid_request', 900023);
    if (fields.client_id !== clientId) throw refuse('unauthorized_client', 700016);
    const scopes = ['https://ai.azure.com/.default', 'https://cognitiveservices.azure.com/.default'];
    if (!scopes.includes(String(fields.scope))) throw refuse('invalid_scope', 70011);
    const fault = await at.faultOf(fields.client_assertion, AUDIENCES.azure);
    const codes = { audience: 700212, subject: 700213, expired: 700024, signature: 50013 };
    if (fault !== undefined) throw refuse('invalid_client', codes[fault], 401);
    return [
      200,
      { token_type: 'Bearer', expires_in: at.lifeSeconds, ext_expires_in: 3_599, access_token: at.make('eyJ.') },
    ];
  },
};
