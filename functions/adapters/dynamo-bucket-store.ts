import { type DynamoDBClient, GetItemCommand, type UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { type Bucket, latestAdmittingMicros, roomIn } from '../core/admission/token-bucket.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { HttpClient } from '../core/ports/http-client.ts';
import type { BucketStore, Taken } from '../core/ports/rate-limiter.ts';
import { reachStore } from './aws-clients.ts';
import { DynamoWriter } from './dynamo-writer.ts';
import { NodeHttpClient } from './node-http-client.ts';

const MAX_KNOWN = 10_000;

type Attempt =
  | { readonly admitted: true; readonly fullAt: number }
  | { readonly admitted: false; readonly fullAt: number | undefined };

/**
 * A token bucket for each key as one number, `fullAt` (microseconds; token-bucket.ts). DynamoDB has no maximum of two
 * numbers, so there are two conditional writes: one for a bucket in use, one for a bucket that is full. The one that fits
 * what was seen last goes first: one write when steady. `fullAt` only grows, which makes the outcome exact: once a bucket
 * was seen in use it stays so for this request, and a bucket seen over its limit refuses without another call.
 */
export class DynamoBucketStore implements BucketStore {
  private readonly client: DynamoDBClient;
  private readonly writer: DynamoWriter;
  private readonly tableName: string;
  private readonly clock: Clock;
  /** The latest `fullAt` seen of each key. */
  private readonly known = new Map<string, number>();

  constructor(client: DynamoDBClient, tableName: string, clock: Clock, http: HttpClient = new NodeHttpClient()) {
    this.client = client;
    this.writer = new DynamoWriter(client, http, clock);
    this.tableName = tableName;
    this.clock = clock;
  }

  async takeUpTo(keyId: string, bucket: Bucket, count: number): Promise<Taken> {
    const nowMicros = this.clock.now() * 1000;
    let fullAtMicros = this.known.get(keyId) ?? 0;
    // What was seen can only have grown since: there is never more room than it says.
    let room = roomIn(bucket, fullAtMicros, nowMicros);
    for (let asked = Math.min(count, room); asked > 0; asked = Math.min(asked - 1, room)) {
      const attempt = await this.attempt(keyId, bucket, asked, nowMicros, fullAtMicros >= nowMicros);
      const latest = latestAdmittingMicros(bucket, nowMicros, asked);
      fullAtMicros = attempt.fullAt ?? (await this.read(keyId)) ?? latest + 1;
      this.remember(keyId, fullAtMicros);
      if (attempt.admitted) return { granted: asked, fullAtMicros, nowMicros };
      room = roomIn(bucket, fullAtMicros, nowMicros);
    }
    return { granted: 0, fullAtMicros, nowMicros };
  }

  async peek(keyId: string): Promise<Taken> {
    const fullAtMicros = this.known.get(keyId) ?? (await this.read(keyId)) ?? 0;
    return { granted: 0, fullAtMicros, nowMicros: this.clock.now() * 1000 };
  }

  /** Throws StoreUnavailable unless the table answers. */
  async check(): Promise<void> {
    await this.read('readiness');
  }

  private async attempt(keyId: string, bucket: Bucket, count: number, now: number, inUse: boolean): Promise<Attempt> {
    if (inUse) {
      const first = await this.takeFromUsed(keyId, bucket, count, now);
      if (first.admitted) return first;
      // Either over the limit, or idle after all; a store that tells the old value settles which.
      if (first.fullAt !== undefined && first.fullAt >= now) return first;
    }
    const second = await this.takeFromFull(keyId, bucket, count, now);
    return second.admitted ? second : this.takeFromUsed(keyId, bucket, count, now);
  }

  private takeFromUsed(keyId: string, bucket: Bucket, count: number, now: number): Promise<Attempt> {
    return this.update(keyId, bucket, now, {
      UpdateExpression: 'SET #fullAt = #fullAt + :taken, #expiresAt = :expiresAt',
      ConditionExpression: '#fullAt BETWEEN :now AND :latest',
      ExpressionAttributeValues: {
        ':taken': number(count * bucket.intervalMicros),
        ':now': number(now),
        ':latest': number(latestAdmittingMicros(bucket, now, count)),
      },
    });
  }

  private takeFromFull(keyId: string, bucket: Bucket, count: number, now: number): Promise<Attempt> {
    return this.update(keyId, bucket, now, {
      UpdateExpression: 'SET #fullAt = :next, #expiresAt = :expiresAt',
      ConditionExpression: 'attribute_not_exists(#fullAt) OR #fullAt < :now',
      ExpressionAttributeValues: { ':next': number(now + count * bucket.intervalMicros), ':now': number(now) },
    });
  }

  private async update(
    keyId: string,
    bucket: Bucket,
    now: number,
    expressions: Pick<UpdateItemCommandInput, 'UpdateExpression' | 'ConditionExpression' | 'ExpressionAttributeValues'>,
  ): Promise<Attempt> {
    // From then on the bucket is full, and an item that is gone means just that.
    const expiresAt = Math.ceil((latestAdmittingMicros(bucket, now) + bucket.intervalMicros) / 1_000_000) + 1;
    const outcome = await this.writer.update({
      ...expressions,
      TableName: this.tableName,
      Key: { pk: { S: keyId } },
      ExpressionAttributeNames: { '#fullAt': 'fullAt', '#expiresAt': 'expiresAt' },
      ExpressionAttributeValues: { ...expressions.ExpressionAttributeValues, ':expiresAt': number(expiresAt) },
      ReturnValues: 'UPDATED_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    if (outcome.ok) return { admitted: true, fullAt: Number(outcome.attributes.fullAt?.N) };
    const old = outcome.old?.fullAt?.N;
    return { admitted: false, fullAt: old === undefined ? undefined : Number(old) };
  }

  private async read(keyId: string): Promise<number | undefined> {
    const command = new GetItemCommand({ TableName: this.tableName, Key: { pk: { S: keyId } }, ConsistentRead: true });
    const { Item } = await reachStore('limits table', () => this.client.send(command));
    return Item?.fullAt?.N === undefined ? undefined : Number(Item.fullAt.N);
  }

  private remember(keyId: string, fullAt: number): void {
    const seen = this.known.get(keyId);
    this.known.delete(keyId);
    this.known.set(keyId, Math.max(seen ?? 0, fullAt));
    const oldest = this.known.size > MAX_KNOWN ? this.known.keys().next().value : undefined;
    if (oldest !== undefined) this.known.delete(oldest);
  }
}

function number(value: number): { N: string } {
  return { N: String(value) };
}
