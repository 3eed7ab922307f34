import { DeleteCommand, GetCommand, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import {
  type Delivery,
  type Digest,
  type DigestStore,
  digestOf,
  type NewDelivery,
  type Place,
} from '../../control/webhooks/index.ts';
import type { Clock } from '../../kernel/tasks/index.ts';
import type { DynamoClient } from '../aws/clients.ts';
import { reachStore } from '../aws/reach-store.ts';
import { deliveryKey, toDelivery } from './delivery-item.ts';
import { type Item, isWritten } from './dynamo-calls.ts';
import type { DynamoDeliveryStore } from './dynamo-delivery-store.ts';

const WHAT = 'deliveries table';
const MINUTE_MS = 60_000;
/** A writer that saw the digest open has finished by then: a store call has three attempts of a second. */
const GRACE_MS = 5_000;
const KEPT_SECONDS = 3 * 86_400;

/** The fields read of a minute's item or a digest's item. */
interface GatheringItem {
  /** The first event's id. In a digest's item: the first event's body. */
  readonly first?: string;
  /** End of the minute, in milliseconds since 1970. */
  readonly until?: number;
  /** Only for an incomplete digest. */
  readonly phase?: 'gathering' | 'closing';
  /** The number of events in a complete digest. */
  readonly count?: number;
}

/**
 * Digests in the deliveries table: one item for the minute that a first event opens, one for each following event under the digest's id,
 * and the digest's delivery. Events are counted with a consistent read after the digest was marked as closing. A writer checks that mark
 * after adding an event: if it is absent, the event will be counted.
 */
export class DynamoDigestStore implements DigestStore {
  private readonly client: DynamoClient;
  private readonly tableName: string;
  private readonly clock: Clock;
  private readonly deliveries: DynamoDeliveryStore;

  constructor(client: DynamoClient, tableName: string, clock: Clock, deliveries: DynamoDeliveryStore) {
    this.client = client;
    this.tableName = tableName;
    this.clock = clock;
    this.deliveries = deliveries;
  }

  async enter(alike: string, eventId: string): Promise<Place> {
    const now = this.clock.now();
    const Key = { pk: `alike#${alike}`, sk: 'minute' };
    const write = () =>
      this.client.send(
        new UpdateCommand({
          TableName: this.tableName,
          Key,
          UpdateExpression: 'SET #until = :until, #first = :event, #expiresAt = :expiresAt',
          ConditionExpression: 'attribute_not_exists(#until) OR #until <= :now',
          ExpressionAttributeNames: { '#until': 'until', '#first': 'first', '#expiresAt': 'expiresAt' },
          ExpressionAttributeValues: {
            ':now': now,
            ':until': now + MINUTE_MS,
            ':event': eventId,
            ':expiresAt': Math.ceil(now / 1000) + KEPT_SECONDS,
          },
        }),
      );
    if (await isWritten(WHAT, write)) return { digest: undefined };
    const minute = await this.find(Key);
    if (minute?.first === eventId) return { digest: undefined };
    const until = Number(minute?.until);
    return { digest: { id: `delivery_${digestOf(alike, String(until))}`, closesAtMs: until + GRACE_MS } };
  }

  async gather(digest: Digest, event: NewDelivery): Promise<boolean> {
    await this.deliveries.createGathered(event, digest.id);
    const eventId = `evt_${digestOf(digest.id)}`;
    await this.deliveries.createDigest({ ...event, id: digest.id, eventId }, digest.closesAtMs);
    return this.join(digest.id, event);
  }

  async gatherAgain(gathered: Delivery, event: NewDelivery): Promise<boolean> {
    const id = gathered.digestId as string;
    const digest = await this.find(deliveryKey(id));
    // This minute ended before its digest was created.
    if (digest === undefined) return this.gather({ id, closesAtMs: this.clock.now() + GRACE_MS }, event);
    if (digest.phase === 'gathering') return this.join(id, event);
    // Closed. If the number of events equals the digest's count, it includes this one.
    const counted =
      (await this.find(memberKey(id, event.eventId))) !== undefined &&
      digest.phase === undefined &&
      (await this.countOf(id)) === digest.count;
    return counted || this.sendAlone(id, event);
  }

  async close(digest: Delivery): Promise<{ count: number; first: string }> {
    const { id } = digest;
    const write = () =>
      this.client.send(
        new UpdateCommand({
          TableName: this.tableName,
          Key: deliveryKey(id),
          UpdateExpression: 'SET #phase = :closing',
          ConditionExpression: 'attribute_exists(#phase)',
          ExpressionAttributeNames: { '#phase': 'phase' },
          ExpressionAttributeValues: { ':closing': 'closing' },
          ReturnValues: 'ALL_NEW',
        }),
      );
    const { Attributes } = await reachStore(WHAT, write);
    return { count: await this.countOf(id), first: (Attributes as GatheringItem | undefined)?.first ?? '' };
  }

  async complete(digest: Delivery, body: string, count: number): Promise<Delivery> {
    const write = () =>
      this.client.send(
        new UpdateCommand({
          TableName: this.tableName,
          Key: deliveryKey(digest.id),
          UpdateExpression: 'SET #body = :body, #count = :count REMOVE #phase, #first',
          ConditionExpression: '#phase = :closing',
          ExpressionAttributeNames: { '#body': 'body', '#count': 'count', '#phase': 'phase', '#first': 'first' },
          ExpressionAttributeValues: { ':body': body, ':count': count, ':closing': 'closing' },
          ReturnValues: 'ALL_NEW',
        }),
      );
    const { Attributes } = await reachStore(WHAT, write);
    return toDelivery(Attributes as Item);
  }

  private async join(digestId: string, event: NewDelivery): Promise<boolean> {
    const expiresAt = Math.ceil(this.clock.now() / 1000) + KEPT_SECONDS;
    const Item = { ...memberKey(digestId, event.eventId), expiresAt };
    await reachStore(WHAT, () => this.client.send(new PutCommand({ TableName: this.tableName, Item })));
    const digest = await this.find(deliveryKey(digestId));
    return digest?.phase === 'gathering' || this.sendAlone(digestId, event);
  }

  /** A duplicate is better than a lost event. */
  private async sendAlone(digestId: string, event: NewDelivery): Promise<false> {
    const write = () =>
      this.client.send(new DeleteCommand({ TableName: this.tableName, Key: memberKey(digestId, event.eventId) }));
    await reachStore(WHAT, write);
    await this.deliveries.release(event);
    return false;
  }

  private async countOf(digestId: string): Promise<number> {
    let count = 0;
    let start: Item | undefined;
    do {
      const read = () =>
        this.client.send(
          new QueryCommand({
            TableName: this.tableName,
            KeyConditionExpression: '#pk = :digest AND begins_with(#sk, :event)',
            ExpressionAttributeNames: { '#pk': 'pk', '#sk': 'sk' },
            ExpressionAttributeValues: { ':digest': digestId, ':event': 'event#' },
            Select: 'COUNT',
            ConsistentRead: true,
            ExclusiveStartKey: start,
          }),
        );
      const { Count = 0, LastEvaluatedKey } = await reachStore(WHAT, read);
      count += Count;
      start = LastEvaluatedKey;
    } while (start !== undefined);
    return count;
  }

  private async find(Key: Item): Promise<GatheringItem | undefined> {
    const read = () => this.client.send(new GetCommand({ TableName: this.tableName, Key, ConsistentRead: true }));
    return (await reachStore(WHAT, read)).Item as GatheringItem | undefined;
  }
}

function memberKey(digestId: string, eventId: string): Item {
  return { pk: digestId, sk: `event#${eventId}` };
}
