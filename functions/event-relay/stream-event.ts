import { fromStream, type StreamItem } from '../adapters/dynamo/dynamo-item.ts';
import { outboxIn } from '../adapters/dynamo/outbox.ts';
import type { OutboxItem } from '../core/webhooks/relay-events.ts';

/** What Lambda hands over of DynamoDB streams: https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html */
export interface StreamEvent {
  readonly Records: readonly {
    /** `arn:aws:dynamodb:REGION:ACCOUNT:table/NAME/stream/TIME` */
    readonly eventSourceARN: string;
    readonly dynamodb: { readonly SequenceNumber?: string; readonly Keys: StreamItem; readonly NewImage?: StreamItem };
  }[];
}

/** The items of a batch that tell of something. */
export function toOutboxItems({ Records }: StreamEvent): OutboxItem[] {
  return Records.flatMap(({ eventSourceARN, dynamodb: { Keys, NewImage: { outbox } = {} } }) => {
    const events = outbox === undefined ? [] : outboxIn(fromStream({ outbox }));
    const table = eventSourceARN.split('/')[1];
    return events.length === 0 || table === undefined ? [] : [{ table, key: fromStream(Keys), events }];
  });
}
