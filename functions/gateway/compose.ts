import { setTimeout } from 'node:timers/promises';
import packageJson from '../../package.json' with { type: 'json' };
import {
  BACKGROUND_ONCE,
  BACKGROUND_RETRIES,
  createDynamoClient,
  createSqsClient,
  TRY_ONCE,
} from '../adapters/aws/clients.ts';
import { SqsEventPublisher } from '../adapters/aws/sqs-queues.ts';
import { DynamoCancellationStore } from '../adapters/dynamo/dynamo-cancellation-store.ts';
import { DynamoIdempotencyStore } from '../adapters/dynamo/dynamo-idempotency-store.ts';
import { DynamoIssuedIds } from '../adapters/dynamo/dynamo-issued-ids.ts';
import { DynamoKeyStore } from '../adapters/dynamo/dynamo-key-store.ts';
import { DynamoLimitStore } from '../adapters/dynamo/dynamo-limit-store.ts';
import { DynamoPolicyStore } from '../adapters/dynamo/dynamo-policy-store.ts';
import {
  DynamoCaptureStore,
  DynamoRequestRecords,
  type RecordSettings,
} from '../adapters/dynamo/dynamo-request-records.ts';
import { DynamoSessionStore } from '../adapters/dynamo/dynamo-session-store.ts';
import type { TablesOf } from '../adapters/dynamo/tables.ts';
import { createKeyHasher } from '../adapters/node/hmac-key-hasher.ts';
import { FairScheduler, systemClock } from '../adapters/node/process-time.ts';
import { PdfReader } from '../adapters/pdf/pdf-reader.ts';
import { jsonLimitAlarm, logAnswered, logError, logLostResponse } from '../adapters/telemetry/json-log.ts';
import type { BackgroundTasks } from '../core/base/background-tasks.ts';
import { type App, createApp } from '../core/http/router.ts';
import { IdempotentAnswers } from '../core/idempotency/idempotent-answers.ts';
import type { Inspector } from '../core/inspect/inspector.ts';
import { KnownTexts } from '../core/inspect/known-texts.ts';
import { KeyCache, KeyUses } from '../core/keys/key-cache.ts';
import { SharedAdmission } from '../core/limits/shared-admission.ts';
import { TagBudgetAdmission } from '../core/limits/tag-budget-admission.ts';
import { RefusalNotices } from '../core/pipeline/request-events.ts';
import { RunningStreams } from '../core/pipeline/running-streams.ts';
import { DefaultPolicy } from '../core/policy/effective-policy.ts';
import { CircuitBreaker } from '../core/routing/circuit-breaker.ts';
import { ModelCatalog } from '../core/routing/model-catalog.ts';
import type { CredentialSource } from '../core/routing/provider.ts';
import { DEFAULT_ROUTES } from '../core/routing/route-model.ts';
import type { GatewaySettings } from './env.ts';
import { KEEPALIVE_MS } from './event-stream.ts';
import type { IdempotentRouteDeps } from './idempotent-response.ts';
import { availableProviders, createOutsideDetectors, createProviders, type ProviderSettings } from './providers.ts';
import { gatewayRoutes } from './routes.ts';
import { requestLog, sampler, type TelemetryConfig } from './telemetry.ts';

export interface GatewayConfig {
  readonly tables: TablesOf<'gateway'>;
  readonly settings: GatewaySettings;
  readonly records: Omit<RecordSettings, 'keptDays'>;
  readonly eventsQueueUrl: string;
  readonly pepper: () => Promise<string>;
  readonly providerSettings: () => Promise<ProviderSettings>;
  /** Where those stand; absent where they never change. */
  readonly credentials?: CredentialSource;
  /** Providers' addresses, read once. */
  readonly baseUrls: ProviderSettings;
  readonly echo: boolean;
  /** Whether AWS's credentials of this process may call Amazon Bedrock. */
  readonly bedrock?: boolean;
  /** No other process serves the same keys: none need be asked to end a stream. */
  readonly alone: boolean;
  readonly maxBodyBytes: number;
  readonly inspector: Inspector;
  /** Work that goes on behind an answer: to be awaited before the process stops or is frozen. */
  readonly backgroundTasks: BackgroundTasks;
  readonly telemetry: TelemetryConfig;
}

/** After so long no request can be running: its function is gone. */
const LONGEST_RUN_MS = 15 * 60_000;

/** The gateway over AWS, or over whatever speaks its protocols. */
export function composeGateway(config: GatewayConfig): App {
  const { settings } = config;
  const events = new SqsEventPublisher(createSqsClient(), config.eventsQueueUrl);
  const dynamo = createDynamoClient();
  const keys = new DynamoKeyStore(dynamo, config.tables.keys);
  const providers = createProviders({
    settings: config.providerSettings,
    baseUrls: config.baseUrls,
    echo: config.echo,
    bedrock: config.bedrock ?? false,
    timeoutMs: settings.providerTimeoutMs,
  });
  const settling = createDynamoClient({ retries: BACKGROUND_ONCE });
  const limits = new DynamoLimitStore({ client: dynamo, settling }, config.tables.limits, systemClock);
  const recordClients = {
    together: createDynamoClient({ retries: TRY_ONCE }),
    alone: createDynamoClient({ retries: BACKGROUND_RETRIES }),
  };
  const idempotency = new DynamoIdempotencyStore(dynamo, config.tables.idempotency);
  const pipelineDeps: IdempotentRouteDeps = {
    authenticator: {
      keys: new KeyCache(keys, systemClock),
      hasher: createKeyHasher(config.pepper),
      uses: new KeyUses(keys, systemClock),
      clock: systemClock,
    },
    defaultPolicy: new DefaultPolicy(new DynamoPolicyStore(dynamo, config.tables.policies), systemClock),
    idempotentAnswers: new IdempotentAnswers(idempotency, systemClock, LONGEST_RUN_MS),
    onResponseLost: logLostResponse,
    limiter: new TagBudgetAdmission(
      new SharedAdmission(limits, systemClock, {
        onUnsettled: (keyId, error) =>
          jsonLimitAlarm.unsettled(keyId, error instanceof Error ? error.message : typeof error),
      }),
      config.backgroundTasks,
    ),
    models: new ModelCatalog(settings.modelPrices),
    alarm: jsonLimitAlarm,
    refusals: new RefusalNotices(),
    backgroundTasks: config.backgroundTasks,
    inspector: config.inspector,
    knownTexts: new KnownTexts(config.inspector),
    documents: new PdfReader(),
    outside: createOutsideDetectors(settings, {
      settings: config.providerSettings,
      baseUrls: config.baseUrls,
    }),
    providers,
    routes: [...settings.routes, ...DEFAULT_ROUTES],
    breaker: new CircuitBreaker(systemClock),
    ...(config.credentials && { credentials: config.credentials }),
    random: Math.random,
    sleep: (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal }).catch(() => {}),
    log: requestLog(settings, config.telemetry, config.backgroundTasks),
    propagatesTraces: settings.tracePropagation === 'providers',
    records: new DynamoRequestRecords(recordClients, config.tables.records, {
      ...config.records,
      keptDays: settings.recordDays,
    }),
    captures: new DynamoCaptureStore(dynamo, config.tables.captures, systemClock, settings.captureDays),
    sessions: new DynamoSessionStore(dynamo, config.tables.sessions, systemClock, {
      idleMs: settings.sessionIdleMinutes * 60_000,
    }),
    issuedIds: new DynamoIssuedIds(dynamo, config.tables.sessions),
    foreignIds: settings.foreignIds,
    clock: systemClock,
    scheduler: new FairScheduler(),
    inspectionCpuMs: settings.inspectionCpuMs,
    maxBodyBytes: config.maxBodyBytes,
  };
  const runningStreams = new RunningStreams({
    store: config.alone ? undefined : new DynamoCancellationStore(dynamo, config.tables.idempotency),
    ...pipelineDeps,
  });
  const routes = gatewayRoutes({
    ...pipelineDeps,
    keepaliveMs: KEEPALIVE_MS,
    maxRequestMs: settings.maxRequestMs,
    runningStreams,
    available: async () => availableProviders(providers, await config.providerSettings()),
    version: packageJson.version,
    storeChecks: { keys: () => keys.get('readiness'), limits: () => limits.check(), events: () => events.check() },
  });
  return createApp(routes, {
    monotonic: systemClock.monotonic,
    onError: logError,
    onAnswered: logAnswered,
    keepsTrace: sampler(settings, Math.random),
  });
}
