import type { AggregateReader, AggregateStore, SessionList } from '../core/analytics/aggregate-store.ts';
import type { CaptureStore, EndUserStore, RequestRecordReader } from '../core/analytics/request-records.ts';
import type { AuditDeps, Caller } from '../core/audit/audit-change.ts';
import type { Clock } from '../core/base/clock.ts';
import { readJsonBody, readOptionalJsonBody } from '../core/http/request-body.ts';
import type { IncomingRequest, RoutedRequest } from '../core/http/router.ts';
import type { KeyHasher, KeyStore } from '../core/keys/key-store.ts';
import type { LimitStore } from '../core/limits/limit-store.ts';
import type { PolicyStore } from '../core/policy/effective-policy.ts';
import { Places } from '../core/protocols/bodies/request-places.ts';
import type { ReplayEngine } from '../core/replay/replay.ts';
import type { DeliveryStore, EndpointWaker } from '../core/webhooks/delivery-store.ts';
import type { EndpointUrlRules } from '../core/webhooks/endpoint-url.ts';
import type { WebhookRegistry } from '../core/webhooks/webhook-store.ts';
import { type AccessDeps, requirePermission } from './access.ts';
import type { SingleSignOn } from './sign-in.ts';

export interface AdminDeps extends AuditDeps, AccessDeps {
  readonly keys: KeyStore;
  readonly policies: PolicyStore;
  readonly hasher: KeyHasher;
  readonly limits: Pick<LimitStore, 'take' | 'peek'>;
  readonly records: RequestRecordReader;
  readonly captures: Pick<CaptureStore, 'read'>;
  /** Loaded on the first use: rules are large. */
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

/** Nothing in a body here is free JSON. */
const PLACES = new Places({});

/** The parsed body of a change. @throws GatewayError for one that is no JSON, and for members named like those of every object */
export async function readAdminBody(request: IncomingRequest): Promise<unknown> {
  return checked(await readJsonBody(request));
}

/** The same; `{}` for a request without a body. */
export async function readOptionalAdminBody(request: IncomingRequest): Promise<unknown> {
  return checked(await readOptionalJsonBody(request));
}

function checked({ value }: { readonly value: unknown }): unknown {
  // The schemas would drop them without a word.
  PLACES.refuseReserved(value);
  return value;
}

/** What the routes of analytics work with. */
export interface AnalyticsDeps extends AccessDeps {
  readonly records: RequestRecordReader;
  readonly aggregates: AggregateReader & Pick<AggregateStore, 'read'> & SessionList;
  readonly clock: Clock;
}

/** Lets only those with the permission `analytics` on; what they see is everybody's. @throws GatewayError 401 or 403 */
export async function requireAnalytics(routed: RoutedRequest, deps: AccessDeps): Promise<void> {
  await requirePermission(routed, 'analytics', deps);
}
