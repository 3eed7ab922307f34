import path from 'node:path';
import { createDynamoClient } from '../../functions/adapters/aws/clients.ts';
import { DynamoApprovalStore } from '../../functions/adapters/dynamo/dynamo-approval-store.ts';
import { createKeyHasher } from '../../functions/adapters/node/hmac-key-hasher.ts';
import { FairScheduler, systemClock } from '../../functions/adapters/node/process-time.ts';
import { logAudit } from '../../functions/adapters/telemetry/json-log.ts';
import { composeAdmin } from '../../functions/admin-api/compose.ts';
import { readWaiting } from '../../functions/control/approvals/index.ts';
import { type AuditEntry, DEFAULT_AUDIT_RETENTION_DAYS } from '../../functions/control/audit/index.ts';
import { composeGateway } from '../../functions/gateway/compose.ts';
import { createInspector } from '../../functions/inspection/index.ts';
import { type App, pathOf, withCors } from '../../functions/kernel/http/index.ts';
import { BackgroundTasks } from '../../functions/kernel/tasks/index.ts';
import { composeKeyWatch } from '../../functions/key-watch/compose.ts';
import { startHttpHost, startMetricsHost, withOwnHosts } from '../../functions/server/index.ts';
import { CircuitBreaker, describeProviders } from '../../functions/translation/index.ts';
import { FUNCTION_SETTINGS, readLocalSettings } from '../settings/function-settings.ts';
import { createAdminKey, openKeys } from './admin-key.ts';
import { runDemo, startStreams, startWebhooks } from './child-processes.ts';
import { withDashboard } from './dashboard-files.ts';
import { isDemoFilled, noteDemoFilled } from './data-folder.ts';
import { HelperProcesses } from './helper-processes.ts';
import type { LocalEnv } from './local-env.ts';
import { setUpLocalLog } from './local-log.ts';
import { openStores } from './open-stores.ts';
import type { Stores } from './stores.ts';
import { warmUp } from './warm-up.ts';

/** Relative to this file's folder, which is as deep in the sources as in dist. */
const DASHBOARD = path.resolve(import.meta.dirname, '../../dist/dashboard');
const DOCS = path.resolve(import.meta.dirname, '../../docs');
/** Records of many requests are written together; a kill loses those of this time. */
const RECORD_LINGER_MS = 25;
const SETTLED_MS = 1_000;
/** Spans of many requests are sent together. */
const SPAN_LINGER_MS = 200;
const WATCH_KEYS_EVERY_MS = 3_600_000;
const WATCH_EVERY_MS = 60_000;

export interface LocalService {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  /** Resolves when a process has ended that the service cannot run without. */
  readonly failed: Promise<void>;
  /** Running requests may continue for `graceMs`, by default as long as `SVC_DRAIN_SECONDS` allows. */
  stop(graceMs?: number): Promise<void>;
}

/** Starts stores, gateway, admin API and dashboard on one machine and prints how to use them. */
export async function startLocalService(env: LocalEnv, print: (line: string) => void): Promise<LocalService> {
  setUpLocalLog(env.SVC_LOG_LEVEL);
  const helpers = new HelperProcesses();
  const stores = await openStores(env, helpers);
  const { tables, eventsQueueUrl, deliveriesQueueUrl, pepper, sealingKey, credentialsKey, hasIdentity, alone } = stores;
  const { SVC_WEBHOOK_ALLOW_LOOPBACK: allowLoopback } = env;
  const starting = startBackground(env, stores, helpers);
  const config = { tables, eventsQueueUrl, deliveriesQueueUrl, pepper, credentialsKey };
  const { SVC_OIDC_CLIENT_SECRET: oidcSecret } = env;
  const adminSettings = readLocalSettings(FUNCTION_SETTINGS['admin-api'], env.all);
  const dashboardUrl = adminSettings.dashboardUrl ?? `http://127.0.0.1:${env.PORT}`;
  const inspector = createInspector();
  inspector.warmUp();
  const warming = env.SVC_WARM_UP ? warmUp(inspector, DOCS, new FairScheduler()) : undefined;
  const breaker = new CircuitBreaker(systemClock);
  const admin = composeAdmin({
    ...config,
    auditRetentionDays: DEFAULT_AUDIT_RETENTION_DAYS,
    sealingKey,
    settings: { ...adminSettings, dashboardUrl },
    oidcSecret: oidcSecret === undefined ? undefined : async () => oidcSecret,
    isSecure: dashboardUrl.startsWith('https:'),
    allowLoopbackWebhooks: allowLoopback,
    inspector,
    upstream: {
      settings: stores.providerSettings,
      echo: true,
      bedrock: hasIdentity,
      signsBedrock: hasIdentity,
    },
    hasAwsIdentity: hasIdentity,
    // Other processes with the same tables have their own.
    breaker: alone ? breaker : undefined,
    deployment: {
      stage: 'local',
      stores: stores.shown,
      onlyThroughDistribution: false,
      ...(env.SVC_DEMO && { demo: true }),
    },
  });
  const backgroundTasks = new BackgroundTasks();
  const gateway = composeGateway({
    ...config,
    inspector,
    settings: readLocalSettings(FUNCTION_SETTINGS.gateway, env.all),
    records: { lingerMs: RECORD_LINGER_MS, pendingIndex: stores.background === 'containers' },
    providerSettings: stores.providerSettings,
    ...(stores.credentials && { credentials: stores.credentials }),
    baseUrls: await stores.providerSettings(),
    onProviderFault: (fault) => {
      throw fault;
    },
    echo: true,
    bedrock: hasIdentity,
    hasAwsIdentity: hasIdentity,
    allowLoopback,
    alone,
    breaker,
    maxBodyBytes: env.SVC_MAX_BODY_BYTES,
    backgroundTasks,
    processStates: () => helpers.states(),
    telemetry: { otlpHeaders: async () => env.SVC_OTLP_HEADERS, lingerMs: SPAN_LINGER_MS, stage: 'local' },
  });
  const background = await starting;
  /** Local totals are up to date: finished requests are written and counted before totals are read. */
  const untilCounted = async () => {
    const late = new Promise((resolve) => setTimeout(resolve, SETTLED_MS).unref());
    // Under load tasks always run; those of earlier responses are done by then.
    await Promise.race([backgroundTasks.idle(), late]);
    await background.counted();
  };
  const names = ownNames(env);
  const api = withCors(withOwnHosts(oneApp(gateway, admin, untilCounted), names), env.SVC_CORS_ORIGINS);
  const host = await startHttpHost(await withDashboard(api, DASHBOARD), {
    port: env.PORT,
    host: env.SVC_HOST,
    maxBodyBytes: env.SVC_MAX_BODY_BYTES,
  });
  const metricsPort = env.SVC_METRICS_PORT;
  const desk = new DynamoApprovalStore(createDynamoClient(), tables.approvals, systemClock);
  const countWaiting = async () => (await readWaiting(desk, systemClock.now())).length;
  const metrics =
    metricsPort === undefined
      ? undefined
      : await startMetricsHost({ port: metricsPort, host: env.SVC_HOST, names }, host, breaker, countWaiting);
  const watches = startWatches(env, stores);
  const baseUrl = `${host.url}/v1`;
  await warming;
  const audited: AuditEntry[] = [];
  const adminKey = await firstAdminKey(env, stores, (entry) => audited.push(entry));
  const isUnfilled = env.SVC_DEMO && !(await isDemoFilled(env.SVC_DATA_DIR));
  const demoKey = isUnfilled ? (env.SVC_ADMIN_KEY ?? adminKey) : undefined;
  if (demoKey !== undefined) {
    print('Making a day of traffic for the demo ...');
    await runDemo(helpers, stores, demoKey);
    await noteDemoFilled(env.SVC_DATA_DIR);
  }
  if (metrics !== undefined) print(`metrics ${metrics.url}/metrics`);
  const configured = describeProviders(await stores.providerSettings(), false, hasIdentity).flatMap((one) =>
    one.isConfigured ? [one.name] : [],
  );
  for (const line of welcome(baseUrl, adminKey, configured)) print(line);
  for (const entry of audited) logAudit(entry);
  return {
    baseUrl,
    failed: helpers.failed,
    stop: async (graceMs = env.SVC_DRAIN_SECONDS * 1_000) => {
      helpers.expectEnds();
      for (const watch of watches) clearInterval(watch);
      await host.stop(graceMs);
      await backgroundTasks.idle();
      metrics?.stop();
      await background.stop();
      await stores.stop();
    },
  };
}

/** Host names that requests may have besides those of this machine. */
function ownNames({ SVC_ALLOWED_HOSTS: names, SVC_DASHBOARD_URL: url }: LocalEnv): readonly string[] {
  return url === undefined ? names : [...names, new URL(url).hostname];
}

interface Background {
  /** Resolves when all written records are counted, or after a timeout. */
  counted(): Promise<void>;
  stop(): Promise<void>;
}

/** The processes that do what functions do behind the tables and queues of a deployment; none beside such functions. */
async function startBackground(env: LocalEnv, stores: Stores, helpers: HelperProcesses): Promise<Background> {
  if (stores.background === 'functions') return { counted: async () => {}, stop: async () => {} };
  const { SVC_RELAY_EVENTS: relays, SVC_WEBHOOK_ALLOW_LOOPBACK: allowLoopback } = env;
  const counting = startStreams(helpers, stores, { relays });
  const delivering = relays ? startWebhooks(helpers, stores, { allowLoopback }) : undefined;
  const [counter, webhooks] = await Promise.all([counting, delivering]);
  return {
    counted: () => counter.counted(),
    stop: async () => {
      await webhooks?.stop();
      await counter.stop();
    },
  };
}

/** Like the schedule of a deployment, if there is none; the next run retries failures. */
function startWatches({ all }: LocalEnv, { tables, background }: Stores): NodeJS.Timeout[] {
  if (background === 'functions') return [];
  const settings = {
    ...readLocalSettings(FUNCTION_SETTINGS['key-watch'], all),
    auditRetentionDays: DEFAULT_AUDIT_RETENTION_DAYS,
  };
  const { keys, rollout, alerts, spend } = composeKeyWatch({ tables, settings });
  const start = (watch: () => Promise<unknown>, everyMs: number) => {
    const look = () => void watch().catch(() => {});
    look();
    return setInterval(look, everyMs).unref();
  };
  const hourly = () => Promise.all([keys(), spend()]);
  return [start(hourly, WATCH_KEYS_EVERY_MS), start(rollout, WATCH_EVERY_MS), start(alerts, WATCH_EVERY_MS)];
}

/** Routes one address to both functions, as the distribution does. */
function oneApp(gateway: App, admin: App, untilCounted: () => Promise<void>): App {
  return async (request, context) => {
    const path = pathOf(request.url);
    if (path.startsWith('/v1/analytics/')) await untilCounted();
    else if (!/^\/v1\/(?:admin\/|approvals(?:\/|$))/.test(path)) return gateway(request, context);
    return admin(request, context);
  };
}

/** The first admin key's secret if it was created now; undefined if keys exist. */
async function firstAdminKey(
  env: LocalEnv,
  { tables, pepper }: Stores,
  onAudited: (entry: AuditEntry) => void,
): Promise<string | undefined> {
  const given = env.SVC_ADMIN_KEY;
  const [keys, hasher] = [openKeys(tables), createKeyHasher(pepper)];
  const known = given === undefined ? await keys.any() : await keys.find(await hasher.hashes(given));
  if (known) return undefined;
  const { secret } = await createAdminKey({ tables, name: 'First admin key', secret: given, hasher, onAudited });
  // A key from the environment is not shown.
  return given === undefined ? secret : undefined;
}

function welcome(baseUrl: string, adminKey: string | undefined, configured: readonly string[]): string[] {
  const shown = adminKey ?? '<YOUR_KEY>';
  return [
    '',
    'svc, the security gateway for LLM traffic',
    '',
    `  base URL    ${baseUrl}`,
    `  dashboard   ${new URL('/', baseUrl).href}`,
    `  providers   ${['echo', ...configured].join(', ')}${configured.length === 0 ? '  (set OPENAI_API_KEY, ANTHROPIC_API_KEY or another provider’s for real ones)' : ''}`,
    ...(adminKey === undefined ? [] : [`  admin key   ${adminKey}`, '              shown this once: keep it']),
    '',
    'Try it:',
    '',
    `  curl ${baseUrl}/chat/completions \\`,
    `    -H 'Authorization: Bearer ${shown}' -H 'Content-Type: application/json' \\`,
    `    -d '{"model":"echo","messages":[{"role":"user","content":"Hello"}]}'`,
    '',
    `ready ${baseUrl}`,
  ];
}
