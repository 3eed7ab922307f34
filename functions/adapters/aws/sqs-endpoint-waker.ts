import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { EndpointWaker } from '../../core/webhooks/delivery-store.ts';
import { reachStore } from '../dynamo/reach-store.ts';
import type { SqsClient } from './clients.ts';

/** SQS takes no longer delay. */
const MAX_DELAY_SECONDS = 900;

/** What the queue of deliveries says: that deliveries of an endpoint may be due. Which ones stands in the table. */
export interface WakeMessage {
  readonly wake: string;
}

export class SqsEndpointWaker implements EndpointWaker {
  private readonly client: SqsClient;
  private readonly queueUrl: string;

  constructor(client: SqsClient, queueUrl: string) {
    this.client = client;
    this.queueUrl = queueUrl;
  }

  async wake(webhookId: string, delayMs: number): Promise<void> {
    const message: WakeMessage = { wake: webhookId };
    const command = new SendMessageCommand({
      QueueUrl: this.queueUrl,
      MessageBody: JSON.stringify(message),
      DelaySeconds: Math.min(MAX_DELAY_SECONDS, Math.ceil(delayMs / 1000)),
    });
    await reachStore('deliveries queue', () => this.client.send(command));
  }
}
