import { PublishCommand, type SNSClient } from '@aws-sdk/client-sns';
import { reachStore } from './reach-store.ts';

/** A subject of SNS has ASCII characters without line breaks, fewer than 100: https://docs.aws.amazon.com/sns/latest/api/API_Publish.html */
const MAX_SUBJECT = 99;

/** Publishes notices of alerts to topics of SNS, whose subscriptions send them as e-mail. */
export class SnsTopics {
  private readonly client: SNSClient;

  constructor(client: SNSClient) {
    this.client = client;
  }

  /** @throws StoreUnavailable if SNS does not take it */
  async publish(TopicArn: string, subject: string, Message: string): Promise<void> {
    const Subject = subject.replaceAll(/[^ -~]/g, '?').slice(0, MAX_SUBJECT);
    await reachStore('alert topic', () => this.client.send(new PublishCommand({ TopicArn, Subject, Message })));
  }
}
