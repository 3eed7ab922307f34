import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoClient } from '../../functions/adapters/aws/clients.ts';
import { isWritten } from '../../functions/adapters/dynamo/conditional-write.ts';
import type { Item } from '../../functions/adapters/dynamo/dynamo-item.ts';
import { inParallel } from '../../functions/core/base/batches.ts';
import type { StreamEvent } from '../../functions/usage-counter/compose.ts';
import { BATCH, PendingItems } from './pending-items.ts';

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
    await deliver({ Records: Records as StreamEvent['Records'], shardId: 'local' });
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
