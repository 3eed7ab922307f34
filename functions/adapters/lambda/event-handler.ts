import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import middy, { type MiddlewareObj, type MiddyfiedHandler } from '@middy/core';
import type { QueueEvent, QueueResponse } from '../aws/sqs-queues.ts';
import { exitOnFault } from '../node/exit-on-fault.ts';
import { logFailedInvocation, logFailedMessage, logFailedRecord } from '../telemetry/json-log.ts';
import { logger } from '../telemetry/logger.ts';

/** Adds the invocation to each log line. */
export const logContext: MiddlewareObj = {
  before: ({ context }) => logger.addContext(context),
};

/** Logs a failed invocation and rethrows: Lambda or its caller retries. */
const logFailures: MiddlewareObj = {
  onError: ({ error }) => logFailedInvocation(error),
};

/** A function that AWS invokes with an event from a queue, a stream, a schedule, CloudFormation or Secrets Manager. */
export function createHandler<Event, Result>(work: (event: Event) => Promise<Result>): MiddyfiedHandler<Event, Result> {
  // The event is sent again to another process.
  exitOnFault(async () => {});
  // No early timeout: work would continue in the next invocation. Lambda's own timeout ends it.
  return middy<Event, Result>({ timeoutEarlyInMillis: 0 })
    .use([logContext, logFailures])
    .handler((event) => work(event));
}

/** The part of a DynamoDB stream record that a batch needs. */
interface StreamRecord {
  readonly dynamodb: { readonly SequenceNumber?: string };
}

/**
 * Processes a queue batch whose messages share calls. `work` takes all messages and returns errors by message id. Failed messages are
 * logged and redelivered. If `work` rejects, all are redelivered.
 */
export async function processQueue(
  event: QueueEvent,
  work: (messages: readonly { readonly id: string; readonly body: string }[]) => Promise<ReadonlyMap<string, unknown>>,
): Promise<QueueResponse> {
  const errors = await work(event.Records.map(({ messageId: id, body }) => ({ id, body })));
  const report = async ({ messageId }: QueueEvent['Records'][number]) => {
    if (!errors.has(messageId)) return;
    logFailedMessage(messageId, errors.get(messageId));
    throw errors.get(messageId);
  };
  const processor = new BatchProcessor(EventType.SQS);
  // A queue counts receives of each message, so a batch that failed completely need not fail the invocation.
  return processPartialResponse({ Records: [...event.Records] }, report, processor, { throwOnFullBatchFailure: false });
}

/**
 * Processes a batch of a DynamoDB stream as one to save calls. If that fails, each record is processed separately, so that one bad record
 * delays no other. `work` must be idempotent. Lambda redelivers from the first reported record. Rejects if no record could be processed.
 */
export async function processStream<Record extends StreamRecord>(
  { Records }: { readonly Records: readonly Record[] },
  work: (event: { readonly Records: readonly Record[] }) => Promise<void>,
): Promise<QueueResponse> {
  try {
    await work({ Records });
    return { batchItemFailures: [] };
  } catch {
    // The separate attempts below show which record failed.
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
