import { once } from 'node:events';
import { composeAdmin } from '../../functions/admin-api/compose.ts';
import { DEFAULT_AUDIT_RETENTION_DAYS } from '../../functions/control/audit/index.ts';
import { composeGateway } from '../../functions/gateway/compose.ts';
import { createInspector } from '../../functions/inspection/index.ts';
import type { App } from '../../functions/kernel/http/index.ts';
import { BackgroundTasks } from '../../functions/kernel/tasks/index.ts';
import { FUNCTION_SETTINGS, readLocalSettings } from '../settings/function-settings.ts';
import { type DemoSecrets, tablesOfProcess } from './child-processes.ts';
import { startDemoModel } from './demo-model.ts';
import { DEMO_KEYS, DEMO_TEAMS, type DemoAnswer, demoDay } from './demo-traffic.ts';
import { setUpLocalLog } from './local-log.ts';

/**
 * Fills empty stores with a day of traffic, sent through the gateway and the admin API of this process, whose clock goes through that day.
 * The environment names the stores; a message has their secrets and an admin key.
 */
process.title = 'svc-demo';
setUpLocalLog('ERROR');
// Its failed requests are meant, and are in the records.
process.stdout.write = () => true;
const secretsSent = once(process, 'message') as Promise<[DemoSecrets]>;
process.send?.('ready');
const [secrets] = await secretsSent;

const DAY_MS = 86_400_000;
const SEED = 1;

/** Time as this process sees it: it moves on by itself, and forward to a moment. */
const clock = (() => {
  const [now, monotonic] = [Date.now.bind(Date), performance.now.bind(performance)];
  let ahead = -DAY_MS - 3_600_000;
  Date.now = () => now() + ahead;
  performance.now = () => monotonic() + ahead;
  return {
    forwardTo(time: number) {
      ahead = Math.max(ahead, time - now());
    },
    forward(milliseconds: number) {
      ahead += milliseconds;
    },
    realNow: now,
  };
})();

let current: DemoAnswer | undefined;
const model = await startDemoModel(() => {
  const answer = current ?? { latencyMs: 1, status: 500, tokens: [0, 0] };
  clock.forward(answer.latencyMs);
  return answer;
});
const providerSettings = { OPENAI_API_KEY: 'demo', OPENAI_BASE_URL: model.url };
const tables = tablesOfProcess();
const backgroundTasks = new BackgroundTasks();
const inspector = createInspector();
const config = {
  tables,
  eventsQueueUrl: process.env.SVC_EVENTS_QUEUE_URL ?? '',
  deliveriesQueueUrl: process.env.SVC_DELIVERIES_QUEUE_URL ?? '',
  pepper: async () => secrets.pepper,
  credentialsKey: async () => secrets.credentialsKey,
  inspector,
  hasAwsIdentity: false,
};
const gateway = composeGateway({
  ...config,
  settings: readLocalSettings(FUNCTION_SETTINGS.gateway, {}),
  records: { lingerMs: 0, pendingIndex: true },
  providerSettings: async () => providerSettings,
  baseUrls: providerSettings,
  onProviderFault: (fault) => {
    throw fault;
  },
  echo: true,
  allowLoopback: true,
  alone: true,
  maxBodyBytes: 1_000_000,
  backgroundTasks,
  telemetry: { otlpHeaders: async () => '', lingerMs: 0, stage: 'local' },
});
const admin = composeAdmin({
  ...config,
  auditRetentionDays: DEFAULT_AUDIT_RETENTION_DAYS,
  sealingKey: async () => secrets.sealingKey,
  settings: readLocalSettings(FUNCTION_SETTINGS['admin-api'], {}),
  oidcSecret: undefined,
  isSecure: false,
  allowLoopbackWebhooks: true,
  upstream: { settings: async () => providerSettings, echo: true, bedrock: false, signsBedrock: false },
  deployment: {
    stage: 'local',
    stores: { database: 'embedded', queues: 'embedded', dataFolder: null },
    onlyThroughDistribution: false,
  },
});

interface Reply {
  readonly status: number;
  readonly text: string;
}

async function send(app: App, method: string, path: string, key: string, body?: object, more = {}): Promise<Reply> {
  const content = body === undefined ? '' : JSON.stringify(body);
  const headers = new Headers({ authorization: `Bearer ${key}`, 'content-type': 'application/json', ...more });
  const request = { method, url: `http://gateway/v1${path}`, headers, bytes: async () => Buffer.from(content) };
  const { status, body: sent } = await app(request, { clientAddress: '203.0.113.10' });
  await backgroundTasks.idle();
  return { status, text: typeof sent === 'string' ? sent : Buffer.from(sent as Uint8Array).toString() };
}

// biome-ignore lint/suspicious/noExplicitAny: each caller knows its operation
async function manage(method: string, path: string, body?: object, more?: object): Promise<any> {
  const { status, text } = await send(admin, method, path, secrets.adminKey, body, more);
  if (status >= 400) throw new Error(`${method} ${path}: ${text}`);
  return JSON.parse(text);
}

/** Teams, keys, routes and an alert, as an administrator makes them. @returns the secrets of the keys by their names */
async function setUp(): Promise<ReadonlyMap<string, string>> {
  const teams = new Map<string, string>();
  for (const team of DEMO_TEAMS) teams.set(team.name, (await manage('POST', '/admin/teams', team)).id);
  const keys = new Map<string, string>();
  for (const { team, ...key } of DEMO_KEYS) {
    const made = await manage('POST', '/admin/keys', { ...key, teamId: teams.get(team) });
    keys.set(key.name, made.key);
  }
  const route = (name: string, ...others: readonly string[]) => {
    const target = (model: string) => ({ provider: 'openai', model });
    return { models: `openai/${name}`, targets: [target(name)], fallbacks: others.map(target), attempts: 1 };
  };
  const routes = [route('gpt-6-luna'), route('gpt-6.1-terra', 'gpt-6-luna'), route('gpt-6.1-sol', 'gpt-6.1-terra')];
  await manage('PUT', '/admin/routes', { routes }, { 'if-match': '"0"' });
  await manage('PUT', '/admin/policy', { preset: 'balanced' });
  const hook = { url: 'https://hooks.example.com/svc', events: ['alert.fired', 'tool.approval_requested'] };
  const { id: webhookId } = await manage('POST', '/admin/webhooks', { ...hook, description: 'Example of a receiver' });
  await manage('PATCH', `/admin/webhooks/${webhookId}`, { state: 'disabled' });
  const alert = {
    name: 'A provider fails',
    metric: 'errorRate',
    threshold: 0.1,
    minutes: 15,
    targets: [{ webhookId }],
  };
  await manage('POST', '/admin/alerts', alert);
  return keys;
}

async function seed(): Promise<void> {
  const now = clock.realNow();
  const keys = await setUp();
  for (const { agoMs, key, headers, body, answer } of demoDay(SEED)) {
    clock.forwardTo(now - agoMs);
    current = answer;
    await send(gateway, 'POST', '/chat/completions', keys.get(key) ?? '', body, headers);
  }
  clock.forwardTo(now);
  const { data } = await manage('GET', '/analytics/threats?limit=20');
  for (const [at, { id }] of data.slice(0, 2).entries())
    await manage('PATCH', `/analytics/threats/${id}`, { mark: at === 0 ? 'confirmed' : 'false_positive' });
}

await seed().then(
  () => process.send?.({ done: true }),
  (error) => process.send?.({ failure: (error as Error).message }),
);
model.stop();
process.disconnect?.();
