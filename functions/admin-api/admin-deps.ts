import type * as z from 'zod';
import type { AggregateReader, AggregateStore, SessionList } from '../core/analytics/aggregate-store.ts';
import type { CaptureStore, EndUserStore, RequestRecordReader } from '../core/analytics/request-records.ts';
import type { AuditDeps } from '../core/audit/audit-change.ts';
import type { Clock } from '../core/base/clock.ts';
import { toValidationError } from '../core/base/first-fault.ts';
import { readJsonBody, readOptionalJsonBody } from '../core/http/request-body.ts';
import type { RoutedRequest } from '../core/http/router.ts';
import type { KeyHasher, KeyStore } from '../core/keys/key-store.ts';
import type { LimitStore } from '../core/limits/limit-store.ts';
import type { PolicyStore } from '../core/policy/effective-policy.ts';
import { Places } from '../core/protocols/bodies/request-places.ts';
import type { ReplayEngine } from '../core/replay/replay.ts';
import type { CircuitBreaker } from '../core/routing/circuit-breaker.ts';
import type { ModelCatalog } from '../core/routing/model-catalog.ts';
import type { RouteEntry } from '../core/routing/route-model.ts';
import type { DeliveryStore, EndpointTurns, EndpointWaker } from '../core/webhooks/delivery-store.ts';
import type { EndpointUrlRules } from '../core/webhooks/endpoint-url.ts';
import type { WebhookRegistry } from '../core/webhooks/webhook-store.ts';
import type { ProviderConnections, ProviderSettings } from '../providers/configured-providers.ts';
import { type AccessDeps, type AuthorizedCaller, requirePermission } from './access.ts';
import type { Settings } from './contract.ts';
import type { SingleSignOn } from './sign-in.ts';

/** Providers and routes as the gateway has them. */
export interface UpstreamConfig {
  /** Read each time, since the secret may change. */
  readonly settings: () => Promise<ProviderSettings>;
  /** The deployment's routes, without the standard ones. */
  readonly routes: readonly RouteEntry[];
  readonly models: ModelCatalog;
  readonly echo: boolean;
  /** Whether the gateway calls Amazon Bedrock with its AWS credentials. */
  readonly bedrock: boolean;
  /** Whether this process may too. */
  readonly signsBedrock: boolean;
  /** The circuits of the gateway, if it runs in this process. */
  readonly circuits?: Pick<CircuitBreaker, 'list'> | undefined;
  /** Loaded on first use. */
  readonly connections: () => Promise<ProviderConnections>;
}

export interface AdminDeps extends AuditDeps, AccessDeps {
  readonly keys: KeyStore;
  readonly policies: PolicyStore;
  readonly hasher: KeyHasher;
  readonly limits: Pick<LimitStore, 'take' | 'peek'>;
  readonly records: RequestRecordReader;
  readonly aggregates: AggregateReader;
  readonly upstream: UpstreamConfig;
  /** What the settings page shows. */
  readonly deployment: Omit<Settings, 'object'>;
  readonly captures: Pick<CaptureStore, 'read'>;
  /** Loaded on first use: the rules are large. */
  readonly engine: () => Promise<ReplayEngine>;
  /** All stores with data of end users. */
  readonly endUserStores: readonly EndUserStore[];
  readonly webhooks: WebhookRegistry;
  /** Which URLs an endpoint may have. */
  readonly endpointUrls: EndpointUrlRules;
  readonly deliveries: Pick<DeliveryStore, 'get' | 'list' | 'read' | 'redeliver'>;
  readonly turns: Pick<EndpointTurns, 'read'>;
  readonly waker: EndpointWaker;
  /** Undefined if keys are the only way to sign in. */
  readonly singleSignOn?: SingleSignOn | undefined;
}

/** Requires an administrator. @throws GatewayError 401 or 403 */
export function requireAdmin(routed: RoutedRequest, deps: AccessDeps): Promise<AuthorizedCaller> {
  return requirePermission(routed, 'admin', deps);
}

/** No body here contains free JSON. */
const PLACES = new Places({});

interface ReadChange {
  /** Who may send it; an administrator by default. */
  readonly require?: (routed: RoutedRequest, deps: AdminDeps) => Promise<AuthorizedCaller>;
  /** `{}` for a request without a body. */
  readonly isOptional?: boolean;
}

/**
 * Reads the body of a change, and who sends it. The caller is checked before the body arrives, and again behind it: a slow body would keep a
 * revoked key in use. @throws GatewayError 401, 403, or 400 for a body that is not JSON, or not of the schema
 */
export async function readChange<T extends z.ZodType>(
  routed: RoutedRequest,
  schema: T,
  deps: AdminDeps,
  { require = requireAdmin, isOptional = false }: ReadChange = {},
): Promise<{ readonly fields: z.output<T>; readonly caller: AuthorizedCaller }> {
  await require(routed, deps);
  const value = checked(await (isOptional ? readOptionalJsonBody : readJsonBody)(routed.request));
  const fields = schema.safeParse(value);
  if (!fields.success) throw toValidationError(fields.error, value);
  return { fields: fields.data, caller: await require(routed, deps) };
}

function checked({ value }: { readonly value: unknown }): unknown {
  // The schemas would silently drop them.
  PLACES.refuseNames(value);
  return value;
}

export interface AnalyticsDeps extends AccessDeps, Pick<AdminDeps, 'engine'> {
  readonly keys: Pick<KeyStore, 'get' | 'getMany'>;
  readonly records: RequestRecordReader;
  readonly aggregates: AggregateReader & Pick<AggregateStore, 'read'> & SessionList;
  readonly clock: Clock;
}

/** Requires the permission `analytics`, which covers the data of all keys. @throws GatewayError 401 or 403 */
export async function requireAnalytics(routed: RoutedRequest, deps: AccessDeps): Promise<void> {
  await requirePermission(routed, 'analytics', deps);
}

/** Requires `admin` and `analytics`: for what only administrators see of requests. @throws GatewayError 401 or 403 */
export async function requireAdminOfRecords(routed: RoutedRequest, deps: AccessDeps): Promise<AuthorizedCaller> {
  await requireAnalytics(routed, deps);
  return requireAdmin(routed, deps);
}
