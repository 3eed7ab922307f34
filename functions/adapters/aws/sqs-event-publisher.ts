import { GetQueueAttributesCommand, SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { batchesOf } from '../../core/base/batches.ts';
import { StoreUnavailable } from '../../core/base/errors.ts';
import type { EventPublisher } from '../../core/model/events.ts';
import { reachStore } from '../dynamo/reach-store.ts';
import type { SqsClient } from './clients.ts';

/** What SendMessageBatch takes: ten messages, 256 KiB together. */
const MAX_BATCH = 10;
const MAX_BATCH_BYTES = 256 * 1024;

/** Events as SQS messages, each the event's JSON. */
export class SqsEventPublisher implements EventPublisher {
  private readonly client: SqsClient;
  private readonly queueUrl: string;

  constructor(client: SqsClient, queueUrl: string) {
    this.client = client;
    this.queueUrl = queueUrl;
  }

  async publish(events: readonly string[]): Promise<void> {
    for (const batch of batchesOf(events, MAX_BATCH, MAX_BATCH_BYTES)) {
      const Entries = batch.map((MessageBody, at) => ({ Id: String(at), MessageBody }));
      const write = () => this.client.send(new SendMessageBatchCommand({ QueueUrl: this.queueUrl, Entries }));
      const { Failed = [] } = await reachStore('events queue', write);
      if (Failed.length > 0) throw new StoreUnavailable(`events queue: ${Failed[0]?.Code ?? 'not all taken'}`);
    }
  }

  /** Throws StoreUnavailable where the queue does not answer. */
  async check(): Promise<void> {
    const read = () =>
      this.client.send(new GetQueueAttributesCommand({ QueueUrl: this.queueUrl, AttributeNames: ['QueueArn'] }));
    await reachStore('events queue', read);
  }
}
