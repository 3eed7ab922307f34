import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, GetCommand, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoClient } from '../../functions/adapters/aws/clients.ts';
import { type Item, isWritten } from '../../functions/adapters/dynamo/dynamo-calls.ts';
import { RELAYED_TABLES, TABLES, type TableDefinition } from '../../functions/adapters/dynamo/tables.ts';
import { inParallel } from '../../functions/core/base/batches.ts';
import type { StreamEvent as OutboxEvent } from '../../functions/event-relay/compose.ts';
import type { StreamEvent as RecordEvent } from '../../functions/usage-counter/compose.ts';

const SEQUENCE_DIGITS = 21;
const WRITES_AT_ONCE = 8;
const JOURNAL = { pk: 'stream', sk: 'journal' };

/** The last batch that was begun; its keys stand in one item. */
interface Journal {
  readonly batch: number;
  readonly keys: readonly Item[];
}

export interface RecordStreamOptions {
  readonly client: DynamoClient;
  readonly tableName: string;
  /** Rejects where the batch has to come again. */
  readonly deliver: (event: RecordEvent) => Promise<void>;
  readonly intervalMs: number;
}

export interface RecordStream {
  /** Resolves when every record that was there is delivered. */
  drained(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Delivers a table's new items as a DynamoDB stream does, for a store that has none: in batches, each again until it was
 * taken, with positions that stay the same. Items that were not delivered yet stand in the sparse index `pending`. A batch
 * is written down before it is delivered, and its items leave the index after, so that nothing is lost or comes under
 * another position when the process is killed in between.
 */
export function startRecordStream({ client, tableName, deliver, intervalMs }: RecordStreamOptions): RecordStream {
  const table = new PendingItems({
    ...{ client, tableName, key: ['pk', 'sk'] },
    ...{ index: 'pending', attribute: 'pendingPk', value: 'pending' },
  });
  const journal = new JournalItem(client, tableName);
  /** The last batch that this process knows to be taken. */
  let taken = 0;
  let running = Promise.resolve();

  const finish = async ({ batch, keys }: Journal): Promise<void> => {
    const items = await table.read(keys);
    const Records = items.flatMap((item, at) =>
      item === undefined
        ? []
        : [
            {
              eventName: 'INSERT' as const,
              dynamodb: { SequenceNumber: positionOf(batch, at), NewImage: marshall(item) },
            },
          ],
    );
    await deliver({ Records: Records as RecordEvent['Records'], shardId: 'local' });
    await inParallel(keys, WRITES_AT_ONCE, (key) => table.unmark(key));
    taken = batch;
  };
  const round = async (): Promise<void> => {
    for (;;) {
      const last = await journal.read();
      if (last.batch > taken) await finish(last);
      const pending = await table.keys();
      const next = { batch: last.batch + 1, keys: (await table.stillPending(pending)).map(({ key }) => key) };
      if (next.keys.length > 0 && (await journal.write(next, last.batch))) await finish(next);
      if (pending.length < BATCH) return;
    }
  };
  const drained = (): Promise<void> => {
    const done = running.then(round);
    // What fails comes again at the next turn.
    running = done.catch(() => {});
    return done;
  };
  const timer = setInterval(() => void drained().catch(() => {}), intervalMs);
  return {
    drained,
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

/** What of the stream is written down. */
class JournalItem {
  private readonly client: DynamoClient;
  private readonly TableName: string;

  constructor(client: DynamoClient, tableName: string) {
    this.client = client;
    this.TableName = tableName;
  }

  async read(): Promise<Journal> {
    const command = new GetCommand({ TableName: this.TableName, Key: JOURNAL, ConsistentRead: true });
    const { Item } = await this.client.send(command);
    const { batch = 0, keys = '[]' } = (Item ?? {}) as { readonly batch?: number; readonly keys?: string };
    return { batch, keys: (JSON.parse(keys) as Parameters<typeof unmarshall>[0][]).map((key) => unmarshall(key)) };
  }

  /** @returns false where another process has written the next batch already */
  async write({ batch, keys }: Journal, after: number): Promise<boolean> {
    const command = new PutCommand({
      TableName: this.TableName,
      // Keys as DynamoDB has them, which is how earlier versions left them.
      Item: { ...JOURNAL, batch, keys: JSON.stringify(keys.map((key) => marshall(key))) },
      ConditionExpression: after === 0 ? 'attribute_not_exists(#batch)' : '#batch = :after',
      ExpressionAttributeNames: { '#batch': 'batch' },
      ...(after > 0 && { ExpressionAttributeValues: { ':after': after } }),
    });
    return isWritten('records table', () => this.client.send(command));
  }
}

function positionOf(batch: number, at: number): string {
  return String(batch * BATCH + at).padStart(SEQUENCE_DIGITS, '0');
}

/** So many come at a time: BatchGetItem takes no more. */
const BATCH = 100;

interface PendingOptions {
  readonly client: DynamoClient;
  readonly tableName: string;
  /** A sparse index that items are in until they are delivered, and the attribute and its one value that keep them there. */
  readonly index: string;
  readonly attribute: string;
  readonly value: string;
  /** The attributes of the table's key. */
  readonly key: readonly string[];
}

/** A table's items that were not delivered yet, for a store without streams. */
class PendingItems {
  private readonly options: PendingOptions;

  constructor(options: PendingOptions) {
    this.options = options;
  }

  /** The keys of some of them, as the index has them. */
  async keys(): Promise<Item[]> {
    const { client, tableName, index, attribute, value, key } = this.options;
    const command = new QueryCommand({
      TableName: tableName,
      IndexName: index,
      KeyConditionExpression: '#pending = :pending',
      ExpressionAttributeNames: { '#pending': attribute },
      ExpressionAttributeValues: { ':pending': value },
      Limit: BATCH,
    });
    const { Items = [] } = await client.send(command);
    return Items.map((item) => Object.fromEntries(key.map((name) => [name, item[name]])));
  }

  /** Of these keys those whose items are still to be delivered: an index may lag behind its table. */
  async stillPending(keys: readonly Item[]): Promise<{ readonly key: Item; readonly item: Item }[]> {
    const items = await this.read(keys);
    return keys.flatMap((key, at) => {
      const item = items[at];
      return item?.[this.options.attribute] === undefined ? [] : [{ key, item }];
    });
  }

  /** In the order of their keys; undefined where an item is gone. */
  async read(keys: readonly Item[]): Promise<(Item | undefined)[]> {
    const { client, tableName } = this.options;
    const found = new Map<string, Item>();
    for (let wanted = [...keys]; wanted.length > 0; ) {
      const RequestItems = { [tableName]: { Keys: wanted, ConsistentRead: true } };
      const { Responses, UnprocessedKeys } = await client.send(new BatchGetCommand({ RequestItems }));
      for (const item of Responses?.[tableName] ?? []) found.set(this.nameOf(item), item);
      wanted = UnprocessedKeys?.[tableName]?.Keys ?? [];
    }
    return keys.map((key) => found.get(this.nameOf(key)));
  }

  /** Takes an item out of the index. */
  async unmark(key: Item): Promise<void> {
    const { client, tableName, attribute } = this.options;
    const command = new UpdateCommand({
      TableName: tableName,
      Key: key,
      UpdateExpression: 'REMOVE #pending',
      // One that was deleted meanwhile must not come back as an empty item.
      ConditionExpression: 'attribute_exists(#pk)',
      ExpressionAttributeNames: { '#pending': attribute, '#pk': 'pk' },
    });
    try {
      await client.send(command);
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  }

  private nameOf(item: Item): string {
    return this.options.key.map((name) => item[name]).join(' ');
  }
}

interface OutboxStreamOptions {
  readonly client: DynamoClient;
  /** Takes the events out of the items that it was given, or rejects where they have to come again. */
  readonly deliver: (event: OutboxEvent) => Promise<void>;
  readonly intervalMs: number;
}

interface OutboxStream {
  /** Resolves when the events that were there are delivered, or cannot be now. */
  stop(): Promise<void>;
}

/**
 * Delivers items with events as DynamoDB streams do, for a store that has none: a poll of the sparse index that they are in
 * until their events are taken out, which is what the relay does. What is cut off in between comes again.
 */
export function startOutboxStream({ client, deliver, intervalMs }: OutboxStreamOptions): OutboxStream {
  const tables = RELAYED_TABLES.map((name) => {
    const { partitionKey, sortKey }: TableDefinition = TABLES[name];
    const key = sortKey === undefined ? [partitionKey] : [partitionKey, sortKey];
    const where = { index: 'outbox', attribute: 'outboxPk', value: 'outbox' };
    return { name, items: new PendingItems({ client, tableName: name, key, ...where }) };
  });
  const drain = async (name: string, items: PendingItems): Promise<void> => {
    for (;;) {
      const keys = await items.keys();
      const pending = await items.stillPending(keys);
      const eventSourceARN = `arn:aws:dynamodb:local:000000000000:table/${name}/stream/local`;
      const Records = pending.map(({ key, item }) => ({
        eventSourceARN,
        dynamodb: { Keys: marshall(key), NewImage: marshall(item) },
      }));
      if (Records.length > 0) await deliver({ Records });
      if (keys.length < BATCH) return;
    }
  };
  let running: Promise<unknown> = Promise.resolve();
  let waiting = false;
  /** What fails comes again at the next turn, and what fails in one table holds no other up. */
  const round = (): void => {
    if (waiting) return;
    waiting = true;
    running = running.then(() => {
      waiting = false;
      return Promise.allSettled(tables.map(({ name, items }) => drain(name, items)));
    });
  };
  round();
  const timer = setInterval(round, intervalMs);
  return {
    stop: async () => {
      clearInterval(timer);
      round();
      await running;
    },
  };
}
