import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { toFunctionUrlEvent } from './function-url-event.ts';
import { functionUrlResponse } from './function-url-response.ts';
import { InvocationQueue } from './invocation-queue.ts';
import { Sandbox, type SandboxOptions } from './sandbox.ts';

/** Lambda's limit on a request, body and all. */
const MAX_EVENT_BYTES = 6 * 1024 * 1024;

export interface FunctionUrlOptions {
  /** The folder that is deployed: dist/gateway. */
  readonly bundleDir: string;
  /** `index.handler` where absent. */
  readonly handler?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Concurrent requests, each in a separate process; 2 if absent. */
  readonly size?: number;
  /** Requests that each process serves at once; 1 where absent. */
  readonly concurrency?: number;
  /** 60 s where absent. */
  readonly timeoutMs?: number;
  /** What is made of a request; a function URL's event where absent. */
  readonly toEvent?: ToEvent;
}

export type ToEvent = (
  request: IncomingMessage,
  body: Buffer,
) => { readonly requestContext: { readonly requestId: string } };

export interface FunctionUrl {
  /** `http://127.0.0.1:PORT`, without a closing slash. */
  readonly url: string;
  stop(): Promise<void>;
  /** What the function's processes printed so far, by lines; those of the host start with `[`. */
  logs(): readonly string[];
}

/**
 * Serves a bundle as a function URL in streaming mode does. The bundle runs in AWS's own runtime client; a process that
 * ends is replaced. Rejects where the handler does not load.
 */
export async function startFunctionUrl(options: FunctionUrlOptions): Promise<FunctionUrl> {
  const {
    bundleDir,
    handler = 'index.handler',
    env = {},
    size = 2,
    concurrency = 1,
    timeoutMs = 60_000,
    toEvent = toFunctionUrlEvent,
  } = options;
  const logs: string[] = [];
  const queue = new InvocationQueue();
  const sandboxes = new Set<Promise<Sandbox>>();
  let stopping = false;

  const log: SandboxOptions['log'] = (line) => logs.push(line);
  const addSandbox = (): Promise<Sandbox> => {
    const take: SandboxOptions['take'] = (signal) => queue.take(signal);
    const starting = Sandbox.start({ bundleDir, handler, env, timeoutMs, concurrency, log, take });
    sandboxes.add(starting);
    replaceWhenEnded(starting).catch((error: unknown) => log(`[function url] ${error}`));
    return starting;
  };
  const replaceWhenEnded = async (starting: Promise<Sandbox>): Promise<void> => {
    const sandbox = await starting;
    await sandbox.exited;
    sandboxes.delete(starting);
    if (!stopping) await addSandbox();
  };
  /** Including those that are still starting: a frozen process would otherwise stay forever. */
  const stopSandboxes = async (): Promise<void> => {
    stopping = true;
    for (const starting of sandboxes) await starting.then((sandbox) => sandbox.stop()).catch(() => {});
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const event = toEvent(request, await buffer(request));
    if (Buffer.byteLength(JSON.stringify(event)) > MAX_EVENT_BYTES) {
      response.writeHead(413, { 'content-type': 'application/json' }).end('{"Message":"Request Too Long"}');
      return;
    }
    const outcome = functionUrlResponse(response);
    queue.add({
      id: event.requestContext.requestId,
      event,
      outcome: {
        ...outcome,
        failed: (error) => {
          log(`[function url] ${error.errorType}: ${error.errorMessage}`);
          outcome.failed(error);
        },
      },
    });
  };

  const started = await Promise.allSettled(Array.from({ length: size }, addSandbox));
  const failed = started.find((result) => result.status === 'rejected');
  if (failed !== undefined) {
    await stopSandboxes();
    throw new Error([failed.reason.message, ...logs].join('\n'));
  }
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      logs.push(`[function url] ${error}`);
      response.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    logs: () => logs,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await stopSandboxes();
    },
  };
}
