import { InvocationQueue } from '../../test/runtime/invocation-queue.ts';
import { Sandbox } from '../../test/runtime/sandbox.ts';

/** One deployed function, and what it is asked first. */
export interface MeasuredFunction {
  readonly name: string;
  /** What would be in the zip file. */
  readonly bundleDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly event: object;
}

/** Milliseconds since its process was started. */
export interface ColdStart {
  /** Until the handler's module was loaded and asked for its first invocation. */
  readonly initMs: number;
  /** Until the first byte of its response. */
  readonly firstAnswerMs: number;
}

const TIMEOUT_MS = 30_000;
const STATUS = /"statusCode":(\d+)/;

/** Starts a function in its own environment under AWS's runtime client and calls it once. Rejects if it fails. */
export async function measureColdStart({ bundleDir, env, event }: MeasuredFunction): Promise<ColdStart> {
  const invocations = new InvocationQueue();
  const lines: string[] = [];
  const startedAt = performance.now();
  const sandbox = await Sandbox.start({
    bundleDir,
    handler: 'index.handler',
    env,
    timeoutMs: TIMEOUT_MS,
    log: (line) => lines.push(line),
    take: (signal) => invocations.take(signal),
  });
  try {
    const initMs = performance.now() - startedAt;
    const askedAt = performance.now();
    const answerMs = await firstAnswer(invocations, event, () => performance.now() - askedAt);
    return { initMs, firstAnswerMs: initMs + answerMs };
  } catch (error) {
    throw new Error(`${bundleDir}: ${(error as Error).message}\n${lines.join('\n')}`);
  } finally {
    await sandbox.stop();
  }
}

/** Resolves with the time of the first byte, or of the result, once the response is complete. */
async function firstAnswer(queue: InvocationQueue, event: object, elapsed: () => number): Promise<number> {
  let first: number | undefined;
  let head = '';
  await new Promise<void>((resolve, reject) => {
    queue.add({
      id: crypto.randomUUID(),
      event,
      outcome: {
        streamStarted: () => {},
        chunk: async (chunk) => {
          first ??= elapsed();
          if (head.length < 1_000) head += chunk.toString('latin1');
        },
        streamEnded: resolve,
        returned: () => {
          first ??= elapsed();
          resolve();
        },
        failed: ({ errorType, errorMessage }) => reject(new Error(`${errorType}: ${errorMessage}`)),
      },
    });
  });
  const status = STATUS.exec(head)?.[1];
  if (status !== undefined && status !== '200') throw new Error(`answered ${status}: ${head}`);
  return first ?? elapsed();
}
