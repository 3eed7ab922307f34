import packageJson from '../../package.json' with { type: 'json' };
import { BACKGROUND_ONCE, createDynamoClient, createSqsClient, type DynamoClient } from '../adapters/aws/clients.ts';
import { createSecretSealer } from '../adapters/aws/secret-sealer.ts';
import { RenewableSecret } from '../adapters/aws/secrets-manager.ts';
import { SqsEndpointWaker } from '../adapters/aws/sqs-queues.ts';
import { DynamoAggregates } from '../adapters/dynamo/dynamo-aggregates.ts';
import { DynamoApprovalStore } from '../adapters/dynamo/dynamo-approval-store.ts';
import { DynamoAuditLog } from '../adapters/dynamo/dynamo-audit-log.ts';
import { DynamoCredentialUses } from '../adapters/dynamo/dynamo-credential-uses.ts';
import { DynamoDeliveryStore } from '../adapters/dynamo/dynamo-delivery-store.ts';
import {
  ALERTS_DOCUMENT,
  CREDENTIALS_DOCUMENT,
  DynamoDocumentStore,
  IMPORTED_SECRETS_DOCUMENT,
  identityDocument,
  MCP_SERVERS_DOCUMENT,
  OVERRIDE_DOCUMENT,
  POLICY_DOCUMENT,
  PROVIDERS_DOCUMENT,
  pricesDocument,
  routesDocument,
  TEAMS_DOCUMENT,
} from '../adapters/dynamo/dynamo-document-store.ts';
import { DynamoDeliveredEndUsers, DynamoEndUserData } from '../adapters/dynamo/dynamo-end-user-data.ts';
import { DynamoEndpointTurns } from '../adapters/dynamo/dynamo-endpoint-turns.ts';
import { DynamoIdempotencyStore } from '../adapters/dynamo/dynamo-idempotency-store.ts';
import { DynamoIdentityStore } from '../adapters/dynamo/dynamo-identity-store.ts';
import { DynamoKeyStore } from '../adapters/dynamo/dynamo-key-store.ts';
import { DynamoLimitStore } from '../adapters/dynamo/dynamo-limit-store.ts';
import { DynamoOpenCircuits, type OpenCircuit } from '../adapters/dynamo/dynamo-open-circuits.ts';
import { DynamoCaptureStore, DynamoRecordReader } from '../adapters/dynamo/dynamo-request-records.ts';
import {
  ALERT_STATES,
  APPROVED_DEFINITIONS,
  DynamoStateStore,
  SAVED_VIEWS,
  SHOWN_TOOLS,
} from '../adapters/dynamo/dynamo-state-store.ts';
import { DynamoToolPinStore } from '../adapters/dynamo/dynamo-tool-pin-store.ts';
import { DynamoWebhookStore } from '../adapters/dynamo/dynamo-webhook-store.ts';
import type { TablesOf } from '../adapters/dynamo/tables.ts';
import { federatedExchange } from '../adapters/federation.ts';
import { createIdentities } from '../adapters/identities.ts';
import { McpTests } from '../adapters/mcp-tests.ts';
import { mcpTokens } from '../adapters/mcp-tokens.ts';
import { createApprovalSecrets } from '../adapters/node/approval-secrets.ts';
import { createKeyHasher } from '../adapters/node/hmac-key-hasher.ts';
import { FairScheduler, systemClock } from '../adapters/node/process-time.ts';
import { withStoredKeys } from '../adapters/provider-settings.ts';
import {
  logApproval,
  logAudit,
  logError,
  logFailedExchange,
  logFinishedRequest,
} from '../adapters/telemetry/json-log.ts';
import type { Settings } from '../contract/index.ts';
import { LiveCredentials } from '../control/credentials/index.ts';
import { LiveDocument } from '../control/documents/index.ts';
import { FederatedTokens } from '../control/federation/index.ts';
import { ImportedSecrets, KeyCache, KeyUses } from '../control/keys/index.ts';
import { LiveTeams } from '../control/teams/index.ts';
import type { TextInspector } from '../inspection/index.ts';
import type { App } from '../kernel/http/index.ts';
import type { ReplayEngine } from '../replay/index.ts';
import { type CircuitBreaker, McpServers, ModelCatalog } from '../translation/index.ts';
import type { AdminDeps, UpstreamConfig } from './admin-deps.ts';
import { createAdminApp } from './app.ts';
import { type AdminSettings, oidcSettings } from './env.ts';
import { Sessions, singleSignOn } from './sign-in.ts';

/** Tables, queues and secrets of the admin API, and how its dashboard is reached. */
export interface AdminConfig {
  readonly tables: TablesOf<'admin-api'>;
  readonly auditRetentionDays: number;
  readonly deliveriesQueueUrl: string;
  readonly pepper: () => Promise<string>;
  /** The key that seals endpoint secrets and dashboard sessions. */
  readonly sealingKey: () => Promise<string>;
  /** The key that seals stored credentials. */
  readonly credentialsKey: () => Promise<string>;
  /** Whether browsers only use https. */
  readonly isSecure: boolean;
  readonly settings: AdminSettings;
  /** The gateway's providers; routes and prices are in `settings`. */
  readonly upstream: Pick<UpstreamConfig, 'settings' | 'echo' | 'bedrock' | 'signsBedrock'>;
  /** Whether this process has AWS credentials, for identity tokens. */
  readonly hasAwsIdentity: boolean;
  /** The gateway's circuits, if it is in this process and is the only one with these tables. */
  readonly breaker?: CircuitBreaker | undefined;
  /** Where the deployment runs. */
  readonly deployment: Pick<Settings, 'stage' | 'stores' | 'onlyThroughDistribution'>;
  /** The client secret at the identity provider. */
  readonly oidcSecret?: (() => Promise<string>) | undefined;
  /** Whether endpoints may be on the local machine. */
  readonly allowLoopbackWebhooks: boolean;
  /** The inspector for replays and the playground; created on first use if absent. */
  readonly inspector?: TextInspector;
}

/** The admin API on AWS, or on services with the same APIs. */
export function composeAdmin(config: AdminConfig): App {
  const dynamo = createDynamoClient();
  const records = new DynamoRecordReader(dynamo, config.tables.records, systemClock, config.settings.recordShards);
  const aggregates = new DynamoAggregates(dynamo, config.tables.aggregates, systemClock);
  const engine = () => loadEngine(config.inspector);
  const stores = composeStores(config, dynamo);
  const upstream = composeUpstream(config, stores, dynamo);
  const access = composeAccess(config, dynamo, stores);
  return createAdminApp(
    {
      ...access,
      ...stores,
      ...composeWebhooks(config, dynamo),
      records,
      aggregates,
      upstream,
      mcp: mcpServersWith(upstream),
      mcpTests: new McpTests({ credentialsKey: config.credentialsKey, keys: access.keys, clock: systemClock }),
      deployment: describeDeployment(config),
      engine,
      clock: systemClock,
      singleSignOn: singleSignOn(
        oidcSettings(config.settings),
        config.oidcSecret,
        config.sealingKey,
        config.isSecure,
        systemClock,
      ),
      onAudited: logAudit,
      onApprovalDecided: logApproval,
    },
    {
      ...access,
      toolPins: stores.toolPins,
      approvals: stores.approvals,
      policies: stores.policies,
      override: stores.override,
      records,
      aggregates,
      engine,
      clock: systemClock,
    },
    { monotonic: systemClock.monotonic, onError: logError, onAnswered: logFinishedRequest },
  );
}

/** Administrators are few, so their keys are read every time: a revoked one ends at once. */
const AT_ONCE = { freshMs: 0, staleMs: 0 };

function composeAccess(config: AdminConfig, dynamo: DynamoClient, stores: ReturnType<typeof composeStores>) {
  const keys = new DynamoKeyStore(dynamo, config.tables.keys);
  const importedSecrets = new DynamoDocumentStore(dynamo, config.tables.keys, IMPORTED_SECRETS_DOCUMENT);
  const hasher = createKeyHasher(config.pepper);
  const teams = new DynamoDocumentStore(dynamo, config.tables.policies, TEAMS_DOCUMENT);
  const known = { settings: async () => (await teams.current()).settings, renew: async () => {} };
  const authenticator = {
    keys: new KeyCache(keys, systemClock, AT_ONCE),
    hasher,
    uses: new KeyUses(keys, systemClock),
    teams: new LiveTeams(known, systemClock),
    clock: systemClock,
    identities: createIdentities({
      document: stores.identity,
      policy: { settings: async () => (await stores.policies.current()).settings },
      teams: known,
      store: stores.identities,
      hasher,
      allowLoopback: config.allowLoopbackWebhooks,
      inBackground: () => {},
      ages: AT_ONCE,
    }),
    imported: new ImportedSecrets({
      document: new LiveDocument(importedSecrets, systemClock),
      hasher,
      clock: systemClock,
    }),
  };
  const sealer = createSecretSealer(config.sealingKey, 'svc dashboard session');
  return {
    authenticator,
    hasher,
    keys,
    importedSecrets,
    teams,
    sessions: new Sessions(sealer, systemClock, config.isSecure),
  };
}

function composeStores(config: AdminConfig, dynamo: DynamoClient) {
  const approvals = new DynamoApprovalStore(dynamo, config.tables.approvals, systemClock);
  const limitClients = { client: dynamo, settling: createDynamoClient({ retries: BACKGROUND_ONCE }) };
  return {
    audit: new DynamoAuditLog(dynamo, config.tables.audit, config.auditRetentionDays),
    policies: new DynamoDocumentStore(dynamo, config.tables.policies, POLICY_DOCUMENT),
    routes: new DynamoDocumentStore(dynamo, config.tables.policies, routesDocument(config.settings.routes)),
    credentials: new DynamoDocumentStore(dynamo, config.tables.policies, CREDENTIALS_DOCUMENT),
    credentialUses: new DynamoCredentialUses(dynamo, config.tables.policies),
    valueSealer: createSecretSealer(config.credentialsKey, 'svc credential'),
    outsideSecret: (arn: string) => new RenewableSecret(arn),
    exchange: federatedExchange(config.hasAwsIdentity),
    hasAwsIdentity: config.hasAwsIdentity,
    providers: new DynamoDocumentStore(dynamo, config.tables.policies, PROVIDERS_DOCUMENT),
    mcpServers: new DynamoDocumentStore(dynamo, config.tables.policies, MCP_SERVERS_DOCUMENT),
    override: new DynamoDocumentStore(dynamo, config.tables.policies, OVERRIDE_DOCUMENT),
    prices: new DynamoDocumentStore(dynamo, config.tables.policies, pricesDocument(config.settings.modelPrices)),
    identity: new DynamoDocumentStore(
      dynamo,
      config.tables.policies,
      identityDocument(config.settings.identity.issuers),
    ),
    alerts: new DynamoDocumentStore(dynamo, config.tables.policies, ALERTS_DOCUMENT),
    alertStates: new DynamoStateStore(dynamo, config.tables.policies, ALERT_STATES),
    approvedDefinitions: new DynamoStateStore(dynamo, config.tables.policies, APPROVED_DEFINITIONS),
    shownTools: new DynamoStateStore(dynamo, config.tables.policies, SHOWN_TOOLS),
    views: new DynamoStateStore(dynamo, config.tables.policies, SAVED_VIEWS),
    identities: new DynamoIdentityStore(dynamo, config.tables.keys, systemClock),
    approvals,
    approvalSecrets: createApprovalSecrets(config.pepper),
    // Nothing is written here: the gateway decides the retention of captures.
    captures: new DynamoCaptureStore(dynamo, config.tables.captures, systemClock, 0),
    endUserStores: [
      approvals,
      new DynamoIdempotencyStore(dynamo, config.tables.idempotency),
      new DynamoEndUserData(dynamo, config.tables, systemClock, config.settings.recordShards),
      new DynamoDeliveredEndUsers(dynamo, config.tables.deliveries),
      new DynamoIdentityStore(dynamo, config.tables.keys, systemClock),
    ],
    limits: new DynamoLimitStore(limitClients, config.tables.limits, systemClock),
    toolPins: new DynamoToolPinStore(dynamo, config.tables.limits),
  };
}

interface WithKeys {
  /** The stored keys that this process has used. */
  readonly usedKeys: ReadonlySet<string>;
}

function composeUpstream(
  { settings, upstream, breaker, tables, allowLoopbackWebhooks }: AdminConfig,
  { credentials, credentialUses: uses, valueSealer: sealer, outsideSecret, exchange }: ReturnType<typeof composeStores>,
  dynamo: DynamoClient,
): UpstreamConfig & WithKeys {
  // Administrators see their changes at once.
  const document = { settings: async () => (await credentials.current()).settings, renew: async () => {} };
  const ignore = () => {};
  const tokens = new FederatedTokens({
    exchange,
    clock: systemClock,
    random: Math.random,
    // The response that waits for the last one is sent later: a lost renewal is made again.
    inBackground: ignore,
    onFailure: logFailedExchange,
  });
  const shared = { sealer, outsideSecret, tokens, uses, clock: systemClock };
  const usedKeys = new Set<string>();
  const events = { onValue: (key: string) => usedKeys.add(key), onExpired: ignore, onRefused: ignore };
  const stored = new LiveCredentials({ document, ...shared, ...events });
  const circuits = new DynamoOpenCircuits(dynamo, tables.limits, systemClock);
  return {
    ...upstream,
    usedKeys,
    circuits: async () => breaker?.list() ?? (await circuits.list()).map(viewOfOpen),
    settings: withStoredKeys(upstream.settings, stored),
    liveCredentials: stored,
    resolveKey: (setting) => stored.resolve(setting),
    sharedCredentials: () => stored.byProvider(),
    routes: settings.routes,
    prices: settings.modelPrices,
    connections: async () => {
      const { providerConnections } = await import('../adapters/provider-connections.ts');
      return providerConnections((value) => stored.boundOf(value), allowLoopbackWebhooks);
    },
  };
}

/** All that an operation waits for a server and its access token: with the stores, less than the admin function's 30 s. */
const MCP_LIST_MS = 12_000;
const MCP_TIMEOUT_MS = 8_000;

/** Current lists of tools: an administrator sees no list from before. */
function mcpServersWith({
  connections,
  liveCredentials: stored,
  usedKeys,
}: UpstreamConfig & WithKeys): AdminDeps['mcp'] {
  return async () => {
    const [{ publicHttp }, { ProviderKeys }] = await Promise.all([connections(), import('../inspection/index.ts')]);
    return new McpServers({
      http: publicHttp,
      settings: async () => ({ servers: [] }),
      ...mcpTokens({ stored, http: publicHttp, inBackground: () => {}, explains: true }),
      clock: systemClock,
      scheduler: new FairScheduler(),
      keys: () => (usedKeys.size === 0 ? undefined : new ProviderKeys(usedKeys)),
      timeoutMs: MCP_TIMEOUT_MS,
      listMs: MCP_LIST_MS,
    });
  };
}

/** A circuit that another process has opened. */
function viewOfOpen({ openUntil, ...circuit }: OpenCircuit) {
  const isOpen = openUntil > systemClock.now();
  return {
    ...circuit,
    state: isOpen ? ('open' as const) : ('half_open' as const),
    openUntil: isOpen ? new Date(openUntil).toISOString() : null,
  };
}

function describeDeployment(config: AdminConfig): Omit<Settings, 'object'> {
  const { settings, upstream, deployment, auditRetentionDays } = config;
  const { recordDays, captureDays, aggregateDays, deliveryDays, modelPrices, corsOrigins } = settings;
  return {
    ...deployment,
    version: packageJson.version,
    region: process.env.AWS_REGION ?? null,
    retentionDays: {
      records: recordDays,
      captures: captureDays,
      aggregates: aggregateDays,
      deliveries: deliveryDays,
      audit: auditRetentionDays,
    },
    defaultMaxConcurrent: settings.defaultMaxConcurrent,
    singleSignOn: settings.oidcIssuer === undefined ? null : settings.oidcLabel,
    corsOrigins,
    echo: upstream.echo,
    prices: { date: new ModelCatalog().date, own: Object.keys(modelPrices).length },
  };
}

function composeWebhooks(config: AdminConfig, dynamo: DynamoClient) {
  const sealer = createSecretSealer(config.sealingKey);
  return {
    webhooks: new DynamoWebhookStore(dynamo, config.tables.webhooks, sealer, systemClock),
    endpointUrls: { allowLoopback: config.allowLoopbackWebhooks },
    alertTopicArns: config.settings.alertTopicArns,
    // None is created here: the delivery function decides their retention.
    deliveries: new DynamoDeliveryStore(
      dynamo,
      config.tables.deliveries,
      systemClock,
      0,
      config.settings.webhookShards,
    ),
    // None is taken here.
    turns: new DynamoEndpointTurns(dynamo, config.tables.deliveries, systemClock, 0),
    waker: new SqsEndpointWaker(createSqsClient(), config.deliveriesQueueUrl),
  };
}

/** The rules are loaded when needed: few routes use them. */
async function loadEngine(inspector: TextInspector | undefined): Promise<ReplayEngine> {
  const { replayEngine } = await import('./replay-engine.ts');
  return replayEngine(inspector);
}
