import { GetQueueAttributesCommand, SendMessageBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import type { EndpointWaker } from '../../control/webhooks/index.ts';
import { StoreUnavailable } from '../../kernel/errors/index.ts';
import { type EventPublisher, MAX_EVENT_BYTES } from '../../kernel/model/index.ts';
import { batchesOf } from '../../kernel/tasks/index.ts';
import type { SqsClient } from './clients.ts';
import { reachStore } from './reach-store.ts';

/** The SQS event of Lambda: https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html */
export interface QueueEvent {
  readonly Records: readonly { readonly messageId: string; readonly body: string }[];
}

/** The messages to redeliver; requires ReportBatchItemFailures on the event source mapping. */
export interface QueueResponse {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

/** SendMessageBatch takes ten messages, together as large as one. */
const MAX_BATCH = 10;

/** Publishes each event as an SQS message with its JSON. */
export class SqsEventPublisher implements EventPublisher {
  private readonly client: SqsClient;
  private readonly queueUrl: string;

  constructor(client: SqsClient, queueUrl: string) {
    this.client = client;
    this.queueUrl = queueUrl;
  }

  async publish(events: readonly string[]): Promise<void> {
    for (const batch of batchesOf(events, MAX_BATCH, MAX_EVENT_BYTES)) {
      const Entries = batch.map((MessageBody, at) => ({ Id: String(at), MessageBody }));
      const write = () => this.client.send(new SendMessageBatchCommand({ QueueUrl: this.queueUrl, Entries }));
      const { Failed = [] } = await reachStore('events queue', write);
      if (Failed.length > 0) throw new StoreUnavailable(`events queue: ${Failed[0]?.Code ?? 'not all accepted'}`);
    }
  }

  /** @throws StoreUnavailable if the queue does not respond */
  async check(): Promise<void> {
    const read = () =>
      this.client.send(new GetQueueAttributesCommand({ QueueUrl: this.queueUrl, AttributeNames: ['QueueArn'] }));
    await reachStore('events queue', read);
  }
}

/** The longest delay of SQS. */
const MAX_DELAY_SECONDS = 900;

/** A message of the deliveries queue: deliveries of an endpoint may be due. The table has the deliveries. */
interface WakeMessage {
  readonly wake: string;
  readonly worker?: number;
}

export class SqsEndpointWaker implements EndpointWaker {
  private readonly client: SqsClient;
  private readonly queueUrl: string;

  constructor(client: SqsClient, queueUrl: string) {
    this.client = client;
    this.queueUrl = queueUrl;
  }

  async wake(webhookId: string, delayMs: number, worker = 0): Promise<void> {
    const message: WakeMessage = { wake: webhookId, ...(worker > 0 && { worker }) };
    const command = new SendMessageCommand({
      QueueUrl: this.queueUrl,
      MessageBody: JSON.stringify(message),
      // Makes it a fair queue: messages of a busy endpoint wait for those of the others.
      MessageGroupId: webhookId,
      DelaySeconds: Math.min(MAX_DELAY_SECONDS, Math.ceil(delayMs / 1000)),
    });
    await reachStore('deliveries queue', () => this.client.send(command));
  }
}
