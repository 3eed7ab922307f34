import { setTimeout } from 'node:timers/promises';
import packageJson from '../../package.json' with { type: 'json' };
import {
  BACKGROUND_ONCE,
  BACKGROUND_RETRIES,
  createDynamoClient,
  createSqsClient,
  TRY_ONCE,
} from '../adapters/aws/clients.ts';
import { createSecretSealer } from '../adapters/aws/secret-sealer.ts';
import { RenewableSecret } from '../adapters/aws/secrets-manager.ts';
import { SqsEventPublisher } from '../adapters/aws/sqs-queues.ts';
import { BinaryDocumentReader } from '../adapters/documents/document-reader.ts';
import { BatchedReads } from '../adapters/dynamo/batched-reads.ts';
import { DynamoApprovalStore } from '../adapters/dynamo/dynamo-approval-store.ts';
import { DynamoBatchStore } from '../adapters/dynamo/dynamo-batch-store.ts';
import { DynamoCancellationStore } from '../adapters/dynamo/dynamo-cancellation-store.ts';
import { DynamoCredentialUses } from '../adapters/dynamo/dynamo-credential-uses.ts';
import {
  CREDENTIALS_DOCUMENT,
  type DocumentKind,
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
import { DynamoIdempotencyStore } from '../adapters/dynamo/dynamo-idempotency-store.ts';
import { DynamoIdentityStore } from '../adapters/dynamo/dynamo-identity-store.ts';
import { DynamoIssuedIds } from '../adapters/dynamo/dynamo-issued-ids.ts';
import { DynamoItemStore } from '../adapters/dynamo/dynamo-item-store.ts';
import { DynamoKeyStore } from '../adapters/dynamo/dynamo-key-store.ts';
import { DynamoLimitStore } from '../adapters/dynamo/dynamo-limit-store.ts';
import { DynamoOpenCircuits } from '../adapters/dynamo/dynamo-open-circuits.ts';
import {
  DynamoCaptureStore,
  DynamoRequestRecords,
  type RecordSettings,
} from '../adapters/dynamo/dynamo-request-records.ts';
import { DynamoSessionStore } from '../adapters/dynamo/dynamo-session-store.ts';
import { DynamoToolPinStore } from '../adapters/dynamo/dynamo-tool-pin-store.ts';
import type { TablesOf } from '../adapters/dynamo/tables.ts';
import { federatedExchange } from '../adapters/federation.ts';
import { createIdentities } from '../adapters/identities.ts';
import { McpTests, withMcpTests } from '../adapters/mcp-tests.ts';
import { mcpTokens } from '../adapters/mcp-tokens.ts';
import { createApprovalSecrets } from '../adapters/node/approval-secrets.ts';
import { createKeyHasher } from '../adapters/node/hmac-key-hasher.ts';
import { FairScheduler, systemClock } from '../adapters/node/process-time.ts';
import { providerConnections } from '../adapters/provider-connections.ts';
import { rememberKeys, withStoredKeys } from '../adapters/provider-settings.ts';
import {
  jsonLimitAlarm,
  logApproval,
  logError,
  logFailedExchange,
  logFinishedRequest,
  logLostResponse,
  logRefusedCredential,
  staleConfigurationLog,
} from '../adapters/telemetry/json-log.ts';
import { Approvals } from '../control/approvals/index.ts';
import { LiveCredentials, referenceTo } from '../control/credentials/index.ts';
import { type DocumentStore, LiveDocument } from '../control/documents/index.ts';
import { FederatedTokens } from '../control/federation/index.ts';
import { IdempotentResponses } from '../control/idempotency/index.ts';
import { type Authenticator, ImportedSecrets, KeyCache, KeyUses } from '../control/keys/index.ts';
import { CallTotals, LayeredAdmission, SharedAdmission } from '../control/limits/index.ts';
import { LiveOverride } from '../control/override/index.ts';
import { ResponseCache, StoredItems } from '../control/stored-items/index.ts';
import { LiveTeams } from '../control/teams/index.ts';
import { ToolPins } from '../control/tool-pins/index.ts';
import { FindingCache, ProviderKeys, type TextInspector } from '../inspection/index.ts';
import type { PricesDocument, RouteEntry, RoutesDocument } from '../kernel/configuration/index.ts';
import { type App, createApp } from '../kernel/http/index.ts';
import type { BackgroundTasks } from '../kernel/tasks/index.ts';
import {
  type BatchDeps,
  type CredentialSource,
  RefusalNotices,
  RunningStreams,
  ToolNotices,
} from '../pipeline/index.ts';
import {
  CircuitBreaker,
  DEFAULT_ROUTES,
  LiveProviders,
  McpServers,
  ModelCatalog,
  ModelList,
  ModelRouter,
  type ProviderSettings,
} from '../translation/index.ts';
import { ArrivingBodies } from './arriving-bodies.ts';
import type { GatewaySettings } from './env.ts';
import { KEEPALIVE_MS } from './event-stream.ts';
import type { IdempotentRouteDeps } from './idempotent-response.ts';
import { createOutsideDetectors } from './providers.ts';
import { errorsOfUnknownPath, gatewayRoutes, reasonForNoRoute } from './routes.ts';
import { requestLog, sampler, type TelemetryConfig } from './telemetry.ts';

export interface GatewayConfig {
  readonly tables: TablesOf<'gateway'>;
  readonly settings: GatewaySettings;
  readonly records: Omit<RecordSettings, 'keptDays'>;
  readonly eventsQueueUrl: string;
  readonly pepper: () => Promise<string>;
  /** The key that seals stored credentials. */
  readonly credentialsKey: () => Promise<string>;
  readonly providerSettings: () => Promise<ProviderSettings>;
  /** Source of rotating provider settings; absent if they never change. */
  readonly credentials?: CredentialSource;
  /** Providers' base URLs, read once. */
  readonly baseUrls: ProviderSettings;
  readonly onProviderFault: (fault: Error) => void;
  readonly echo: boolean;
  /** Whether providers of the admin API may be on this machine; not if absent. */
  readonly allowLoopback?: boolean;
  /** Whether this process may call Amazon Bedrock with its AWS credentials. */
  readonly bedrock?: boolean;
  /** Whether this process has AWS credentials, for identity tokens; not if absent. */
  readonly hasAwsIdentity?: boolean;
  /** No other process serves the same keys: every stream to cancel runs here. */
  readonly alone: boolean;
  readonly maxBodyBytes: number;
  readonly inspector: TextInspector;
  /** Must be awaited before the process stops or is frozen. */
  readonly backgroundTasks: BackgroundTasks;
  readonly telemetry: TelemetryConfig;
  /** Shared with the admin API of the local run; a new one if absent. */
  readonly breaker?: CircuitBreaker;
  /** Helper processes of the local run, for `GET /readyz`. */
  readonly processStates?: () => Readonly<Record<string, 'ok' | 'unavailable'>>;
}

/** With the age of a cached key, a request whose key is revoked ends within 30 s. */
const KEY_CHECK_MS = 10_000;
/** No request can run longer: its function would have ended. */
const LONGEST_RUN_MS = 15 * 60_000;

/** The gateway on AWS, or on services with the same APIs. */
export function composeGateway(config: GatewayConfig): App {
  const { settings, alone } = config;
  const stores = createStores(config);
  const documents = liveDocuments(stores);
  const upstream = createUpstream(config, stores, documents);
  const deps = createPipelineDeps(config, stores, documents, upstream);
  const cancellations = alone ? undefined : stores.cancellations;
  const routes = gatewayRoutes({
    ...deps,
    toolNotices: new ToolNotices(),
    mcp: new McpServers({
      http: upstream.publicHttp,
      settings: () => documents.mcpServers.settings(),
      ...mcpTokens({
        stored: upstream.stored,
        http: upstream.publicHttp,
        inBackground: (exchange) => config.backgroundTasks.add(exchange),
        explains: false,
      }),
      clock: systemClock,
      scheduler: deps.scheduler,
      keys: upstream.keys,
      timeoutMs: settings.providerTimeoutMs,
    }),
    keepaliveMs: KEEPALIVE_MS,
    maxRequestMs: settings.maxRequestMs,
    keyCheckMs: KEY_CHECK_MS,
    runningStreams: new RunningStreams({ ...deps, store: cancellations }),
    modelList: new ModelList({ ...deps, routes: upstream.routes, settings: upstream.settings }),
    version: packageJson.version,
    identity: documents.identity,
    processStates: config.processStates,
    storeChecks: {
      keys: () => stores.keys.get('readiness'),
      limits: () => stores.limits.check(),
      events: () => stores.events.check(),
    },
  });
  return createApp(routes, {
    monotonic: systemClock.monotonic,
    onError: logError,
    onAnswered: logFinishedRequest,
    errorsOf: errorsOfUnknownPath,
    reasonFor: reasonForNoRoute,
    keepsTrace: sampler(settings, Math.random),
  });
}

/** The prices in force: a price that becomes valid later makes another catalog then. */
function pricesOf(document: LiveDocument<PricesDocument>): () => Promise<ModelCatalog> {
  let known: { readonly document: PricesDocument; readonly models: ModelCatalog } | undefined;
  return async () => {
    const current = await document.settings();
    const now = systemClock.now();
    if (known?.document !== current || now >= known.models.changesAt) {
      known = { document: current, models: new ModelCatalog(current.prices, now) };
    }
    return known.models;
  };
}

type Stores = ReturnType<typeof createStores>;
type Documents = ReturnType<typeof liveDocuments>;

/** The configuration that the admin API stores, as this process knows it. */
function liveDocuments(stores: Stores) {
  const { policies, override, routes, providers, credentials, prices, identity, teams, mcpServers, importedSecrets } =
    stores;
  const onStale = staleConfigurationLog(systemClock);
  const live = <Content>(store: DocumentStore<Content>) => new LiveDocument(store, systemClock, onStale);
  return {
    policy: live(policies),
    override: live(override),
    routes: live(routes),
    providers: live(providers),
    credentials: live(credentials),
    prices: live(prices),
    identity: live(identity),
    teams: live(teams),
    mcpServers: live(mcpServers),
    importedSecrets: live(importedSecrets),
  };
}

/** The providers with their keys and the routes in force, which a request reads together. */
function createUpstream(config: GatewayConfig, stores: Stores, documents: Documents) {
  const { baseUrls, echo, bedrock = false, onProviderFault: onFault } = config;
  const document = documents.providers;
  const namedBy = async (provider: string) =>
    (await document.settings()).providers.find(({ name }) => name === provider)?.credentialId;
  const { stored, settings, keys } = createKeys(config, stores, documents, namedBy);
  const timeoutMs = config.settings.providerTimeoutMs;
  const connections = providerConnections((value) => stored.boundOf(value), config.allowLoopback);
  const resolveKey = (setting: string) => stored.resolve(setting);
  const credential = ({ credentialId }: { readonly credentialId: string }) => resolveKey(referenceTo(credentialId));
  const providers = new LiveProviders(
    { ...connections, settings, resolveKey, credential, baseUrls, echo, bedrock, timeoutMs, onFault },
    () => document.settings(),
  );
  const routes = routesOf(documents, providers);
  return { ...connections, stored, settings, resolveKey, keys, providers, routes };
}

/** Keys of providers: stored credentials, and those of the settings. `keys`: all that were ever used. */
function createKeys(
  { credentialsKey, providerSettings, hasAwsIdentity = false, backgroundTasks }: GatewayConfig,
  stores: Stores,
  documents: Documents,
  namedBy: (provider: string) => Promise<string | undefined>,
) {
  const remembered = rememberKeys(providerSettings, (keys) => new ProviderKeys(keys));
  const stored = new LiveCredentials({
    document: documents.credentials,
    sealer: createSecretSealer(credentialsKey, 'svc credential'),
    outsideSecret: (arn) => new RenewableSecret(arn),
    tokens: new FederatedTokens({
      exchange: federatedExchange(hasAwsIdentity),
      clock: systemClock,
      random: Math.random,
      inBackground: (exchange) => backgroundTasks.add(exchange),
      onFailure: logFailedExchange,
    }),
    uses: stores.credentialUses,
    clock: systemClock,
    namedBy,
    onValue: remembered.add,
    onExpired: remembered.remove,
    onRefused: logRefusedCredential,
  });
  return { stored, settings: withStoredKeys(remembered.settings, stored), keys: remembered.keys };
}

/** The routes in force: the deployment's, those to providers that name their models, and the standard ones. */
function routesOf(
  { routes: document, credentials }: Pick<Documents, 'routes' | 'credentials'>,
  providers: LiveProviders,
): () => Promise<readonly RouteEntry[]> {
  let known: readonly [RoutesDocument, readonly RouteEntry[]] | undefined;
  let all: readonly RouteEntry[] = [];
  return async () => {
    // The call of a provider needs them, and they come in the same read.
    credentials.current().catch(() => {});
    const [current, ofProviders] = await Promise.all([document.settings(), providers.refresh()]);
    if (known?.[0] !== current || known[1] !== ofProviders) {
      known = [current, ofProviders];
      all = [...current.routes, ...ofProviders, ...DEFAULT_ROUTES];
    }
    return all;
  };
}

function createStores({ tables, settings, records, eventsQueueUrl }: GatewayConfig) {
  const dynamo = createDynamoClient();
  const settling = createDynamoClient({ retries: BACKGROUND_ONCE });
  const recordClients = {
    together: createDynamoClient({ retries: TRY_ONCE }),
    alone: createDynamoClient({ retries: BACKGROUND_RETRIES }),
  };
  const { recordDays: keptDays, recordShards: shards, compactRecords, sessionIdleMinutes, captureDays } = settings;
  const form = compactRecords ? 'compact' : 'whole';
  const idleMs = sessionIdleMinutes * 60_000;
  const reads = new BatchedReads(dynamo, tables.policies);
  const document = <Content>(kind: DocumentKind<Content>) =>
    new DynamoDocumentStore(dynamo, tables.policies, kind, reads);
  return {
    keys: new DynamoKeyStore(dynamo, tables.keys),
    importedSecrets: new DynamoDocumentStore(dynamo, tables.keys, IMPORTED_SECRETS_DOCUMENT),
    policies: document(POLICY_DOCUMENT),
    credentials: document(CREDENTIALS_DOCUMENT),
    credentialUses: new DynamoCredentialUses(dynamo, tables.policies),
    routes: document(routesDocument(settings.routes)),
    providers: document(PROVIDERS_DOCUMENT),
    override: document(OVERRIDE_DOCUMENT),
    prices: document(pricesDocument(settings.modelPrices)),
    identity: document(identityDocument(settings.identity.issuers)),
    identities: new DynamoIdentityStore(dynamo, tables.keys, systemClock),
    teams: document(TEAMS_DOCUMENT),
    mcpServers: document(MCP_SERVERS_DOCUMENT),
    limits: new DynamoLimitStore({ client: dynamo, settling }, tables.limits, systemClock),
    idempotency: new DynamoIdempotencyStore(dynamo, tables.idempotency),
    cancellations: new DynamoCancellationStore(dynamo, tables.idempotency),
    records: new DynamoRequestRecords(recordClients, tables.records, { ...records, keptDays, form, shards }),
    captures: new DynamoCaptureStore(dynamo, tables.captures, systemClock, captureDays),
    sessions: new DynamoSessionStore(dynamo, tables.sessions, systemClock, { idleMs }),
    issuedIds: new DynamoIssuedIds(dynamo, tables.sessions),
    approvals: new DynamoApprovalStore(dynamo, tables.approvals, systemClock),
    items: new DynamoItemStore(dynamo, tables.idempotency),
    batches: new DynamoBatchStore(dynamo, tables.approvals, systemClock),
    toolPins: new DynamoToolPinStore(dynamo, tables.limits),
    circuits: new DynamoOpenCircuits(dynamo, tables.limits, systemClock),
    events: new SqsEventPublisher(createSqsClient(), eventsQueueUrl),
  };
}

function createAuthenticator(
  { pepper, credentialsKey, allowLoopback = false, backgroundTasks }: GatewayConfig,
  { keys, identities: store }: Stores,
  { identity: document, policy, teams, importedSecrets }: Documents,
): Authenticator {
  const hasher = createKeyHasher(pepper);
  const inBackground = (reading: Promise<void>) => backgroundTasks.add(reading);
  return {
    keys: new KeyCache(keys, systemClock),
    hasher,
    uses: new KeyUses(keys, systemClock),
    teams: new LiveTeams(teams, systemClock),
    clock: systemClock,
    identities: withMcpTests(
      new McpTests({ credentialsKey, keys, clock: systemClock }),
      createIdentities({ document, policy, teams, store, hasher, allowLoopback, inBackground }),
    ),
    imported: new ImportedSecrets({ document: importedSecrets, hasher, clock: systemClock }),
  };
}

function createPipelineDeps(
  config: GatewayConfig,
  stores: Stores,
  documents: Documents,
  upstream: ReturnType<typeof createUpstream>,
): IdempotentRouteDeps & BatchDeps {
  const { settings, baseUrls, backgroundTasks, inspector, credentials } = config;
  const { providers, routes } = upstream;
  const { limits, idempotency, records, captures, sessions, issuedIds, items, batches, approvals } = stores;
  const models = pricesOf(documents.prices);
  const random = Math.random;
  const breaker = config.breaker ?? new CircuitBreaker(systemClock);
  breaker.share(stores.circuits);
  const onUnsettled = (keyId: string, error: unknown) =>
    jsonLimitAlarm.unsettled(keyId, error instanceof Error ? error.message : typeof error);
  const limiter = new SharedAdmission(limits, systemClock, { onUnsettled });
  const scheduler = new FairScheduler();
  const outsideOptions = { ...upstream, baseUrls, models, limiter, backgroundTasks };
  return {
    authenticator: createAuthenticator(config, stores, documents),
    defaultPolicy: documents.policy,
    override: new LiveOverride(documents.override, systemClock),
    arriving: new ArrivingBodies(systemClock),
    idempotentResponses: new IdempotentResponses(idempotency, systemClock, scheduler, LONGEST_RUN_MS),
    onResponseLost: logLostResponse,
    limiter: new LayeredAdmission(limiter, backgroundTasks),
    callTotals: new CallTotals(limits, onUnsettled),
    models,
    alarm: jsonLimitAlarm,
    refusals: new RefusalNotices(),
    backgroundTasks,
    inspector,
    knownTexts: new FindingCache(inspector),
    documents: new BinaryDocumentReader(),
    outside: createOutsideDetectors(settings, outsideOptions),
    providers,
    router: new ModelRouter({ routes, providers, random, clock: systemClock }),
    breaker,
    ...(credentials && { credentials }),
    storedCredentials: upstream.stored,
    targetIdentity: async (provider, key) =>
      JSON.stringify([await providers.identityOf(provider), await upstream.stored.accountOf(provider, key)]),
    providerKeys: upstream.keys,
    random,
    sleep: (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal }).catch(() => {}),
    log: requestLog(settings, config.telemetry, backgroundTasks),
    propagatesTraces: settings.tracePropagation === 'providers',
    ...{ records, captures, sessions, issuedIds },
    digestKeys: createKeyHasher(config.pepper),
    foreignIds: settings.foreignIds,
    approvals: new Approvals({
      store: approvals,
      secrets: createApprovalSecrets(config.pepper),
      clock: systemClock,
      onChanged: logApproval,
    }),
    storedItems: new StoredItems(items, systemClock, scheduler),
    batches,
    responseCache: new ResponseCache(items, systemClock, scheduler, packageJson.version),
    toolPins: new ToolPins(stores.toolPins, systemClock, backgroundTasks),
    clock: systemClock,
    scheduler,
    inspectionCpuMs: settings.inspectionCpuMs,
    maxBodyBytes: config.maxBodyBytes,
  };
}
