import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

export interface EventTail {
  stop(): Promise<void>;
}

/** Takes events off the queue and shows each, so that a local run tells what a deployment would deliver. */
export function tailEvents(queueUrl: string, show: (event: { id: string; type: string }) => void): EventTail {
  const client = new SQSClient({});
  const abort = new AbortController();
  const running = (async () => {
    while (!abort.signal.aborted) {
      const receive = new ReceiveMessageCommand({ QueueUrl: queueUrl, WaitTimeSeconds: 20, MaxNumberOfMessages: 10 });
      try {
        const { Messages = [] } = await client.send(receive, { abortSignal: abort.signal });
        for (const { Body = '{}', ReceiptHandle } of Messages) {
          show(JSON.parse(Body));
          await client.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle }));
        }
      } catch {
        // The queue is away for a moment, or we are told to stop.
        if (!abort.signal.aborted) await new Promise((resolve) => setTimeout(resolve, 1_000));
      }
    }
    client.destroy();
  })();
  return {
    stop: async () => {
      abort.abort();
      await running;
    },
  };
}
