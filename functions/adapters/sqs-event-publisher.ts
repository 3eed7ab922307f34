import { GetQueueAttributesCommand, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { EventPublisher, GatewayEvent } from '../core/ports/event-publisher.ts';
import { reachStore } from './aws-clients.ts';

/** Events as SQS messages, each the event's JSON. */
export class SqsEventPublisher implements EventPublisher {
  private readonly client: SQSClient;
  private readonly queueUrl: string;

  constructor(client: SQSClient, queueUrl: string) {
    this.client = client;
    this.queueUrl = queueUrl;
  }

  async publish(event: GatewayEvent): Promise<void> {
    const command = new SendMessageCommand({ QueueUrl: this.queueUrl, MessageBody: JSON.stringify(event) });
    await reachStore('events queue', () => this.client.send(command));
  }

  /** Throws StoreUnavailable where the queue does not answer. */
  async check(): Promise<void> {
    const command = new GetQueueAttributesCommand({ QueueUrl: this.queueUrl, AttributeNames: ['QueueArn'] });
    await reachStore('events queue', () => this.client.send(command));
  }
}
