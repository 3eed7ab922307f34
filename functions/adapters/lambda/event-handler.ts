import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import middy, { type MiddlewareObj, type MiddyfiedHandler } from '@middy/core';
import type { QueueAnswer, QueueEvent } from '../aws/sqs-queues.ts';
import { logFailedInvocation, logFailedMessage, logFailedRecord } from '../telemetry/json-log.ts';
import { logger } from '../telemetry/logger.ts';

/** Each line of the log names the invocation that wrote it. */
export const logContext: MiddlewareObj = {
  before: ({ context }) => logger.addContext(context),
};

/** A failed invocation is logged, and fails for Lambda as well: it retries, or its caller does. */
const logFailures: MiddlewareObj = {
  onError: ({ error }) => logFailedInvocation(error),
};

/** A function that AWS invokes with an event: a queue, a stream, a schedule, CloudFormation, Secrets Manager. */
export function createHandler<Event, Result>(work: (event: Event) => Promise<Result>): MiddyfiedHandler<Event, Result> {
  // Not ended early: work would go on in the next invocation. Lambda's own timeout stops it.
  return middy<Event, Result>({ timeoutEarlyInMillis: 0 })
    .use([logContext, logFailures])
    .handler((event) => work(event));
}

/** A record of a DynamoDB stream as far as a batch needs it. */
interface StreamRecord {
  readonly dynamodb: { readonly SequenceNumber?: string };
}

/**
 * Processes a batch of a queue, whose messages share calls: `work` takes them all and returns the error of each that has to come
 * again, by its id. Those are logged and reported; the others are done. Rejects where `work` does: all come again.
 */
export async function processQueue(
  event: QueueEvent,
  work: (messages: readonly { readonly id: string; readonly body: string }[]) => Promise<ReadonlyMap<string, unknown>>,
): Promise<QueueAnswer> {
  const errors = await work(event.Records.map(({ messageId: id, body }) => ({ id, body })));
  const report = async ({ messageId }: QueueEvent['Records'][number]) => {
    if (!errors.has(messageId)) return;
    logFailedMessage(messageId, errors.get(messageId));
    throw errors.get(messageId);
  };
  const processor = new BatchProcessor(EventType.SQS);
  // A queue counts receives of each message: a batch that failed whole needs no failed invocation besides.
  return processPartialResponse({ Records: [...event.Records] }, report, processor, { throwOnFullBatchFailure: false });
}

/**
 * Processes a batch of a DynamoDB stream as one, which saves calls; where that fails, each record by itself, so that one that
 * cannot be processed delays no other. `work` must be able to meet a record again. Lambda delivers again from the first record
 * reported. Rejects where no record could be processed.
 */
export async function processStream<Record extends StreamRecord>(
  { Records }: { readonly Records: readonly Record[] },
  work: (event: { readonly Records: readonly Record[] }) => Promise<void>,
): Promise<QueueAnswer> {
  try {
    await work({ Records });
    return { batchItemFailures: [] };
  } catch {
    // Which record failed, the records say one by one.
  }
  const processOne = async (record: Record) => {
    try {
      await work({ Records: [record] });
    } catch (error) {
      logFailedRecord(record.dynamodb.SequenceNumber ?? '', error);
      throw error;
    }
  };
  return processPartialResponse({ Records: [...Records] }, processOne, new BatchProcessor(EventType.DynamoDBStreams));
}
