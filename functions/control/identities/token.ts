import { createHash } from 'node:crypto';
import { GatewayError } from '../../kernel/errors/index.ts';
import type { Claims, TokenIssuer } from '../../kernel/identity/index.ts';
import { countMembers, hasDuplicateMembers } from '../../kernel/json/index.ts';

/** Of all headers of a request, HTTP servers allow 16 KB. */
const MAX_TOKEN_CHARS = 8_192;
const MAX_DEPTH = 16;
const MAX_SUBJECT_CHARS = 255;
/** Clocks differ. */
const SKEW_S = 60;
/** A JSON Web Token (RFC 7519) in the compact form: header, claims, signature. */
const FORM = /^eyJ[\w-]*\.eyJ[\w-]*\.[\w-]+$/;
/** Of ID tokens and access tokens (RFC 9068). Tokens for other uses, such as logout, have other types (RFC 8725, 3.11). */
const TYPES: readonly unknown[] = [undefined, 'jwt', 'at+jwt', 'application/jwt', 'application/at+jwt'];

/** A token that was sent: nothing of it is verified. */
export interface UnverifiedToken {
  readonly text: string;
  /** Of the signature. */
  readonly algorithm: string;
  /** Names the key of the signature. */
  readonly keyId: string | undefined;
  readonly claims: Claims;
}

/** Whether a secret has the form of a token; a key has another one. */
export function isTokenForm(text: string): boolean {
  return text.length > MAX_TOKEN_CHARS ? text.startsWith('eyJ') && text.includes('.') : FORM.test(text);
}

/** Identifies a token without keeping it. */
export function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** Reads a token. @throws GatewayError `invalid_api_key` for one that is too long or not read alike by every parser */
export function readToken(text: string): UnverifiedToken {
  if (text.length > MAX_TOKEN_CHARS) throw invalidToken(`it has more than ${MAX_TOKEN_CHARS} characters`);
  const [header, claims] = text.split('.', 2).map(readPart);
  if (header === undefined || claims === undefined) throw invalidToken('it is not readable');
  const { alg, kid, typ, crit } = header;
  if (!TYPES.includes(typeof typ === 'string' ? typ.toLowerCase() : typ))
    throw invalidToken("its type ('typ') is not that of an ID token or access token");
  if (crit !== undefined) throw invalidToken("its header has extensions ('crit')");
  if (typeof alg !== 'string' || (kid !== undefined && typeof kid !== 'string'))
    throw invalidToken("its header has no valid 'alg' and 'kid'");
  return { text, algorithm: alg, keyId: kid, claims };
}

/** A part as an object; undefined if parsers could read it in different ways. */
function readPart(part: string): Claims | undefined {
  const bytes = Buffer.from(part, 'base64url');
  // Other spellings of the same bytes would be other tokens with one signature.
  if (bytes.toString('base64url') !== part) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return hasDuplicateMembers(text, countMembers(value, MAX_DEPTH)) ? undefined : (value as Claims);
  } catch {
    return undefined;
  }
}

/**
 * The issuer of a token, if the token's algorithm and audience are among its. Nothing else of the token may be used before its signature is
 * verified. @throws GatewayError `invalid_api_key`
 */
export function issuerOf(
  { algorithm, claims }: Pick<UnverifiedToken, 'algorithm' | 'claims'>,
  issuers: readonly TokenIssuer[],
): TokenIssuer {
  const issuer = issuers.find((one) => one.issuer === claims.iss);
  if (issuer === undefined) throw invalidToken("its issuer ('iss') is not configured");
  if (!(issuer.algorithms as readonly string[]).includes(algorithm))
    throw invalidToken("its algorithm ('alg') is not allowed for this issuer");
  const audience = Array.isArray(claims.aud) ? claims.aud : [claims.aud];
  if (!issuer.audience.some((one) => audience.includes(one)))
    throw invalidToken("its audience ('aud') is not that of this gateway");
  return issuer;
}

/** The subject of a verified token. @throws GatewayError `invalid_api_key` */
export function subjectOf({ sub, exp }: Claims): string {
  if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUBJECT_CHARS)
    throw invalidToken(`it has no subject ('sub') of 1 to ${MAX_SUBJECT_CHARS} characters`);
  if (typeof exp !== 'number') throw invalidToken("it has no expiry ('exp')");
  return sub;
}

/** @throws GatewayError `invalid_api_key` for a token that is not valid at a time */
export function checkTimes({ exp, nbf, iat }: Claims, nowMs: number): void {
  const now = nowMs / 1_000;
  if (!(typeof exp === 'number' && now < exp + SKEW_S)) throw invalidToken("it has expired ('exp')");
  if (nbf !== undefined && !(typeof nbf === 'number' && nbf <= now + SKEW_S))
    throw invalidToken("it is not valid yet ('nbf')");
  if (iat !== undefined && !(typeof iat === 'number' && iat <= now + SKEW_S))
    throw invalidToken("it was issued in the future ('iat')");
}

/** The 401 of a token, with the check that failed and nothing of the token. */
export function invalidToken(fault: string): GatewayError {
  return new GatewayError('invalid_api_key', `The token is refused: ${fault}.`);
}
