import { InvocationQueue } from './invocation-queue.ts';
import { type InvocationError, Sandbox, type SandboxOptions } from './sandbox.ts';

export interface InvokedFunction {
  /** @returns what it returned. Rejects with the error that Lambda would note. */
  invoke(event: object): Promise<unknown>;
  logs(): string;
  stop(): Promise<void>;
}

/** Runs a bundle that is invoked by AWS itself and returns. */
export async function startFunction(
  options: Pick<SandboxOptions, 'bundleDir' | 'env'> & { readonly timeoutMs?: number },
): Promise<InvokedFunction> {
  const queue = new InvocationQueue();
  const logs: string[] = [];
  const sandbox = await Sandbox.start({
    handler: 'index.handler',
    timeoutMs: 60_000,
    ...options,
    log: (line) => logs.push(line),
    take: (signal) => queue.take(signal),
  });
  return {
    invoke: (event) =>
      new Promise((resolve, reject) => {
        const failed = ({ errorType, errorMessage }: InvocationError) =>
          reject(new Error(`${errorType}: ${errorMessage}`));
        queue.add({
          id: crypto.randomUUID(),
          event,
          outcome: {
            streamStarted: () => {},
            chunk: async () => {},
            streamEnded: () => resolve(undefined),
            returned: resolve,
            failed,
          },
        });
      }),
    logs: () => logs.join('\n'),
    stop: () => sandbox.stop(),
  };
}
