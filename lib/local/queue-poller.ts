import { DeleteMessageBatchCommand, type Message, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { createSqsClient, type SqsClient } from '../../functions/adapters/aws/clients.ts';
import type { QueueEvent, QueueResponse } from '../../functions/adapters/aws/sqs-queues.ts';

const BATCH = 10;
const LONG_POLL_SECONDS = 20;
const TIMEOUT_MS = 30_000;
const PAUSE_MS = 1_000;

export interface QueuePollerOptions {
  readonly queueUrl: string;
  /** Concurrent batches. */
  readonly batchesAtOnce: number;
  readonly deliver: (event: QueueEvent) => Promise<QueueResponse>;
}

export interface QueuePoller {
  /** Resolves when received messages are processed. */
  stop(): Promise<void>;
}

/**
 * Passes a queue's messages to a function as Lambda's event source mapping does: in batches. Messages that did not fail are
 * deleted; the others return after their visibility timeout. One call receives for all batches: a message ends each call that waits.
 */
export function pollQueue({ queueUrl, batchesAtOnce, deliver }: QueuePollerOptions): QueuePoller {
  const client = createSqsClient({ timeoutMs: TIMEOUT_MS });
  const abort = new AbortController();
  const batches = new Set<Promise<void>>();
  const pause = () => new Promise<void>((resolve) => void setTimeout(resolve, PAUSE_MS));
  const start = (messages: readonly Message[]) => {
    // A batch that failed as a whole.
    const batch = work(client, queueUrl, messages, deliver).catch(() => (abort.signal.aborted ? undefined : pause()));
    batches.add(batch);
    void batch.then(() => batches.delete(batch));
  };
  const receiving = (async () => {
    while (!abort.signal.aborted) {
      try {
        const messages = await take(client, queueUrl, abort.signal);
        if (messages.length > 0) start(messages);
      } catch {
        // The queue is unavailable, or the poller stops.
        if (!abort.signal.aborted) await pause();
      }
      if (batches.size >= batchesAtOnce) await Promise.race(batches);
    }
  })();
  return {
    stop: async () => {
      abort.abort();
      await receiving;
      await Promise.all(batches);
    },
  };
}

async function take(client: SqsClient, QueueUrl: string, signal: AbortSignal): Promise<Message[]> {
  const input = { QueueUrl, WaitTimeSeconds: LONG_POLL_SECONDS, MaxNumberOfMessages: BATCH };
  const { Messages = [] } = await client.send(new ReceiveMessageCommand(input), { abortSignal: signal });
  return Messages;
}

async function work(
  client: SqsClient,
  QueueUrl: string,
  messages: readonly Message[],
  deliver: QueuePollerOptions['deliver'],
): Promise<void> {
  const { batchItemFailures } = await deliver({
    Records: messages.map(({ MessageId = '', Body = '' }) => ({ messageId: MessageId, body: Body })),
  });
  const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  const done = messages.filter(({ MessageId = '' }) => !failed.has(MessageId));
  if (done.length === 0) return;
  const Entries = done.map(({ ReceiptHandle }, at) => ({ Id: String(at), ReceiptHandle }));
  await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
}
