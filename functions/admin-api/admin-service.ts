import type { CaptureStore, EndUserStore, RequestRecordReader } from '../core/analytics/request-records.ts';
import type { AuditDeps, Caller } from '../core/audit/audit-change.ts';
import { GatewayError } from '../core/base/errors.ts';
import type { RoutedRequest } from '../core/http/router.ts';
import type { KeyHasher, KeyStore } from '../core/keys/key-store.ts';
import type { LimitStore } from '../core/limits/limit-store.ts';
import type { PolicyStore } from '../core/policy/default-policy.ts';
import type { ReplayEngine } from '../core/replay/replay.ts';
import type { DeliveryStore, EndpointWaker } from '../core/webhooks/delivery-store.ts';
import type { EndpointUrlRules } from '../core/webhooks/endpoint-url.ts';
import type { WebhookRegistry } from '../core/webhooks/webhook-store.ts';
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
