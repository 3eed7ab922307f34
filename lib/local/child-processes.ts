import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { StoreAddresses } from './create-resources.ts';

const START_MS = 30_000;

export interface Child {
  readonly process: ChildProcess;
  /** Sends SIGTERM and waits for the exit. */
  stop(): Promise<void>;
}

/** Starts a part of the service in a child process and waits for its first message; `what` names it in an error. */
export async function startChild(script: string, env: Readonly<Record<string, string>>, what: string): Promise<Child> {
  const child = fork(script, [], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: [],
    env: { ...process.env, ...env },
  });
  const exited = once(child, 'exit');
  const ready = await Promise.race([
    once(child, 'message', { signal: AbortSignal.timeout(START_MS) }),
    exited.then(() => undefined),
  ]);
  if (ready === undefined) throw new Error(`${what} did not start`);
  return {
    process: child,
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await exited;
    },
  };
}

/** Counting takes milliseconds unless the stores have a problem. */
const COUNT_MS = 5_000;

interface CounterChild {
  /** Resolves when all written records are counted, or after a timeout. */
  counted(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the counting function in a child process; `script` is the built counter-process. */
export async function startCounterChild(script: string): Promise<CounterChild> {
  const child = await startChild(script, {}, 'the counter of records');
  return { counted: counterOf(child.process), stop: child.stop };
}

function counterOf(child: ChildProcess): () => Promise<void> {
  const waiting = new Map<number, () => void>();
  let asked = 0;
  child.on('message', ({ counted }: { counted?: number }) => {
    if (counted !== undefined) waiting.get(counted)?.();
  });
  return () =>
    new Promise((resolve) => {
      asked += 1;
      const id = asked;
      const done = () => {
        clearTimeout(timer);
        waiting.delete(id);
        resolve();
      };
      const timer = setTimeout(done, COUNT_MS);
      waiting.set(id, done);
      if (!child.connected) return done();
      child.send(id, (error) => error && done());
    });
}

/** The child's first message: addresses of the stores, or why they did not start. */
export type StoresMessage = StoreAddresses | { readonly failure: string };

export interface StoresChild extends StoreAddresses {
  stop(): Promise<void>;
}

/** Starts the embedded stores in a child process; `script` is the built stores-process, `folder` their data folder. */
export async function startStoresChild(script: string, folder: string | undefined): Promise<StoresChild> {
  const child = fork(script, folder === undefined ? [] : [folder], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: [],
    // Without the providers' keys.
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
