import { importPKCS8, SignJWT } from 'jose';
import * as z from 'zod';
import {
  type AccessToken,
  ExchangeFailure,
  type Federation,
  type TokenExchange,
  type TokenSource,
} from '../../control/federation/index.ts';
import { type HttpClient, HttpFailure } from '../../kernel/http/index.ts';
import type { Clock } from '../../kernel/tasks/index.ts';
import type { IdentityTokens } from '../aws/web-identity.ts';
import { readText } from './incoming-body.ts';

interface TokenExchangeOptions {
  readonly http: HttpClient;
  readonly identityTokens: IdentityTokens;
  readonly clock: Clock;
}

/** For each call of a token endpoint. None is repeated: the next exchange is the retry. */
const DEADLINE_MS = 5_000;
const MAX_RESPONSE_BYTES = 64 * 1024;
/** The filter of responses holds a token in all its spellings. */
const MAX_TOKEN_CHARS = 8_192;
const LONGEST_LIFE_SECONDS = 43_200;
/** An access token of OpenAI lives no longer than the identity token; those of others do. */
const IDENTITY_SECONDS: Readonly<Record<Federation['kind'], number>> = { openai: 3_600, google: 300, azure: 300 };

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const JWT = 'urn:ietf:params:oauth:token-type:jwt';
const GOOGLE_SCOPE = 'https://www.googleapis.com/auth/cloud-platform';

const token = z
  .string()
  .regex(/^[\x21-\x7e]+$/)
  .max(MAX_TOKEN_CHARS);
const seconds = z.coerce.number().positive().max(LONGEST_LIFE_SECONDS);
const tokenSchema = z.object({ access_token: token, expires_in: seconds.optional() });
/** https://docs.cloud.google.com/iam/docs/reference/credentials/rest/v1/projects.serviceAccounts/generateAccessToken */
const impersonatedSchema = z.object({ accessToken: token, expireTime: z.iso.datetime({ offset: true }) });
/** OAuth (RFC 6749, 5.2), Entra's numbers, and Google's APIs. */
const errorSchema = z.object({
  error: z.union([z.string(), z.object({ status: z.string() }).transform(({ status }) => status)]),
  error_codes: z.array(z.int()).optional(),
});

/** Entra's errors: https://learn.microsoft.com/entra/identity-platform/reference-error-codes */
const ENTRA_ERRORS: Readonly<Record<number, string>> = {
  70021: 'no federated credential of the application matches the identity token',
  700211: 'no federated credential of the application has the issuer of the identity token',
  700212: 'no federated credential of the application has the audience of the identity token',
  700213: 'no federated credential of the application has the subject of the identity token',
  700016: 'the tenant has no such application',
  700024: 'the identity token is not valid at this time',
  90002: 'there is no such tenant',
  50013: 'the signature of the identity token is not valid',
  7000229: 'the tenant has no service principal of the application',
  70011: 'the scope is not valid',
  500011: 'the tenant does not know the resource of the scope',
};
type ServiceAccount = Extract<TokenSource, { kind: 'service account' }>;

/** A request to a token endpoint, and who has it. */
interface EndpointCall {
  readonly who: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What to do about a refusal. */
  readonly advice: string;
}

/**
 * Exchanges an identity token of AWS, or one that a service account signs, at the token endpoint of its kind: each kind has fixed hosts, whatever
 * a credential names.
 */
export function createTokenExchange(options: TokenExchangeOptions): TokenExchange {
  return async (source) => {
    const call = await callFor(source, options);
    const { access_token: value, expires_in } = await callEndpoint(call, tokenSchema, options);
    if (source.kind === 'google' && source.serviceAccount !== undefined) {
      return impersonate(source.serviceAccount, value, options);
    }
    // A token without a lifetime lives as long as the shortest identity token.
    return { value, expiresAt: options.clock.now() + (expires_in ?? 60) * 1_000 };
  };
}

async function callFor(source: TokenSource, { identityTokens, clock }: TokenExchangeOptions): Promise<EndpointCall> {
  if (source.kind === 'service account') return signedCall(source, Math.floor(clock.now() / 1_000));
  return toCall(source, await identityTokens(source.audience, IDENTITY_SECONDS[source.kind]));
}

/** https://developers.google.com/identity/protocols/oauth2/service-account#httprest. The URI in the key does not count. */
async function signedCall({ email, keyId, privateKey }: ServiceAccount, now: number): Promise<EndpointCall> {
  const url = 'https://oauth2.googleapis.com/token';
  let assertion: string;
  try {
    assertion = await new SignJWT({ iss: email, scope: GOOGLE_SCOPE, aud: url, iat: now, exp: now + 3_600 })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: keyId })
      .sign(await importPKCS8(privateKey, 'RS256'));
  } catch {
    throw new ExchangeFailure('The private key of the service account cannot be read.', true);
  }
  return {
    ...{ who: 'Google', url, advice: 'Check that the service account and its key exist and are enabled' },
    ...asForm({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }),
  };
}

function toCall(federation: Federation, identityToken: string): EndpointCall {
  switch (federation.kind) {
    // https://developers.openai.com/api/reference/workload-identity-federation
    case 'openai':
      return {
        who: 'OpenAI',
        url: 'https://auth.openai.com/oauth/token',
        ...asJson({
          grant_type: EXCHANGE,
          subject_token_type: JWT,
          subject_token: identityToken,
          identity_provider_id: federation.identityProviderId,
          service_account_id: federation.serviceAccountId,
        }),
        advice:
          'Compare issuer, audience and attributes of the workload identity provider, and the mapping of the service account',
      };
    // https://docs.cloud.google.com/iam/docs/reference/sts/rest/v1/TopLevel/token
    case 'google':
      return {
        who: 'Google',
        url: 'https://sts.googleapis.com/v1/token',
        ...asForm({
          grant_type: EXCHANGE,
          audience: `//iam.googleapis.com/${federation.workloadProvider}`,
          scope: GOOGLE_SCOPE,
          requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
          subject_token: identityToken,
          subject_token_type: JWT,
        }),
        advice: "Compare issuer, allowed audiences and attribute condition of the pool's provider",
      };
    // https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow#third-case-access-token-request-with-a-federated-credential
    case 'azure':
      return {
        who: 'Microsoft Entra',
        url: `https://login.microsoftonline.com/${federation.tenantId}/oauth2/v2.0/token`,
        ...asForm({
          grant_type: 'client_credentials',
          client_id: federation.clientId,
          scope: federation.scope,
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          client_assertion: identityToken,
        }),
        advice: 'Compare issuer, subject and audience of the federated credential',
      };
  }
}

function asJson(fields: object) {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(fields) };
}

function asForm(fields: Readonly<Record<string, string>>) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return { headers, body: new URLSearchParams(fields).toString() };
}

/** A token of the service account, which APIs accept that do not accept the pool's. */
async function impersonate(account: string, value: string, options: TokenExchangeOptions): Promise<AccessToken> {
  const { headers, body } = asJson({ scope: [GOOGLE_SCOPE], lifetime: '3600s' });
  const call: EndpointCall = {
    who: 'Google',
    url: `https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/${account}:generateAccessToken`,
    headers: { ...headers, authorization: `Bearer ${value}` },
    body,
    advice: 'Grant the principal of the pool roles/iam.workloadIdentityUser on the service account',
  };
  const { accessToken, expireTime } = await callEndpoint(call, impersonatedSchema, options);
  return { value: accessToken, expiresAt: Date.parse(expireTime) };
}

/** @throws ExchangeFailure */
async function callEndpoint<Schema extends z.ZodType>(
  { who, url, headers, body, advice }: EndpointCall,
  schema: Schema,
  { http }: TokenExchangeOptions,
): Promise<z.infer<Schema>> {
  const limits = { headTimeoutMs: DEADLINE_MS, idleTimeoutMs: DEADLINE_MS, signal: AbortSignal.timeout(DEADLINE_MS) };
  const accept = { accept: 'application/json' };
  let status: number;
  let text: string;
  try {
    const response = await http.send({ method: 'POST', url, headers: { ...headers, ...accept }, body, ...limits });
    status = response.status;
    text = await readText(response.body, MAX_RESPONSE_BYTES);
  } catch (error) {
    const reason = error instanceof HttpFailure ? error.reason : 'unreadable';
    throw new ExchangeFailure(`The token endpoint of ${who} does not respond (${reason}).`, false);
  }
  const json = jsonOf(text);
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) {
    throw new ExchangeFailure(`${who} refuses the exchange (${reasonOf(status, json)}). ${advice}.`, true);
  }
  const parsed = status === 200 ? schema.safeParse(json) : undefined;
  if (parsed?.success) return parsed.data;
  const what = status === 200 ? 'a response without a valid token' : `status ${status}`;
  throw new ExchangeFailure(`The token endpoint of ${who} has failed (${what}).`, false);
}

/** The error's code alone: its description may quote the token. */
function reasonOf(status: number, json: unknown): string {
  const parsed = errorSchema.safeParse(json);
  const { error = '', error_codes: codes = [] } = parsed.success ? parsed.data : {};
  const known = codes.find((code) => ENTRA_ERRORS[code] !== undefined);
  if (known !== undefined) return `AADSTS${known}: ${ENTRA_ERRORS[known]}`;
  const number = codes[0] === undefined ? '' : ` AADSTS${codes[0]}`;
  return /^\w{1,64}$/.test(error) ? `status ${status} ${error}${number}` : `status ${status}`;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
