import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, GetCommand, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoClient } from '../../functions/adapters/aws/clients.ts';
import { type Item, isWritten } from '../../functions/adapters/dynamo/dynamo-calls.ts';
import {
  RELAYED_TABLES,
  TABLES,
  type TableDefinition,
  type TableName,
} from '../../functions/adapters/dynamo/tables.ts';
import type { StreamEvent as OutboxEvent } from '../../functions/event-relay/compose.ts';
import { inParallel } from '../../functions/kernel/tasks/index.ts';
import type { StreamEvent as RecordEvent } from '../../functions/usage-counter/compose.ts';

const SEQUENCE_DIGITS = 21;
const WRITES_AT_ONCE = 8;
const JOURNAL = { pk: 'stream', sk: 'journal' };

/** The last started batch; its keys are in one item. */
interface Journal {
  readonly batch: number;
  readonly keys: readonly Item[];
}

export interface RecordStreamOptions {
  readonly client: DynamoClient;
  readonly tableName: string;
  /** Rejects if the batch must be retried. */
  readonly deliver: (event: RecordEvent) => Promise<void>;
  readonly intervalMs: number;
}

export interface RecordStream {
  /** Resolves when all existing records are delivered. */
  drained(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Delivers a table's new items as a DynamoDB stream does, for a store without streams: in batches with stable positions, each
 * retried until accepted. Undelivered items are in the sparse index `pending`. A batch is written to the journal before
 * delivery, and its items leave the index after it, so a kill in between loses nothing and changes no position.
 */
export function startRecordStream({ client, tableName, deliver, intervalMs }: RecordStreamOptions): RecordStream {
  const table = new PendingItems({
    ...{ client, tableName, key: ['pk', 'sk'] },
    ...{ index: 'pending', attribute: 'pendingPk', value: 'pending' },
  });
  const journal = new JournalItem(client, tableName);
  /** The last batch that was accepted, as far as this process knows. */
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
  const round = async (): Promise<boolean> => {
    for (let hasFound = false; ; hasFound = true) {
      const last = await journal.read();
      if (last.batch > taken) await finish(last);
      const pending = await table.keys();
      const next = { batch: last.batch + 1, keys: (await table.stillPending(pending)).map(({ key }) => key) };
      if (next.keys.length > 0 && (await journal.write(next, last.batch))) await finish(next);
      if (pending.length < BATCH) return hasFound || pending.length > 0;
    }
  };
  const drain = (): Promise<boolean> => {
    const done = running.then(round);
    // Failures are retried in the next round.
    running = done.then(
      () => {},
      () => {},
    );
    return done;
  };
  const stopRepeating = repeat(drain, intervalMs);
  return {
    drained: async () => void (await drain()),
    stop: async () => {
      stopRepeating();
      await running;
    },
  };
}

/** While rounds find nothing, the pause between them doubles up to so many intervals: each round is a call for each table. */
const IDLE_INTERVALS = 4;

/** Runs rounds with pauses between them until the returned function is called. A round resolves to whether it has found items. */
function repeat(round: () => Promise<boolean>, intervalMs: number): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const waitFor = (pauseMs: number): void => {
    if (isStopped) return;
    const next = (hasFound: boolean) =>
      waitFor(hasFound ? intervalMs : Math.min(2 * pauseMs, IDLE_INTERVALS * intervalMs));
    timer = setTimeout(() => {
      round().then(next, () => next(true));
    }, pauseMs);
  };
  waitFor(intervalMs);
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

/** The item with the last started batch. */
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

  /** @returns false if another process has written the next batch */
  async write({ batch, keys }: Journal, after: number): Promise<boolean> {
    const command = new PutCommand({
      TableName: this.TableName,
      // In DynamoDB's JSON, for compatibility with earlier versions.
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

/** BatchGetItem's maximum. */
const BATCH = 100;

interface PendingOptions {
  readonly client: DynamoClient;
  readonly tableName: string;
  /** The sparse index of undelivered items, and the attribute with its value that keeps items in it. */
  readonly index: string;
  readonly attribute: string;
  readonly value: string;
  /** Attributes of the table's key. */
  readonly key: readonly string[];
}

/** A table's undelivered items, for a store without streams. */
class PendingItems {
  private readonly options: PendingOptions;

  constructor(options: PendingOptions) {
    this.options = options;
  }

  /** Keys of up to BATCH undelivered items, from the index. */
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

  /** The keys whose items are still undelivered: an index may lag behind its table. */
  async stillPending(keys: readonly Item[]): Promise<{ readonly key: Item; readonly item: Item }[]> {
    const items = await this.read(keys);
    return keys.flatMap((key, at) => {
      const item = items[at];
      return item?.[this.options.attribute] === undefined ? [] : [{ key, item }];
    });
  }

  /** Items in the order of `keys`; undefined for a deleted item. */
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

  /** Removes an item from the index. */
  async unmark(key: Item): Promise<void> {
    const { client, tableName, attribute } = this.options;
    const command = new UpdateCommand({
      TableName: tableName,
      Key: key,
      UpdateExpression: 'REMOVE #pending',
      // An update would recreate a deleted item as an empty one.
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
  readonly tables: Readonly<Record<TableName, string>>;
  /** Removes the events from the items, or rejects if they must be retried. */
  readonly deliver: (event: OutboxEvent) => Promise<void>;
  readonly intervalMs: number;
}

interface OutboxStream {
  /** Resolves after a last attempt to deliver existing events. */
  stop(): Promise<void>;
}

/**
 * Delivers items with events as DynamoDB streams do, for a store without streams: polls the sparse index of items whose event the
 * relay has not removed. Interrupted deliveries are retried.
 */
export function startOutboxStream({ client, tables: names, deliver, intervalMs }: OutboxStreamOptions): OutboxStream {
  const tables = RELAYED_TABLES.map((table) => {
    const { partitionKey, sortKey }: TableDefinition = TABLES[table];
    const name = names[table];
    const key = sortKey === undefined ? [partitionKey] : [partitionKey, sortKey];
    const where = { index: 'outbox', attribute: 'outboxPk', value: 'outbox' };
    return { name, items: new PendingItems({ client, tableName: name, key, ...where }) };
  });
  const drain = async (name: string, items: PendingItems): Promise<boolean> => {
    for (let hasFound = false; ; hasFound = true) {
      const keys = await items.keys();
      const pending = await items.stillPending(keys);
      const eventSourceARN = `arn:aws:dynamodb:local:000000000000:table/${name}/stream/local`;
      const Records = pending.map(({ key, item }) => ({
        eventSourceARN,
        dynamodb: { Keys: marshall(key), NewImage: marshall(item) },
      }));
      if (Records.length > 0) await deliver({ Records });
      if (keys.length < BATCH) return hasFound || keys.length > 0;
    }
  };
  let running = Promise.resolve(false);
  /** Failures are retried in the next round and do not delay other tables. */
  const round = (): Promise<boolean> => {
    running = running.then(async () => {
      const results = await Promise.allSettled(tables.map(({ name, items }) => drain(name, items)));
      return results.some((result) => result.status === 'rejected' || result.value);
    });
    return running;
  };
  void round();
  const stopRepeating = repeat(round, intervalMs);
  return {
    stop: async () => {
      stopRepeating();
      await round();
    },
  };
}
