import {
  type AttributeValue,
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { inParallel } from '../../functions/core/analytics/in-parallel.ts';
import type { StreamEvent } from '../../functions/usage-counter/stream-event.ts';

type Item = Record<string, AttributeValue>;

/** One batch's keys stand in one item, and BatchGetItem takes no more. */
const BATCH = 100;
const SEQUENCE_DIGITS = 21;
const WRITES_AT_ONCE = 8;
const JOURNAL = { pk: { S: 'stream' }, sk: { S: 'journal' } };

interface Journal {
  readonly batch: number;
  readonly keys: readonly Item[];
}

export interface RecordStreamOptions {
  readonly client: DynamoDBClient;
  readonly tableName: string;
  /** Rejects where the batch has to come again. */
  readonly deliver: (event: StreamEvent) => Promise<void>;
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
  const table = new StreamedTable(client, tableName);
  /** The last batch that this process knows to be taken. */
  let taken = 0;
  let running = Promise.resolve();

  const finish = async ({ batch, keys }: Journal): Promise<void> => {
    const items = await table.read(keys);
    const Records = items.flatMap((item, at) =>
      item === undefined
        ? []
        : [{ eventName: 'INSERT' as const, dynamodb: { SequenceNumber: positionOf(batch, at), NewImage: item } }],
    );
    await deliver({ Records: Records as StreamEvent['Records'], shardId: 'local' });
    await inParallel(keys, WRITES_AT_ONCE, (key) => table.unmark(key));
    taken = batch;
  };
  const round = async (): Promise<void> => {
    for (;;) {
      const last = await table.journal();
      if (last.batch > taken) await finish(last);
      const pending = await table.pending();
      const next = { batch: last.batch + 1, keys: await table.stillPending(pending) };
      if (next.keys.length > 0 && (await table.writeJournal(next, last.batch))) await finish(next);
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

class StreamedTable {
  private readonly client: DynamoDBClient;
  private readonly TableName: string;

  constructor(client: DynamoDBClient, tableName: string) {
    this.client = client;
    this.TableName = tableName;
  }

  async journal(): Promise<Journal> {
    const command = new GetItemCommand({ TableName: this.TableName, Key: JOURNAL, ConsistentRead: true });
    const { Item } = await this.client.send(command);
    return { batch: Number(Item?.batch?.N ?? 0), keys: JSON.parse(Item?.keys?.S ?? '[]') };
  }

  /** @returns false where another process has written the next batch already */
  async writeJournal({ batch, keys }: Journal, after: number): Promise<boolean> {
    const command = new PutItemCommand({
      TableName: this.TableName,
      Item: { ...JOURNAL, batch: { N: String(batch) }, keys: { S: JSON.stringify(keys) } },
      ConditionExpression: after === 0 ? 'attribute_not_exists(#batch)' : '#batch = :after',
      ExpressionAttributeNames: { '#batch': 'batch' },
      ...(after > 0 && { ExpressionAttributeValues: { ':after': { N: String(after) } } }),
    });
    try {
      await this.client.send(command);
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }

  async pending(): Promise<Item[]> {
    const command = new QueryCommand({
      TableName: this.TableName,
      IndexName: 'pending',
      KeyConditionExpression: '#pending = :pending',
      ExpressionAttributeNames: { '#pending': 'pendingPk' },
      ExpressionAttributeValues: { ':pending': { S: 'pending' } },
      Limit: BATCH,
    });
    const { Items = [] } = await this.client.send(command);
    return Items.map(({ pk, sk }) => ({ pk, sk }) as Item);
  }

  /** An index may lag behind its table: what it names may be delivered already. */
  async stillPending(keys: readonly Item[]): Promise<Item[]> {
    const items = await this.read(keys);
    return keys.filter((_, at) => items[at]?.pendingPk !== undefined);
  }

  /** In the order of their keys; undefined where an item is gone. */
  async read(keys: readonly Item[]): Promise<(Item | undefined)[]> {
    const found = new Map<string, Item>();
    for (let wanted = [...keys]; wanted.length > 0; ) {
      const RequestItems = { [this.TableName]: { Keys: wanted, ConsistentRead: true } };
      const { Responses, UnprocessedKeys } = await this.client.send(new BatchGetItemCommand({ RequestItems }));
      for (const item of Responses?.[this.TableName] ?? []) found.set(nameOf(item), item);
      wanted = UnprocessedKeys?.[this.TableName]?.Keys ?? [];
    }
    return keys.map((key) => found.get(nameOf(key)));
  }

  async unmark(key: Item): Promise<void> {
    const command = new UpdateItemCommand({
      TableName: this.TableName,
      Key: key,
      UpdateExpression: 'REMOVE #pending',
      // One that was deleted meanwhile must not come back as an empty item.
      ConditionExpression: 'attribute_exists(#pk)',
      ExpressionAttributeNames: { '#pending': 'pendingPk', '#pk': 'pk' },
    });
    try {
      await this.client.send(command);
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  }
}

function positionOf(batch: number, at: number): string {
  return String(batch * BATCH + at).padStart(SEQUENCE_DIGITS, '0');
}

function nameOf({ pk, sk }: Item): string {
  return `${pk?.S} ${sk?.S}`;
}
