import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

const START_MS = 30_000;

export interface Child {
  readonly process: ChildProcess;
  /** Tells it to end, and waits until it has. */
  stop(): Promise<void>;
}

/** Starts a part of the service in a process of its own, and waits until it says that it is there; `what` names it in an error. */
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
