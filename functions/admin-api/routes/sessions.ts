import { type DashboardSession, OPERATIONS, type Operation, type signInOperations } from '../../contract/index.ts';
import { audit } from '../../control/audit/index.ts';
import { authorize, holderOf } from '../../control/keys/index.ts';
import { type LimitStore, limitsOf, NO_NEED, refusalOf } from '../../control/limits/index.ts';
import { GatewayError } from '../../kernel/errors/index.ts';
import { networkOf, type RoutedRequest } from '../../kernel/http/index.ts';
import { isPermitted, PERMISSIONS } from '../../kernel/model/index.ts';
import { isSameOrigin, mayCall, type SignedIn, signedInUser } from '../access.ts';
import type { AdminDeps } from '../admin-deps.ts';
import { type Handlers, ResponseWith } from '../operation-routes.ts';
import { csrfToken, type Session, sessionEnd } from '../sign-in.ts';

/** Signing in to the dashboard with a key, and out of it. */
export const SIGN_IN_HANDLERS: Handlers<typeof signInOperations, AdminDeps> = {
  createDashboardSession: {
    async admit({ request, context }, deps) {
      // Otherwise another site could sign a visitor in with its own key, and read what they do then.
      if (!isSameOrigin(request.headers))
        throw new GatewayError('insufficient_permissions', 'Sign-in requires a page of this origin.');
      await admitSignIn(context.clientAddress, deps.limits);
    },
    async handle({ body, routed }, deps) {
      const session = deps.sessions.begin({ type: 'key', ...(await holderOf(body.key, deps.authenticator)) });
      const signedIn = await openSession(session, routed, deps);
      return new ResponseWith(toView(session, signedIn, deps), {}, [await deps.sessions.write(session)]);
    },
  },
  async getDashboardSession({ session }, deps) {
    if (session === undefined) throw new GatewayError('invalid_api_key', 'There is no session.');
    return toView(session, await signedInUser(session, deps), deps);
  },
  /** The response is the same without a session. */
  async deleteDashboardSession(_, deps) {
    return new ResponseWith({ object: 'session.deletion', deleted: true }, {}, [deps.sessions.clear()]);
  },
  /** Returns only what the sign-in page shows to everyone. */
  async getDashboardSessionOptions(_, { singleSignOn }) {
    const provider = singleSignOn?.provider;
    const oidc = provider ? { label: provider.label, startUrl: '/v1/admin/session/oidc/start' } : null;
    return { object: 'session.options', oidc };
  },
};

function toView(session: Session, signedIn: SignedIn, { deployment }: AdminDeps): DashboardSession {
  const end = sessionEnd(session);
  const { keyId, name, expiresAt, member } = signedIn;
  return {
    object: 'session',
    permissions: PERMISSIONS.filter((permission) => isPermitted(signedIn, permission)),
    keyId,
    name,
    team: member ? { id: member.team.id, name: member.team.name, role: member.role ?? null } : null,
    operations: Object.keys(OPERATIONS).filter((id) => mayCall(signedIn, OPERATIONS[id] as Operation)),
    ...(deployment.demo && { demo: true }),
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
  // A person with a role in a team needs no permission.
  authorize(signedIn, signedIn.member?.role === undefined ? 'analytics' : undefined, address);
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
