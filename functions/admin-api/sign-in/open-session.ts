import { audit } from '../../core/audit/audit-change.ts';
import type { RoutedRequest } from '../../core/http/router.ts';
import { authorize } from '../../core/keys/authenticate.ts';
import { type SignedIn, signedInBy } from '../access.ts';
import type { AdminDeps } from '../admin-service.ts';
import type { Session } from './sessions.ts';

/**
 * Lets those in who may see something of the dashboard, from where they are; who signed in is in the audit log before he is in.
 * @throws GatewayError 401 or 403
 */
export async function openSession(session: Session, routed: RoutedRequest, deps: AdminDeps): Promise<SignedIn> {
  const address = routed.context.clientAddress;
  const signedIn = await signedInBy(session, deps);
  authorize(signedIn, 'analytics', address);
  const { holder } = session;
  const target = { type: 'session', id: holder.type === 'key' ? holder.id : holder.subject } as const;
  const caller = { actor: signedIn.actor, from: { address, requestId: routed.requestId } };
  await audit(caller, { action: 'session.created', target, before: null, after: null }, deps);
  return signedIn;
}
