import * as z from 'zod';
import { type AccessToken, ExchangeFailure } from '../../control/federation/index.ts';
import type { McpClientCredentials, StoredMcpServer } from '../../kernel/configuration/index.ts';
import { type HttpClient, HttpFailure, type HttpRequest } from '../../kernel/http/index.ts';
import type { Clock } from '../../kernel/tasks/index.ts';
import { readText } from './incoming-body.ts';

/** An MCP server that is called with access tokens. */
export interface TokenServer extends Pick<StoredMcpServer, 'name' | 'url'> {
  readonly auth: McpClientCredentials;
}

/** A client secret, and the hosts to which it may be sent. */
export interface ClientSecret {
  readonly value: string;
  readonly hosts: ReadonlySet<string>;
}

interface ClientCredentialsOptions {
  /** Calls public addresses only. */
  readonly http: HttpClient;
  readonly clock: Clock;
  /** Throws for a credential that cannot be used. */
  readonly secret: (credentialId: string) => Promise<ClientSecret>;
}

/** For all calls of an exchange together. None is repeated: the next exchange is the retry. */
const DEADLINE_MS = 8_000;
const MAX_RESPONSE_BYTES = 64 * 1024;
/** The filter of responses holds a token in all its spellings. */
const MAX_TOKEN_CHARS = 8_192;
const LONGEST_LIFE_SECONDS = 43_200;
/** Of a token without a lifetime. */
const USUAL_LIFE_SECONDS = 300;

const resourceSchema = z.object({ resource: z.string(), authorization_servers: z.array(z.string()).min(1) });
const issuerSchema = z.object({
  issuer: z.string(),
  token_endpoint: z.string(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
});
const tokenSchema = z.object({
  access_token: z
    .string()
    .regex(/^[\x21-\x7e]+$/)
    .max(MAX_TOKEN_CHARS),
  token_type: z.string().refine((type) => type.toLowerCase() === 'bearer'),
  expires_in: z.coerce.number().positive().optional(),
});
const errorSchema = z.object({ error: z.string().regex(/^\w{1,64}$/) });

/** Where a token is got, and what it is for. */
interface TokenEndpoint {
  readonly url: string;
  readonly resource: string;
  /** Whether the secret is a field of the body, where the endpoint does not take it in a header. */
  readonly isInBody: boolean;
}

/**
 * Gets access tokens for MCP servers with the client credentials of OAuth. A token is for one server (RFC 8707), and the secret goes to a host
 * of its credential only, whatever the metadata of the server says. Throws ExchangeFailure, whose message has no text of a response.
 */
export function createClientCredentials(
  options: ClientCredentialsOptions,
): (server: TokenServer) => Promise<AccessToken> {
  return async (server) => {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const { auth, url } = server;
    const secret = await options.secret(auth.credentialId);
    const endpoint =
      auth.tokenUrl === undefined
        ? await discover(server, options.http, signal)
        : { url: auth.tokenUrl, resource: url, isInBody: false };
    const { host, hostname, protocol } = new URL(endpoint.url);
    if (protocol !== 'https:' && hostname !== '127.0.0.1')
      throw new ExchangeFailure('The token endpoint has no https.', true);
    if (!secret.hosts.has(host))
      throw new ExchangeFailure(`The credential is not for the host ${host} of the token endpoint.`, true);
    return requestToken(auth, secret.value, endpoint, options, signal);
  };
}

/** The token endpoint of the first authorization server that the metadata of a server names. */
async function discover({ url }: TokenServer, http: HttpClient, signal: AbortSignal): Promise<TokenEndpoint> {
  const { origin, pathname } = new URL(url);
  const path = pathname === '/' ? '' : pathname;
  const wellKnown = `${origin}/.well-known/oauth-protected-resource`;
  const named = await firstOf([...new Set([wellKnown + path, wellKnown])], resourceSchema, http, signal);
  if (named === undefined || !isPartOf(url, named.resource))
    throw new ExchangeFailure('The server has no metadata of a protected resource. Set the token endpoint.', true);
  const issuer = named.authorization_servers[0] as string;
  const found = await firstOf(metadataUrls(issuer), issuerSchema, http, signal);
  if (found === undefined || found.issuer !== issuer || !isUrl(found.token_endpoint))
    throw new ExchangeFailure(
      'The authorization server of the server has no valid metadata. Set the token endpoint.',
      true,
    );
  const methods = found.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return {
    url: found.token_endpoint,
    resource: named.resource,
    isInBody: !methods.includes('client_secret_basic') && methods.includes('client_secret_post'),
  };
}

/**
 * Whether an address is the resource, or below it. RFC 9728, 3.3, asks for the address itself, or the origin where the metadata is the origin's;
 * servers also name the origin or a folder in the metadata of one address, as the SDKs of MCP accept. A resource has no fragment (RFC 8707, 2).
 */
function isPartOf(url: string, resource: string): boolean {
  if (!isUrl(resource) || /[?#]/.test(resource)) return false;
  const [{ origin, pathname }, of] = [new URL(url), new URL(resource)];
  return origin === of.origin && `${pathname}/`.startsWith(of.pathname.replace(/\/?$/, '/'));
}

/** RFC 8414, 3.1, and OpenID Connect Discovery. */
function metadataUrls(issuer: string): string[] {
  if (!isUrl(issuer)) return [];
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const names = ['oauth-authorization-server', 'openid-configuration'];
  return [
    ...names.map((name) => `${origin}/.well-known/${name}${path}`),
    ...(path === '' ? [] : [`${origin}${path}/.well-known/openid-configuration`]),
  ];
}

function isUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

/** The first document of these addresses that has what is needed. */
async function firstOf<Schema extends z.ZodType>(
  urls: readonly string[],
  schema: Schema,
  http: HttpClient,
  signal: AbortSignal,
): Promise<z.infer<Schema> | undefined> {
  for (const url of urls) {
    const { status, json } = await call({ method: 'GET', url, headers: {} }, 'The metadata', http, signal);
    const parsed = status === 200 ? schema.safeParse(json) : undefined;
    if (parsed?.success) return parsed.data;
  }
  return undefined;
}

async function requestToken(
  { clientId, scope }: McpClientCredentials,
  secret: string,
  { url, resource, isInBody }: TokenEndpoint,
  { http, clock }: ClientCredentialsOptions,
  signal: AbortSignal,
): Promise<AccessToken> {
  const fields = { grant_type: 'client_credentials', resource, ...(scope !== undefined && { scope }) };
  const own = { client_id: clientId, client_secret: secret };
  // RFC 6749, 2.3.1: both are encoded as in a form.
  const basic = Buffer.from(`${formEncoded(clientId)}:${formEncoded(secret)}`).toString('base64');
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    ...(!isInBody && { authorization: `Basic ${basic}` }),
  };
  const body = new URLSearchParams({ ...fields, ...(isInBody && own) }).toString();
  const { status, json } = await call({ method: 'POST', url, headers, body }, 'The token endpoint', http, signal);
  if (status >= 400 && status < 500 && status !== 408 && status !== 429)
    throw new ExchangeFailure(`The token endpoint refuses the client (${reasonOf(status, json)}).`, true);
  const parsed = status === 200 ? tokenSchema.safeParse(json) : undefined;
  if (!parsed?.success) {
    const what = status === 200 ? 'a response without a valid token' : `status ${status}`;
    throw new ExchangeFailure(`The token endpoint has failed (${what}).`, false);
  }
  const { access_token: value, expires_in = USUAL_LIFE_SECONDS } = parsed.data;
  return { value, expiresAt: clock.now() + Math.min(expires_in, LONGEST_LIFE_SECONDS) * 1_000 };
}

function formEncoded(text: string): string {
  return new URLSearchParams({ a: text }).toString().slice('a='.length);
}

/** The error's code alone: its description may quote the secret. */
function reasonOf(status: number, json: unknown): string {
  const parsed = errorSchema.safeParse(json);
  return parsed.success ? `status ${status} ${parsed.data.error}` : `status ${status}`;
}

async function call(
  request: Pick<HttpRequest, 'method' | 'url' | 'headers' | 'body'>,
  what: string,
  http: HttpClient,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly json: unknown }> {
  const limits = { headTimeoutMs: DEADLINE_MS, idleTimeoutMs: DEADLINE_MS, signal };
  try {
    const headers = { ...request.headers, accept: 'application/json' };
    const { status, body } = await http.send({ ...request, headers, ...limits });
    return { status, json: jsonOf(await readText(body, MAX_RESPONSE_BYTES)) };
  } catch (error) {
    const reason = error instanceof HttpFailure ? error.reason : 'unreadable';
    throw new ExchangeFailure(`${what} cannot be read (${reason}).`, false);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
