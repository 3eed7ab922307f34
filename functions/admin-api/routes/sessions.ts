import { audit } from '../../core/audit/audit-change.ts';
import { GatewayError } from '../../core/base/errors.ts';
import { toValidationError } from '../../core/base/first-fault.ts';
import { networkOf } from '../../core/base/ip-range.ts';
import { readJsonBody } from '../../core/http/request-body.ts';
import { jsonResponse } from '../../core/http/responses.ts';
import type { Route, RoutedRequest } from '../../core/http/router.ts';
import { authorize, holderOf } from '../../core/keys/authenticate.ts';
import { refusalOf } from '../../core/limits/ledger.ts';
import type { LimitStore } from '../../core/limits/limit-store.ts';
import { limitsOf, NO_NEED } from '../../core/limits/limits.ts';
import { isPermitted, PERMISSIONS } from '../../core/model/api-key.ts';
import { checkCsrf, isSameOrigin, type SignedIn, sessionOf, signedInUser } from '../access.ts';
import type { AdminDeps } from '../admin-deps.ts';
import { type DashboardSession, type SessionDeletion, type SessionOptions, signInSchema } from '../contract.ts';
import { csrfToken, type Session, sessionEnd } from '../sign-in.ts';

const PATH = '/v1/admin/session';
/** Enough for a key. */
const MAX_BODY_BYTES = 4_096;

/** `/v1/admin/session`: signing in and out of the dashboard with a key. */
export function sessionRoutes(deps: AdminDeps): Route[] {
  return [createSessionRoute(deps), getSessionRoute(deps), deleteSessionRoute(deps), sessionOptionsRoute(deps)];
}

/** `POST /v1/admin/session`: signs in to the dashboard with a key. */
function createSessionRoute(deps: AdminDeps): Route {
  return {
    method: 'POST',
    path: PATH,
    async handle(routed) {
      const { request, context } = routed;
      // Otherwise another site could sign a visitor in with its own key, and read what they do then.
      if (!isSameOrigin(request.headers))
        throw new GatewayError('insufficient_permissions', 'Sign-in requires a page of this origin.');
      await admitSignIn(context.clientAddress, deps.limits);
      const { value } = await readJsonBody(request, MAX_BODY_BYTES);
      const body = signInSchema.safeParse(value);
      if (!body.success) throw toValidationError(body.error, value);
      const session = deps.sessions.begin({ type: 'key', ...(await holderOf(body.data.key, deps.authenticator)) });
      const signedIn = await openSession(session, routed, deps);
      return { ...jsonResponse(201, toView(session, signedIn)), cookies: [await deps.sessions.write(session)] };
    },
  };
}

/** `GET /v1/admin/session`: the user of the session cookie; 401 without one. */
function getSessionRoute(deps: AdminDeps): Route {
  return {
    method: 'GET',
    path: PATH,
    async handle({ request }) {
      const session = await sessionOf(request, deps);
      if (session === undefined) throw new GatewayError('invalid_api_key', 'There is no session.');
      return jsonResponse(200, toView(session, await signedInUser(session, deps)));
    },
  };
}

/** `DELETE /v1/admin/session`: signs out. The response is the same without a session. */
function deleteSessionRoute(deps: AdminDeps): Route {
  return {
    method: 'DELETE',
    path: PATH,
    async handle(routed) {
      const session = await sessionOf(routed.request, deps);
      if (session !== undefined) checkCsrf(routed.request, session);
      const deletion: SessionDeletion = { object: 'session.deletion', deleted: true };
      return { ...jsonResponse(200, deletion), cookies: [deps.sessions.clear()] };
    },
  };
}

/** `GET /v1/admin/session/options`: the ways to sign in. Returns only what the sign-in page shows to everyone. */
function sessionOptionsRoute({ singleSignOn }: AdminDeps): Route {
  return {
    method: 'GET',
    path: `${PATH}/options`,
    async handle() {
      const provider = singleSignOn?.provider;
      const oidc = provider ? { label: provider.label, startUrl: `${PATH}/oidc/start` } : null;
      const options: SessionOptions = { object: 'session.options', oidc };
      return jsonResponse(200, options);
    },
  };
}

function toView(session: Session, signedIn: SignedIn): DashboardSession {
  const end = sessionEnd(session);
  const { keyId, name, expiresAt } = signedIn;
  return {
    object: 'session',
    permissions: PERMISSIONS.filter((permission) => isPermitted(signedIn, permission)),
    keyId,
    name,
    expiresAt: expiresAt !== null && expiresAt < end ? expiresAt : end,
    csrfToken: csrfToken(session),
  };
}

/**
 * Requires a dashboard permission and the key's allowed address; the sign-in is in the audit log before the session begins. @throws
 * GatewayError 401 or 403
 */
export async function openSession(session: Session, routed: RoutedRequest, deps: AdminDeps): Promise<SignedIn> {
  const address = routed.context.clientAddress;
  const signedIn = await signedInUser(session, deps);
  authorize(signedIn, 'analytics', address);
  const { holder } = session;
  const target = { type: 'session', id: holder.type === 'key' ? holder.id : holder.subject } as const;
  const caller = { actor: signedIn.actor, from: { address, requestId: routed.requestId } };
  await audit(caller, { action: 'session.created', target, before: null, after: null }, deps);
  return signedIn;
}

const LIMIT = { requests: 10, period: 'minute' } as const;
const LIMITS = limitsOf({ rateLimit: LIMIT });

/**
 * Counts a sign-in attempt from a client's network: ten a minute across all functions, in the same buckets as key limits. Successful attempts
 * count too, so nothing is settled. `step` has its own count. @throws GatewayError `rate_limit_exceeded`; StoreUnavailable: sign-in fails closed
 */
export async function admitSignIn(address: string, store: Pick<LimitStore, 'take'>, step = ''): Promise<void> {
  const { granted, ledger, nowMs } = await store.take(`sign-in#${step}${networkOf(address)}`, LIMITS, {
    needs: [NO_NEED],
  });
  if (granted === 1) return;
  const refusal = refusalOf(ledger, LIMITS, NO_NEED, nowMs);
  const { retryInMs, resetAtMs } = refusal ?? { retryInMs: 0, resetAtMs: nowMs };
  throw new GatewayError('rate_limit_exceeded', 'Too many attempts to sign in from this address. Try again later.', {
    details: { limit: 'requests', remaining: 0, resetTime: new Date(resetAtMs).toISOString() },
    headers: { 'retry-after': String(Math.max(1, Math.ceil(retryInMs / 1000))) },
  });
}
