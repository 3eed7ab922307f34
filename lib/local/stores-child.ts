import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { StoreAddresses } from './create-resources.ts';

const START_MS = 30_000;

/** What the child process reports once: where its stores are, or why they did not start. */
export type StoresMessage = StoreAddresses | { readonly failure: string };

export interface StoresChild extends StoreAddresses {
  stop(): Promise<void>;
}

/** Starts the embedded stores in a child process; `script` is the built stores-process, `folder` where they keep their files. */
export async function startStoresChild(script: string, folder: string | undefined): Promise<StoresChild> {
  const child = fork(script, folder === undefined ? [] : [folder], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: [],
    // Providers' keys are none of its business.
    env: { PATH: process.env.PATH },
  });
  const exited = once(child, 'exit');
  const message = await Promise.race([firstMessage(child), exited.then(() => undefined)]);
  if (message === undefined) throw new Error('the embedded stores did not start');
  if ('failure' in message) throw new Error(message.failure);
  return {
    ...message,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function firstMessage(child: ChildProcess): Promise<StoresMessage> {
  const [message] = await once(child, 'message', { signal: AbortSignal.timeout(START_MS) });
  return message as StoresMessage;
}
