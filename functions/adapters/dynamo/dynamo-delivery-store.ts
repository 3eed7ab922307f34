import {
  BatchGetCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type {
  Delivery,
  DeliveryPage,
  DeliveryQuery,
  DeliveryStore,
  NewDelivery,
  NextStep,
} from '../../control/webhooks/index.ts';
import { GatewayError, StoreUnavailable } from '../../kernel/errors/index.ts';
import type { DeadReason, DeliveryAttempt } from '../../kernel/model/index.ts';
import type { Clock } from '../../kernel/tasks/index.ts';
import type { DynamoClient } from '../aws/clients.ts';
import { reachStore } from '../aws/reach-store.ts';
import {
  deliveryKey,
  dueKey,
  duePartition,
  duePartitions,
  listName,
  listPartition,
  shardPartition,
  toDelivery,
} from './delivery-item.ts';
import { type Item, inBatches, isLive, isWritten } from './dynamo-calls.ts';
import { readList } from './sharded-list.ts';

const WHAT = 'deliveries table';
const SECONDS_A_DAY = 86_400;
/** Limit of BatchGetItem. */
const MAX_KEYS = 100;
const MAX_ROUNDS = 8;
const PAUSE_MS = 25;
const CURSOR = /^\d{4}-[\d:.TZ-]{19}#delivery_[0-9a-f]{32}$/;

/** A delivery in the index `due`. */
interface DueItem {
  readonly pk: string;
  /** The due time, then the id. */
  readonly dueSk: string;
}

/** Deliveries in DynamoDB, one item each. Due ones are in a sparse index; all of an endpoint, and those in a state, in another. */
export class DynamoDeliveryStore implements DeliveryStore {
  private readonly client: DynamoClient;
  private readonly tableName: string;
  private readonly clock: Clock;
  private readonly keptDays: number;
  private readonly dueShards: number;

  /** @param dueShards partitions of the due deliveries of each endpoint */
  constructor(client: DynamoClient, tableName: string, clock: Clock, keptDays: number, dueShards = 1) {
    this.client = client;
    this.tableName = tableName;
    this.clock = clock;
    this.keptDays = keptDays;
    this.dueShards = dueShards;
  }

  create(delivery: NewDelivery): Promise<boolean> {
    return this.put(delivery, {
      state: 'pending',
      statePk: listPartition(delivery.id, delivery.webhookId, 'pending'),
      body: delivery.body,
      count: 1,
      ...this.dueAt(delivery, this.clock.now()),
    });
  }

  /** Stores an event that a digest will contain. @returns false if the event already has a delivery */
  createGathered(delivery: NewDelivery, digestId: string): Promise<boolean> {
    return this.put(delivery, {
      state: 'gathered',
      statePk: listPartition(delivery.id, delivery.webhookId, 'gathered'),
      digestId,
      count: 1,
    });
  }

  /** Creates the delivery of a digest, due when it closes. @returns false if it exists already */
  createDigest(digest: NewDelivery, closesAtMs: number): Promise<boolean> {
    const { body: first, ...delivery } = digest;
    return this.put(delivery, {
      state: 'pending',
      statePk: listPartition(digest.id, digest.webhookId, 'pending'),
      phase: 'gathering',
      first,
      ...this.dueAt(digest, closesAtMs),
    });
  }

  /** Sends a gathered event separately, because it came too late for the digest. */
  async release({ id, webhookId, body }: NewDelivery): Promise<void> {
    await this.update(id, {
      UpdateExpression:
        'SET #state = :pending, #statePk = :statePk, #body = :body, #duePk = :duePk, #dueSk = :dueSk REMOVE #digestId',
      ConditionExpression: '#state = :gathered',
      ExpressionAttributeNames: names('state', 'statePk', 'body', 'duePk', 'dueSk', 'digestId'),
      ExpressionAttributeValues: {
        ':pending': 'pending',
        ':gathered': 'gathered',
        ':statePk': listPartition(id, webhookId, 'pending'),
        ':body': body,
        ':duePk': duePartition(id, webhookId, this.dueShards),
        ':dueSk': dueKey(this.clock.now(), id),
      },
    });
  }

  async get(id: string): Promise<Delivery | undefined> {
    const item = await this.find(id);
    return item === undefined ? undefined : toDelivery(item);
  }

  async list({ webhookId, state, limit, cursor }: DeliveryQuery): Promise<DeliveryPage> {
    if (cursor !== undefined && !CURSOR.test(cursor)) {
      throw new GatewayError('invalid_value', "'cursor' is not a cursor from an earlier page.", { param: 'cursor' });
    }
    const { items, next } = await readList(this.client, {
      tableName: this.tableName,
      index: state === undefined ? 'byWebhook' : 'byState',
      partitionKey: state === undefined ? 'listPk' : 'statePk',
      sortKey: 'listSk',
      list: listName(webhookId, state),
      after: cursor,
      limit,
    });
    const deliveries = await this.read(items.map(({ pk }) => pk as string));
    // The index may lag behind a change of state.
    return { deliveries: deliveries.filter((one) => state === undefined || one.state === state), nextCursor: next };
  }

  async due(webhookId: string, limit: number, partitions?: readonly number[]): Promise<readonly string[]> {
    // `~` sorts after every id.
    const upTo = `${new Date(this.clock.now()).toISOString()}#~`;
    const bound = { expression: ' AND #dueSk <= :upTo', values: { ':upTo': upTo } };
    const items = await this.queryDue(webhookId, limit, bound, partitions);
    return items.map(({ pk }) => pk);
  }

  async nextDueAt(webhookId: string): Promise<number | undefined> {
    const [first] = await this.queryDue(webhookId, 1);
    return first === undefined ? undefined : Date.parse(first.dueSk.split('#')[0] ?? '');
  }

  async read(ids: readonly string[]): Promise<readonly Delivery[]> {
    const found = new Map<string, Item>();
    await Promise.all(inBatches(ids.map(deliveryKey), MAX_KEYS).map((keys) => this.readBatch(keys, found)));
    const now = this.clock.now();
    return ids.flatMap((id) => {
      const item = found.get(id);
      return item === undefined || !isLive(item, now) ? [] : [toDelivery(item)];
    });
  }

  private async readBatch(all: readonly Item[], found: Map<string, Item>): Promise<void> {
    let keys = [...all];
    for (let round = 1; keys.length > 0; round += 1) {
      if (round > MAX_ROUNDS) throw new StoreUnavailable(`${WHAT}: items omitted too often`);
      if (round > 1) await new Promise((resolve) => setTimeout(resolve, Math.random() * PAUSE_MS * 2 ** round));
      const RequestItems = { [this.tableName]: { Keys: keys, ConsistentRead: true } };
      const read = () => this.client.send(new BatchGetCommand({ RequestItems }));
      const { Responses, UnprocessedKeys } = await reachStore(WHAT, read);
      for (const item of Responses?.[this.tableName] ?? []) found.set(item.pk, item);
      keys = UnprocessedKeys?.[this.tableName]?.Keys ?? [];
    }
  }

  begin({ id, attempts }: Delivery): Promise<boolean> {
    const begun: DeliveryAttempt = {
      at: new Date(this.clock.now()).toISOString(),
      durationMs: null,
      status: null,
      failure: 'unknown',
      response: null,
    };
    return this.update(id, {
      UpdateExpression: 'SET #attempts = list_append(#attempts, :begun), #tries = :next',
      ConditionExpression: '#state = :pending AND #tries = :tries',
      ExpressionAttributeNames: names('attempts', 'tries', 'state'),
      ExpressionAttributeValues: {
        ':begun': [JSON.stringify(begun)],
        ':pending': 'pending',
        ':tries': attempts.length,
        ':next': attempts.length + 1,
      },
    });
  }

  async end(delivery: Delivery, attempt: DeliveryAttempt, next: NextStep): Promise<void> {
    const at = delivery.attempts.length;
    const noted = { ':attempt': JSON.stringify(attempt), ':pending': 'pending' };
    const stands = await this.update(delivery.id, {
      ...this.stepTo(delivery, next, `#attempts[${at}] = :attempt`, noted),
      // A delivered state is final: an older attempt may end after a newer one.
      ConditionExpression: '#state = :pending',
    });
    if (stands) return;
    await this.update(delivery.id, {
      UpdateExpression: `SET #attempts[${at}] = :attempt`,
      ConditionExpression: 'attribute_exists(#attempts)',
      ExpressionAttributeNames: names('attempts'),
      ExpressionAttributeValues: { ':attempt': noted[':attempt'] },
    });
  }

  async bury(delivery: Delivery, reason: DeadReason): Promise<void> {
    const step = this.stepTo(delivery, { state: 'dead', reason }, undefined, { ':pending': 'pending' });
    await this.update(delivery.id, { ...step, ConditionExpression: '#state = :pending' });
  }

  async redeliver(id: string): Promise<Delivery | undefined> {
    const before = await this.get(id);
    if (before === undefined || (before.state !== 'dead' && before.state !== 'delivered')) return undefined;
    const values = {
      ':before': before.state,
      ':now': new Date(this.clock.now()).toISOString(),
      ':pending': 'pending',
    };
    const done = await this.update(id, {
      UpdateExpression:
        'SET #state = :pending, #statePk = :statePk, #duePk = :duePk, #dueSk = :dueSk, #since = :now REMOVE #deadReason',
      ConditionExpression: '#state = :before',
      ExpressionAttributeNames: names('state', 'statePk', 'duePk', 'dueSk', 'since', 'deadReason'),
      ExpressionAttributeValues: {
        ...values,
        ':statePk': listPartition(id, before.webhookId, 'pending'),
        ':duePk': duePartition(id, before.webhookId, this.dueShards),
        ':dueSk': dueKey(this.clock.now(), id),
      },
    });
    return done ? this.get(id) : undefined;
  }

  private stepTo(
    { id, webhookId }: Delivery,
    next: NextStep,
    also: string | undefined,
    values: Item,
  ): Pick<UpdateCommandInput, 'UpdateExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'> {
    const sets = also === undefined ? [] : [also];
    const used = ['state', ...(also === undefined ? [] : ['attempts'])];
    if (next.state === 'pending') {
      return {
        UpdateExpression: `SET ${[...sets, '#dueSk = :dueSk'].join(', ')}`,
        ExpressionAttributeNames: names(...used, 'dueSk'),
        ExpressionAttributeValues: { ...values, ':dueSk': dueKey(next.nextAttemptAtMs, id) },
      };
    }
    sets.push('#state = :state', '#statePk = :statePk');
    if (next.state === 'dead') sets.push('#deadReason = :reason');
    return {
      UpdateExpression: `SET ${sets.join(', ')} REMOVE #duePk, #dueSk`,
      ExpressionAttributeNames: names(
        ...used,
        'statePk',
        'duePk',
        'dueSk',
        ...(next.state === 'dead' ? ['deadReason'] : []),
      ),
      ExpressionAttributeValues: {
        ...values,
        ':state': next.state,
        ':statePk': listPartition(id, webhookId, next.state),
        ...(next.state === 'dead' && { ':reason': next.reason }),
      },
    };
  }

  private dueAt({ id, webhookId }: NewDelivery, atMs: number): Item {
    return { duePk: duePartition(id, webhookId, this.dueShards), dueSk: dueKey(atMs, id) };
  }

  private async put(delivery: Omit<NewDelivery, 'body'>, more: Item): Promise<boolean> {
    const { id, webhookId, eventId, type, endUserId } = delivery;
    const createdAt = new Date(this.clock.now()).toISOString();
    const write = () =>
      this.client.send(
        new PutCommand({
          TableName: this.tableName,
          Item: {
            ...deliveryKey(id),
            webhookId,
            eventId,
            type,
            createdAt,
            since: createdAt,
            listPk: listPartition(id, webhookId),
            listSk: `${createdAt}#${id}`,
            attempts: [],
            tries: 0,
            expiresAt: Math.ceil(this.clock.now() / 1000) + this.keptDays * SECONDS_A_DAY,
            endUserPk: endUserId,
            ...more,
          },
          ConditionExpression: 'attribute_not_exists(#pk)',
          ExpressionAttributeNames: names('pk'),
        }),
      );
    return isWritten(WHAT, write);
  }

  /** Longest due first. */
  private async queryDue(
    webhookId: string,
    limit: number,
    bound: { expression: string; values: Item } = { expression: '', values: {} },
    partitions?: readonly number[],
  ): Promise<readonly DueItem[]> {
    const names = partitions?.map((one) => shardPartition(webhookId, one)) ?? duePartitions(webhookId, this.dueShards);
    const parts = await Promise.all(names.map((partition) => this.queryDueIn(partition, limit, bound)));
    if (parts.length === 1) return parts[0] ?? [];
    return parts
      .flat()
      .sort((a, b) => (a.dueSk < b.dueSk ? -1 : 1))
      .slice(0, limit);
  }

  private async queryDueIn(
    partition: string,
    limit: number,
    bound: { expression: string; values: Item },
  ): Promise<readonly DueItem[]> {
    const read = () =>
      this.client.send(
        new QueryCommand({
          TableName: this.tableName,
          IndexName: 'due',
          KeyConditionExpression: `#duePk = :partition${bound.expression}`,
          ExpressionAttributeNames: bound.expression === '' ? names('duePk') : names('duePk', 'dueSk'),
          ExpressionAttributeValues: { ':partition': partition, ...bound.values },
          Limit: limit,
        }),
      );
    return ((await reachStore(WHAT, read)).Items ?? []) as DueItem[];
  }

  private async find(id: string): Promise<Item | undefined> {
    const read = () =>
      this.client.send(new GetCommand({ TableName: this.tableName, Key: deliveryKey(id), ConsistentRead: true }));
    const { Item: item } = await reachStore(WHAT, read);
    return item === undefined || !isLive(item, this.clock.now()) ? undefined : item;
  }

  private update(id: string, input: Omit<UpdateCommandInput, 'TableName' | 'Key'>): Promise<boolean> {
    const write = () =>
      this.client.send(new UpdateCommand({ TableName: this.tableName, Key: deliveryKey(id), ...input }));
    return isWritten(WHAT, write);
  }
}

/** Name placeholders for attributes: some are reserved words. */
function names(...attributes: string[]): Record<string, string> {
  return Object.fromEntries(attributes.map((name) => [`#${name}`, name]));
}
