import { InvocationQueue } from './invocation-queue.ts';
import { Sandbox } from './sandbox.ts';

export interface StreamFunctionOptions {
  /** The folder that is deployed: dist/usage-counter. */
  readonly bundleDir: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface StreamFunction {
  /** Puts a new item at the end of the stream. */
  deliver(item: Readonly<Record<string, unknown>>): void;
  logs(): readonly string[];
  stop(): Promise<void>;
}

/** Runs a bundle behind a stream of one shard: batches one after another, each again until the function takes it. */
export async function startStreamFunction({ bundleDir, env }: StreamFunctionOptions): Promise<StreamFunction> {
  const logs: string[] = [];
  const queue = new InvocationQueue();
  const sandbox = await Sandbox.start({
    bundleDir,
    handler: 'index.handler',
    env,
    timeoutMs: 60_000,
    log: (line) => logs.push(line),
    take: (signal) => queue.take(signal),
  });
  const waiting: object[] = [];
  let sequence = 0;
  let running = false;

  const invoke = (event: object): Promise<boolean> =>
    new Promise((resolve) => {
      queue.add({
        id: crypto.randomUUID(),
        event,
        outcome: {
          streamStarted: () => {},
          chunk: async () => {},
          streamEnded: () => resolve(false),
          // Without a state Lambda takes a window's invocation for a failed one.
          returned: (result) => resolve((result as { state?: unknown } | null)?.state !== undefined),
          failed: () => resolve(false),
        },
      });
    });
  const run = async () => {
    running = true;
    while (waiting.length > 0) {
      const Records = waiting.slice(0, 100);
      const window = { start: '2026-11-21T09:00:00Z', end: '2026-11-21T09:15:00Z' };
      const rest = {
        window,
        state: {},
        shardId: 'shardId-1',
        eventSourceARN: 'stream-ARN',
        isFinalInvokeForWindow: false,
      };
      if (await invoke({ Records, ...rest, isWindowTerminatedEarly: false })) waiting.splice(0, Records.length);
    }
    running = false;
  };
  return {
    deliver: (NewImage) => {
      sequence += 1;
      waiting.push({
        eventID: String(sequence),
        eventName: 'INSERT',
        eventVersion: '1.1',
        eventSource: 'aws:dynamodb',
        awsRegion: 'eu-central-1',
        dynamodb: {
          NewImage,
          SequenceNumber: `1${String(sequence).padStart(20, '0')}`,
          SizeBytes: JSON.stringify(NewImage).length,
          StreamViewType: 'NEW_IMAGE',
        },
        eventSourceARN: 'stream-ARN',
      });
      if (!running) void run();
    },
    logs: () => logs,
    stop: () => sandbox.stop(),
  };
}
