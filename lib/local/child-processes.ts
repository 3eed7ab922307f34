import path from 'node:path';
import type { StoreAddresses } from './create-resources.ts';
import type { Helper, HelperProcesses } from './helper-processes.ts';
import { logDroppedBytes, logStoreFailure } from './local-log.ts';

/** The bundles are in this file's folder. */
const scriptOf = (name: string) => path.join(import.meta.dirname, `${name}.mjs`);

/** Counting takes milliseconds unless the stores have a problem. */
const COUNT_MS = 5_000;

interface Counter {
  /** Resolves when all written records are counted, or after a timeout. */
  counted(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the counting function. It finds uncounted records again after a restart. */
export async function startCounter(helpers: HelperProcesses): Promise<Counter> {
  const waiting = new Map<number, () => void>();
  let asked = 0;
  const { helper } = await helpers.start({
    name: 'svc-counter',
    effect: 'usage totals are not updated',
    isRestarted: true,
    script: scriptOf('counter'),
    env: process.env,
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

/** Starts the relaying function. Events that it has not sent stay in their tables. */
export async function startRelay(helpers: HelperProcesses, env: Readonly<Record<string, string>>): Promise<Helper> {
  const { helper } = await helpers.start({
    name: 'svc-relay',
    effect: 'events are not sent',
    isRestarted: true,
    script: scriptOf('relay'),
    env: { ...process.env, ...env },
  });
  return helper;
}

/** Starts the function that delivers webhooks. Messages that it has not finished return to their queue. */
export async function startWebhooks(helpers: HelperProcesses, env: Readonly<Record<string, string>>): Promise<Helper> {
  const { helper } = await helpers.start({
    name: 'svc-webhooks',
    effect: 'webhooks are not delivered',
    isRestarted: true,
    script: scriptOf('webhooks'),
    env: { ...process.env, ...env },
  });
  return helper;
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
    // Without the providers' keys.
    env: { PATH: process.env.PATH },
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
