import type { Caller } from '../control/audit/index.ts';
import {
  type Authenticator,
  authenticate,
  authenticateHolder,
  authorize,
  type KeyStore,
  presentsKey,
} from '../control/keys/index.ts';
import { GatewayError } from '../kernel/errors/index.ts';
import type { IncomingRequest, RequestHeaders, RoutedRequest } from '../kernel/http/index.ts';
import type { Permission } from '../kernel/model/index.ts';
import type { Authority } from './authority.ts';
import { isCsrfToken, type Session, type Sessions } from './sign-in.ts';

export interface AccessDeps {
  readonly authenticator: Authenticator;
  readonly keys: Pick<KeyStore, 'get'>;
  readonly sessions: Sessions;
}

/** The signed-in user, with their current permissions. */
export interface SignedIn extends Authority {
  readonly actor: Caller['actor'];
  readonly keyId: string | null;
  readonly name: string;
}

/** Who makes a change, and what they may give. */
export interface AuthorizedCaller extends Caller {
  readonly authority: Authority;
}

/** Requires a permission, from the request's key or else from its dashboard session. @throws GatewayError 401 or 403 */
export async function requirePermission(
  { request, context, requestId }: RoutedRequest,
  permission: Permission,
  deps: AccessDeps,
): Promise<AuthorizedCaller> {
  const from = { address: context.clientAddress, requestId };
  const session = await sessionOf(request, deps);
  if (session !== undefined) {
    checkCsrf(request, session);
    const signedIn = await signedInUser(session, deps);
    authorize(signedIn, permission, context.clientAddress);
    return { actor: signedIn.actor, from, authority: signedIn };
  }
  const key = await authenticate(request.headers, context.clientAddress, deps.authenticator);
  authorize(key, permission, context.clientAddress);
  return { actor: { type: 'key', id: key.id }, from, authority: key };
}

/** The session of a request. A request with a key uses the key, whatever cookies it has. */
export async function sessionOf({ headers }: IncomingRequest, { sessions }: AccessDeps): Promise<Session | undefined> {
  return presentsKey(headers) ? undefined : sessions.read(headers);
}

/**
 * A browser sends the cookie with every request, also from other sites: a change must come from the dashboard. @throws GatewayError
 * `insufficient_permissions`
 */
export function checkCsrf({ method, headers }: IncomingRequest, session: Session): void {
  if (method === 'GET' || method === 'HEAD') return;
  if (isSameOrigin(headers) && isCsrfToken(session, headers.get('x-svc-csrf') ?? '')) return;
  const message = "A change in a session needs its 'csrfToken' in the header X-Svc-Csrf, and a page of this origin.";
  throw new GatewayError('insufficient_permissions', message);
}

/** The user of a session; a key is looked up each time. @throws GatewayError `invalid_api_key` if that key is no longer valid */
export async function signedInUser({ holder }: Session, { keys, authenticator }: AccessDeps): Promise<SignedIn> {
  if (holder.type === 'person') {
    const { subject, email, permissions } = holder;
    const authority = { permissions, excludePermissions: [], allowedModels: [], ipWhitelist: [], expiresAt: null };
    return { ...authority, actor: { type: 'person', subject, email }, keyId: null, name: email ?? subject };
  }
  const key = await authenticateHolder(holder, keys, authenticator);
  const { id, name, permissions, excludePermissions, allowedModels, ipWhitelist, expiresAt } = key;
  const authority = { permissions, excludePermissions, allowedModels, ipWhitelist, expiresAt };
  return { ...authority, actor: { type: 'key', id }, keyId: id, name };
}

/**
 * Whether a request comes from the dashboard, according to its browser: `Sec-Fetch-Site` (https://www.w3.org/TR/fetch-metadata/), or
 * `Origin` if the browser does not send that. Every browser sends one of them with a change; programs send a key instead of a cookie.
 */
export function isSameOrigin(headers: RequestHeaders): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  const origin = headers.get('origin');
  return origin !== null && URL.canParse(origin) && new URL(origin).host === headers.get('host');
}
