import { GatewayError } from '../../core/base/errors.ts';
import { toValidationError } from '../../core/base/first-fault.ts';
import { readJsonBody } from '../../core/http/request-body.ts';
import { jsonResponse } from '../../core/http/responses.ts';
import type { Route } from '../../core/http/router.ts';
import { authenticateSecret, keyFingerprint } from '../../core/keys/authenticate.ts';
import { isPermitted, PERMISSIONS } from '../../core/model/permissions.ts';
import { checkIntended, type SignedIn, sessionOf, signedInBy } from '../access.ts';
import type { AdminDeps } from '../admin-service.ts';
import { type DashboardSession, type SessionDeletion, type SessionOptions, signInSchema } from '../contract.ts';
import { openSession } from '../sign-in/open-session.ts';
import { isSameOrigin } from '../sign-in/same-origin.ts';
import { csrfToken, type Session, sessionEnd } from '../sign-in/sessions.ts';
import { admitSignIn } from '../sign-in/sign-in-limit.ts';

const PATH = '/v1/admin/session';
/** A key and little else. */
const MAX_BODY_BYTES = 4_096;

/** `POST /v1/admin/session`: signs in at the dashboard with a key. */
export function createSessionRoute(deps: AdminDeps): Route {
  return {
    method: 'POST',
    path: PATH,
    async handle(routed) {
      const { request, context } = routed;
      // Or another site could sign a visitor in under a key of its own, and read what he then does.
      if (!isSameOrigin(request.headers))
        throw new GatewayError('insufficient_permissions', 'Only a page of this origin signs in.');
      await admitSignIn(context.clientAddress, deps.limits);
      const { value } = await readJsonBody(request, MAX_BODY_BYTES);
      const body = signInSchema.safeParse(value);
      if (!body.success) throw toValidationError(body.error, value);
      const key = await authenticateSecret(body.data.key, deps.authenticator);
      const session = deps.sessions.begin({ type: 'key', id: key.id, fingerprint: keyFingerprint(key) });
      const signedIn = await openSession(session, routed, deps);
      return { ...jsonResponse(201, toView(session, signedIn)), cookies: [await deps.sessions.write(session)] };
    },
  };
}

/** `GET /v1/admin/session`: whom the cookie stands for; 401 where for nobody. */
export function getSessionRoute(deps: AdminDeps): Route {
  return {
    method: 'GET',
    path: PATH,
    async handle({ request }) {
      const session = await sessionOf(request, deps);
      if (session === undefined) throw new GatewayError('invalid_api_key', 'Nobody is signed in.');
      return jsonResponse(200, toView(session, await signedInBy(session, deps)));
    },
  };
}

/** `DELETE /v1/admin/session`: signs out. Answers the same where nobody was signed in. */
export function deleteSessionRoute(deps: AdminDeps): Route {
  return {
    method: 'DELETE',
    path: PATH,
    async handle(routed) {
      const session = await sessionOf(routed.request, deps);
      if (session !== undefined) checkIntended(routed.request, session);
      const deletion: SessionDeletion = { object: 'session.deletion', deleted: true };
      return { ...jsonResponse(200, deletion), cookies: [deps.sessions.clear()] };
    },
  };
}

/** `GET /v1/admin/session/options`: in which ways one may sign in. Tells nothing that the page does not show to everybody. */
export function sessionOptionsRoute({ singleSignOn }: AdminDeps): Route {
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
