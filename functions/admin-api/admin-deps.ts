import type { Settings } from '../contract/index.ts';
import type { AggregateReader, AggregateStore, SessionList } from '../core/analytics/aggregate-store.ts';
import type { CaptureStore, EndUserStore, RequestRecordReader } from '../core/analytics/request-records.ts';
import type { AuditDeps } from '../core/audit/audit-change.ts';
import type { Clock } from '../core/base/clock.ts';
import type { KeyHasher, KeyStore } from '../core/keys/key-store.ts';
import type { LimitStore } from '../core/limits/limit-store.ts';
import type { PolicyStore } from '../core/policy/effective-policy.ts';
import type { ReplayEngine } from '../core/replay/replay.ts';
import type { CircuitBreaker } from '../core/routing/circuit-breaker.ts';
import type { ModelCatalog } from '../core/routing/model-catalog.ts';
import type { RouteEntry } from '../core/routing/route-model.ts';
import type { DeliveryStore, EndpointTurns, EndpointWaker } from '../core/webhooks/delivery-store.ts';
import type { EndpointUrlRules } from '../core/webhooks/endpoint-url.ts';
import type { WebhookRegistry } from '../core/webhooks/webhook-store.ts';
import type { ProviderConnections, ProviderSettings } from '../providers/configured-providers.ts';
import type { AccessDeps } from './access.ts';
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

export interface AnalyticsDeps extends AccessDeps, Pick<AdminDeps, 'engine'> {
  readonly keys: Pick<KeyStore, 'get' | 'getMany'>;
  readonly records: RequestRecordReader;
  readonly aggregates: AggregateReader & Pick<AggregateStore, 'read'> & SessionList;
  readonly clock: Clock;
}
