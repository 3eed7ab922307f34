import { GetQueueAttributesCommand, SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { batchesOf } from '../core/events/batches-of.ts';
import type { EventPublisher } from '../core/ports/event-publisher.ts';
import { StoreUnavailable } from '../core/ports/key-store.ts';
import { reachStore } from './aws-clients.ts';

/** What SendMessageBatch takes: ten messages, 256 KiB together. */
const MAX_BATCH = 10;
const MAX_BATCH_BYTES = 256 * 1024;

/** Events as SQS messages, each the event's JSON. */
export class SqsEventPublisher implements EventPublisher {
  private readonly client: SQSClient;
  private readonly queueUrl: string;

  constructor(client: SQSClient, queueUrl: string) {
    this.client = client;
    this.queueUrl = queueUrl;
  }

  async publish(events: readonly string[]): Promise<void> {
    for (const batch of batchesOf(events, MAX_BATCH, MAX_BATCH_BYTES)) {
      const Entries = batch.map((MessageBody, at) => ({ Id: String(at), MessageBody }));
      const command = new SendMessageBatchCommand({ QueueUrl: this.queueUrl, Entries });
      const { Failed = [] } = await reachStore('events queue', () => this.client.send(command));
      if (Failed.length > 0) throw new StoreUnavailable(`events queue: ${Failed[0]?.Code ?? 'not all taken'}`);
    }
  }

  /** Throws StoreUnavailable where the queue does not answer. */
  async check(): Promise<void> {
    const command = new GetQueueAttributesCommand({ QueueUrl: this.queueUrl, AttributeNames: ['QueueArn'] });
    await reachStore('events queue', () => this.client.send(command));
  }
}
