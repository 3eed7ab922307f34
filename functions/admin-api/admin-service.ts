import type { AuditDeps, Caller } from '../core/audit/audit-change.ts';
import { GatewayError } from '../core/errors.ts';
import type { RoutedRequest } from '../core/http/router.ts';
import type { ReplayEngine } from '../core/policies/replay.ts';
import type { CaptureStore } from '../core/ports/capture-store.ts';
import type { DeliveryStore } from '../core/ports/delivery-store.ts';
import type { EndUserStore } from '../core/ports/end-user-store.ts';
import type { EndpointWaker } from '../core/ports/endpoint-turns.ts';
import type { KeyHasher } from '../core/ports/key-hasher.ts';
import type { KeyStore } from '../core/ports/key-store.ts';
import type { LimitStore } from '../core/ports/limit-store.ts';
import type { PolicyStore } from '../core/ports/policy-store.ts';
import type { RequestRecordReader } from '../core/ports/request-records.ts';
import type { WebhookRegistry } from '../core/ports/webhook-store.ts';
import type { EndpointUrlRules } from '../core/webhooks/endpoint-url.ts';
import { type AccessDeps, requirePermission } from './access.ts';
import type { SingleSignOn } from './sign-in/single-sign-on.ts';

export interface AdminDeps extends AuditDeps, AccessDeps {
  readonly keys: KeyStore;
  readonly policies: PolicyStore;
  readonly hasher: KeyHasher;
  readonly limits: Pick<LimitStore, 'take' | 'peek'>;
  readonly records: RequestRecordReader;
  readonly captures: Pick<CaptureStore, 'read'>;
  /** Loaded by who asks for it alone: rules are large. */
  readonly engine: () => Promise<ReplayEngine>;
  /** Everything that keeps something for end users. */
  readonly endUserStores: readonly EndUserStore[];
  readonly webhooks: WebhookRegistry;
  /** Which addresses an endpoint may have. */
  readonly endpointUrls: EndpointUrlRules;
  readonly deliveries: Pick<DeliveryStore, 'get' | 'list' | 'redeliver'>;
  readonly waker: EndpointWaker;
  /** undefined where keys are the only way in. */
  readonly singleSignOn?: SingleSignOn | undefined;
}

/** Lets only administrators on. @throws GatewayError 401 or 403 */
export function requireAdmin(routed: RoutedRequest, deps: AccessDeps): Promise<Caller> {
  return requirePermission(routed, 'admin', deps);
}

export function keyNotFound(): GatewayError {
  return new GatewayError('not_found', 'There is no such key, or it is revoked.');
}
