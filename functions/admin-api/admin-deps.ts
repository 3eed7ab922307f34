import type { McpTests } from '../adapters/mcp-tests.ts';
import type { providerConnections } from '../adapters/provider-connections.ts';
import type { Settings } from '../contract/index.ts';
import type { AlertStates } from '../control/alerts/index.ts';
import type {
  AggregateReader,
  AggregateStore,
  CaptureStore,
  EndUserStore,
  RequestRecordReader,
  SessionList,
} from '../control/analytics/index.ts';
import type { Approval, ApprovalDesk, ApprovalSecrets } from '../control/approvals/index.ts';
import type { AuditDeps } from '../control/audit/index.ts';
import type {
  CredentialsDocument,
  CredentialUseStore,
  LiveCredentials,
  OutsideSecret,
  ValueSealer,
} from '../control/credentials/index.ts';
import type { DocumentStore, StateStore } from '../control/documents/index.ts';
import type { TokenExchange } from '../control/federation/index.ts';
import type { IdentityList } from '../control/identities/index.ts';
import type { ImportedSecretsDocument, KeyHasher, KeyStore } from '../control/keys/index.ts';
import type { LimitStore } from '../control/limits/index.ts';
import type { Override } from '../control/override/index.ts';
import type { ToolPinStore } from '../control/tool-pins/index.ts';
import type {
  DeliveryStore,
  EndpointTurns,
  EndpointUrlRules,
  EndpointWaker,
  WebhookRegistry,
} from '../control/webhooks/index.ts';
import type { AlertsDocument } from '../kernel/alerts/index.ts';
import type {
  ApprovedDefinition,
  McpServersDocument,
  PricesDocument,
  ProvidersDocument,
  RouteEntry,
  RoutesDocument,
  SavedViews,
  ShownTools,
  StoredProvider,
} from '../kernel/configuration/index.ts';
import type { IdentityDocument } from '../kernel/identity/index.ts';
import type { DeploymentPolicy } from '../kernel/model/index.ts';
import type { Clock } from '../kernel/tasks/index.ts';
import type { TeamsDocument } from '../kernel/teams/index.ts';
import type { ReplayEngine } from '../replay/index.ts';
import type { CircuitBreaker, McpServers, ModelCatalog, ProviderSettings } from '../translation/index.ts';
import type { AccessDeps } from './access.ts';
import type { SingleSignOn } from './sign-in.ts';

/** Providers and routes as the gateway has them. */
export interface UpstreamConfig {
  /** Read each time, since the secret and the stored credentials may change. */
  readonly settings: () => Promise<ProviderSettings>;
  /** The key that a key setting refers to, or the setting itself. */
  readonly liveCredentials: Pick<LiveCredentials, 'lookUp' | 'bindToken'>;
  readonly resolveKey: (setting: string) => Promise<string>;
  /** The stored credential for all keys of each provider that has one. */
  readonly sharedCredentials: () => Promise<ReadonlyMap<string, string>>;
  /** The deployment's routes in the settings, without the standard ones. */
  readonly routes: readonly RouteEntry[];
  /** The deployment's prices in the settings. */
  readonly prices: PricesDocument['prices'];
  readonly echo: boolean;
  /** Whether the gateway calls Amazon Bedrock with its AWS credentials. */
  readonly bedrock: boolean;
  /** Whether this process may too. */
  readonly signsBedrock: boolean;
  /** The circuits of this process's gateway, or else the open ones of all processes. */
  readonly circuits: () => Promise<ReturnType<CircuitBreaker['list']>>;
  /** Loaded on first use. */
  readonly connections: () => Promise<ReturnType<typeof providerConnections>>;
}

/** The same with the providers that the admin API stores. */
export interface ProvidersInForce extends UpstreamConfig {
  readonly stored: readonly StoredProvider[];
}

/** All with the routes and the prices in force. */
export interface Upstream extends ProvidersInForce {
  readonly models: ModelCatalog;
}

export interface AdminDeps extends AuditDeps, AccessDeps {
  readonly keys: KeyStore;
  readonly importedSecrets: DocumentStore<ImportedSecretsDocument>;
  readonly policies: DocumentStore<DeploymentPolicy>;
  readonly routes: DocumentStore<RoutesDocument>;
  readonly credentials: DocumentStore<CredentialsDocument>;
  readonly credentialUses: Pick<CredentialUseStore, 'lastUses' | 'deleteUse'>;
  readonly valueSealer: ValueSealer;
  readonly outsideSecret: (arn: string) => OutsideSecret;
  readonly exchange: TokenExchange;
  readonly hasAwsIdentity: boolean;
  readonly providers: DocumentStore<ProvidersDocument>;
  readonly mcpServers: DocumentStore<McpServersDocument>;
  /** Lists the current tools of MCP servers; loaded on first use. */
  readonly mcp: () => Promise<Pick<McpServers, 'list'>>;
  /** Makes the tokens with which tools of MCP servers are tested. */
  readonly mcpTests: Pick<McpTests, 'token'>;
  readonly override: DocumentStore<Override>;
  readonly prices: DocumentStore<PricesDocument>;
  readonly identity: DocumentStore<IdentityDocument>;
  readonly identities: IdentityList;
  readonly teams: DocumentStore<TeamsDocument>;
  readonly alerts: DocumentStore<AlertsDocument>;
  /** Topics of SNS that alerts may name. */
  readonly alertTopicArns: readonly string[];
  readonly alertStates: Pick<AlertStates, 'read' | 'delete'>;
  /** By the name of the server. */
  readonly shownTools: StateStore<ShownTools>;
  readonly approvedDefinitions: StateStore<ApprovedDefinition>;
  /** By the key, the person, the team, or `deployment`. */
  readonly views: StateStore<SavedViews>;
  readonly hasher: KeyHasher;
  readonly limits: Pick<LimitStore, 'take' | 'peek'>;
  readonly toolPins: Pick<ToolPinStore, 'read' | 'accept' | 'remove'>;
  readonly records: RequestRecordReader;
  readonly aggregates: AggregateReader;
  readonly upstream: UpstreamConfig;
  /** What the settings page shows. */
  readonly deployment: Omit<Settings, 'object'>;
  readonly captures: Pick<CaptureStore, 'read'>;
  readonly approvals: ApprovalDesk;
  readonly approvalSecrets: Pick<ApprovalSecrets, 'open'>;
  readonly onApprovalDecided: (approval: Approval) => void;
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
  readonly toolPins: Pick<ToolPinStore, 'read'>;
  readonly approvals: Pick<ApprovalDesk, 'list'>;
  readonly policies: Pick<DocumentStore<DeploymentPolicy>, 'current'>;
  readonly override: Pick<DocumentStore<Override>, 'current'>;
  readonly teams: Pick<DocumentStore<TeamsDocument>, 'current'>;
  readonly keys: Pick<KeyStore, 'get' | 'getMany'>;
  readonly records: RequestRecordReader;
  readonly aggregates: AggregateReader & Pick<AggregateStore, 'read'> & SessionList;
  readonly clock: Clock;
}
