import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { StoreAddresses } from './create-resources.ts';

const START_MS = 30_000;

export interface StoresChild extends StoreAddresses {
  stop(): Promise<void>;
}

/** Starts the embedded stores in a child process; `script` is the built stores-process, `folder` where they keep what they have. */
export async function startStoresChild(script: string, folder: string | undefined): Promise<StoresChild> {
  const child = fork(script, folder === undefined ? [] : [folder], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: [],
  });
  const exited = once(child, 'exit');
  const addresses = await Promise.race([firstMessage(child), exited.then(() => undefined)]);
  if (!addresses) throw new Error('the embedded stores did not start');
  return {
    ...addresses,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function firstMessage(child: ChildProcess): Promise<StoreAddresses> {
  const [message] = await once(child, 'message', { signal: AbortSignal.timeout(START_MS) });
  return message as StoreAddresses;
}
