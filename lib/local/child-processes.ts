import path from 'node:path';
import type { SettingTable } from '../../functions/adapters/env.ts';
import { USAGE_COUNTER_SETTINGS } from '../../functions/usage-counter/env.ts';
import { WEBHOOK_DELIVERY_SETTINGS } from '../../functions/webhook-delivery/env.ts';
import { localVariables } from '../settings/function-settings.ts';
import type { StoreAddresses } from './create-resources.ts';
import type { Helper, HelperProcesses } from './helper-processes.ts';
import { logDroppedBytes, logStoreFailure } from './local-log.ts';
import type { Stores } from './stores.ts';

/** Sources and bundles have these names beside this file. */
const scriptOf = (name: string) =>
  path.join(import.meta.dirname, `${name}-process${path.extname(import.meta.filename)}`);

/** Variables of Node and the C library. */
const RUNTIME_VARIABLES = [
  'MALLOC_ARENA_MAX',
  'NODE_COMPILE_CACHE',
  'NODE_EXTRA_CA_CERTS',
  'NODE_OPTIONS',
  'NODE_USE_SYSTEM_CA',
  'SSL_CERT_DIR',
  'SSL_CERT_FILE',
  'TZ',
];

type Variables = Readonly<Record<string, string>>;

/** The environment of a helper: the settings that it reads, and what it is given. It gets no key of a provider or an administrator. */
function helperEnv(settings: SettingTable, given: Variables): Variables {
  const names = [...RUNTIME_VARIABLES, ...Object.keys(localVariables(settings))];
  const set = names.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(set), ...given };
}

/** How a helper reaches the stores. */
type StoresUsed = Pick<Stores, 'access' | 'tables' | 'eventsQueueUrl' | 'deliveriesQueueUrl' | 'sealing'>;
const storeVariables = ({ access, tables }: StoresUsed): Variables => ({
  ...access,
  SVC_TABLES: JSON.stringify(tables),
});

/** The tables' names, in a helper process. */
export function tablesOfProcess(): Stores['tables'] {
  return JSON.parse(process.env.SVC_TABLES ?? '{}') as Stores['tables'];
}

/** Counting takes milliseconds unless the stores have a problem. */
const COUNT_MS = 5_000;

interface Counter {
  /** Resolves when all written records are counted, or after a timeout. */
  counted(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts the counting function and, with `relays`, the relaying function. They find uncounted records again after a restart, and events that
 * are not sent.
 */
export async function startStreams(
  helpers: HelperProcesses,
  stores: StoresUsed,
  { relays }: { readonly relays: boolean },
): Promise<Counter> {
  const waiting = new Map<number, () => void>();
  let asked = 0;
  const { helper } = await helpers.start({
    name: 'svc-streams',
    effect: relays ? 'usage totals are not updated and events are not sent' : 'usage totals are not updated',
    isRestarted: true,
    script: scriptOf('streams'),
    env: helperEnv(USAGE_COUNTER_SETTINGS, {
      ...storeVariables(stores),
      ...(relays && { SVC_EVENTS_QUEUE_URL: stores.eventsQueueUrl }),
    }),
    onMessage: (message) => {
      const { counted } = message as { readonly counted?: number };
      if (counted !== undefined) waiting.get(counted)?.();
    },
  });
  const counted = () =>
    new Promise<void>((resolve) => {
      asked += 1;
      const id = asked;
      const done = () => {
        clearTimeout(timer);
        waiting.delete(id);
        resolve();
      };
      const timer = setTimeout(done, COUNT_MS);
      waiting.set(id, done);
      if (!helper.send(id)) done();
    });
  return { counted, stop: () => helper.stop() };
}

/** Starts the function that delivers webhooks. Messages that it has not finished return to their queue. */
export async function startWebhooks(
  helpers: HelperProcesses,
  stores: StoresUsed,
  given: { readonly allowLoopback: boolean },
): Promise<Helper> {
  const { helper } = await helpers.start({
    name: 'svc-webhooks',
    effect: 'webhooks are not delivered',
    isRestarted: true,
    script: scriptOf('webhook'),
    env: helperEnv(WEBHOOK_DELIVERY_SETTINGS, {
      ...storeVariables(stores),
      SVC_EVENTS_QUEUE_URL: stores.eventsQueueUrl,
      SVC_DELIVERIES_QUEUE_URL: stores.deliveriesQueueUrl,
      ...stores.sealing,
      SVC_WEBHOOK_ALLOW_LOOPBACK: String(given.allowLoopback),
    }),
  });
  return helper;
}

/** Of the process that fills a demo, by a message: others could read its environment. `adminKey` has the permission `admin`. */
export interface DemoSecrets {
  readonly pepper: string;
  readonly sealingKey: string;
  readonly credentialsKey: string;
  readonly adminKey: string;
}

/** Far more than the demo takes on a busy machine. */
const DEMO_MS = 600_000;

/** Fills empty stores with the traffic of the demo. @throws Error with a sentence for the operator if it is not filled to its end */
export async function runDemo(helpers: HelperProcesses, stores: Stores, adminKey: string): Promise<void> {
  const filled = Promise.withResolvers<{ readonly failure?: string }>();
  const [pepper, sealingKey, credentialsKey] = await Promise.all([
    stores.pepper(),
    stores.sealingKey(),
    stores.credentialsKey(),
  ]);
  const { helper } = await helpers.start({
    name: 'svc-demo',
    effect: 'the demo has a part of its traffic only',
    isRestarted: false,
    script: scriptOf('demo'),
    env: helperEnv(
      {},
      {
        ...storeVariables(stores),
        SVC_EVENTS_QUEUE_URL: stores.eventsQueueUrl,
        SVC_DELIVERIES_QUEUE_URL: stores.deliveriesQueueUrl,
      },
    ),
    onMessage: (message) => filled.resolve(message as { readonly failure?: string }),
  });
  helper.send({ pepper, sealingKey, credentialsKey, adminKey } satisfies DemoSecrets);
  const late = setTimeout(() => filled.resolve({ failure: 'it takes too long' }), DEMO_MS);
  const ended = helper.ended.then(() => ({ failure: 'its process has ended' }));
  const { failure } = await Promise.race([filled.promise, ended]);
  clearTimeout(late);
  await helper.stop();
  if (failure !== undefined)
    throw new Error(`the traffic of the demo was not made: ${failure}. The next start makes it again`);
}

/** Messages of the child: first addresses of the stores, or why they did not start; later why they cannot be used. */
export type StoresMessage = (StoreAddresses & { readonly droppedBytes: number }) | { readonly failure: string };

export interface StoresChild extends StoreAddresses {
  stop(): Promise<void>;
}

/** Starts the embedded stores; `folder` is their data folder. They have new addresses after a restart, so the service ends with them. */
export async function startStores(helpers: HelperProcesses, folder: string | undefined): Promise<StoresChild> {
  const { helper, message } = await helpers.start<StoresMessage>({
    name: 'svc-stores',
    effect: 'no request can be authenticated or recorded',
    isRestarted: false,
    script: scriptOf('stores'),
    args: folder === undefined ? [] : [folder],
    env: helperEnv({}, {}),
    onMessage: (later) => {
      const { failure } = later as { readonly failure?: string };
      if (failure !== undefined) logStoreFailure(failure);
    },
  });
  if ('failure' in message) {
    await helper.stop();
    throw new Error(message.failure);
  }
  const { droppedBytes, ...addresses } = message;
  if (folder !== undefined && droppedBytes > 0) logDroppedBytes(path.join(folder, 'dynamodb'), droppedBytes);
  return { ...addresses, stop: () => helper.stop() };
}
