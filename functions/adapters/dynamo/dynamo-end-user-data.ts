import { DeleteCommand, PutCommand, QueryCommand, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import { endUserListKey, endUserPartitions } from '../../core/analytics/cells.ts';
import { forgottenKey } from '../../core/analytics/count-records.ts';
import type { EndUserStore } from '../../core/analytics/request-records.ts';
import { sessionIdIn } from '../../core/analytics/sessions.ts';
import { inParallel } from '../../core/base/batches.ts';
import type { Clock } from '../../core/base/clock.ts';
import type { DynamoClient } from '../aws/clients.ts';
import { reachStore } from '../aws/reach-store.ts';
import type { Item } from './dynamo-calls.ts';
import { isGivenId, withdrawn } from './dynamo-issued-ids.ts';
import { toPosition } from './dynamo-request-records.ts';
import { nameKey } from './dynamo-session-store.ts';
import { LIST_SHARDS, partitionOf } from './sharded-list.ts';

const AT_ONCE = 16;
/** The attributes of an item's key, which every index holds. */
const KEYS = ['pk', 'sk'];

/** Longer than a stream keeps what was on its way. */
const FORGOTTEN_SECONDS = 3 * 86_400;
/** An index may lag behind its table: looked again until nothing is left to find. */
const MAX_PASSES = 5;

/** How many there are of each that name an end user. */
type EndUserItems = Readonly<Record<'records' | 'sessions' | 'aggregates' | 'captures', number>>;

interface TableKey {
  readonly pk: string;
  /** Of tables with a sort key. */
  readonly sk: string | undefined;
}

/** A table's key, or an index's item, with what is read of it. */
interface FoundItem {
  readonly pk: string;
  readonly sk: string;
  /** A record as JSON. */
  readonly record?: string;
}

/** What is to be deleted from each table, and how much of it is known to be there. */
interface Found {
  readonly keys: Readonly<Record<keyof EndUserItems, readonly TableKey[]>>;
  readonly items: EndUserItems;
}

/** An end user's data in the tables that name him, and his captured texts. */
export class DynamoEndUserData implements EndUserStore {
  private readonly client: DynamoClient;
  private readonly tables: Readonly<Record<keyof EndUserItems, string>>;
  private readonly clock: Clock;

  constructor(client: DynamoClient, tables: Readonly<Record<keyof EndUserItems, string>>, clock: Clock) {
    this.client = client;
    this.tables = tables;
    this.clock = clock;
  }

  /** Looks for everything that names him, whichever key it came by. */
  async find(endUserId: string): Promise<EndUserItems> {
    return (await this.search(endUserId)).items;
  }

  /**
   * What was on its way to be counted then counts as nobody's. What his requests add up to together with everybody's stays.
   * A request that runs meanwhile leaves its record behind: delete again when it is over.
   */
  async deleteEndUser(endUserId: string): Promise<EndUserItems> {
    await this.forget(endUserId);
    let deleted: EndUserItems = { records: 0, sessions: 0, aggregates: 0, captures: 0 };
    for (let pass = 0; pass < MAX_PASSES; pass += 1) {
      const { keys, items } = await this.search(endUserId);
      if (Object.values(items).every((count) => count === 0)) return deleted;
      // Texts are found by their records, and what is remembered of a named session by its totals: these go last.
      for (const table of ['captures', 'records', 'sessions', 'aggregates'] as const) {
        await this.deleteAll(this.tables[table], keys[table]);
      }
      deleted = sum(deleted, items);
    }
    return deleted;
  }

  private async forget(endUserId: string): Promise<void> {
    const nowMs = this.clock.now();
    const { pk, sk } = forgottenKey(endUserId);
    const Item = {
      pk,
      sk,
      value: JSON.stringify({ at: nowMs }),
      version: 1,
      expiresAt: Math.ceil(nowMs / 1000) + FORGOTTEN_SECONDS,
    };
    const write = () => this.client.send(new PutCommand({ TableName: this.tables.aggregates, Item }));
    await reachStore('aggregates table', write);
  }

  private async search(endUserId: string): Promise<Found> {
    const { records, aggregates, sessions } = this.tables;
    const listed = (table: string, index: string, attributes: readonly string[]) =>
      Promise.all(
        Array.from({ length: LIST_SHARDS }, (_, shard) =>
          this.itemsIn(table, attributes, 'endUserPk', partitionOf(endUserId, shard), index),
        ),
      ).then((parts) => parts.flat());
    const [ofRecords, totals, open, cells] = await Promise.all([
      listed(records, 'byEndUser', [...KEYS, 'record']),
      listed(aggregates, 'sessionsByEndUser', KEYS),
      this.itemsIn(sessions, ['pk'], 'endUserPk', endUserId, 'byEndUser'),
      this.cellsOf(endUserId),
    ]);
    const captured = ofRecords.filter(({ record }) => JSON.parse(record ?? '{}').capture !== 'none');
    return {
      keys: {
        records: ofRecords.map(keyOf),
        captures: captured.map(({ sk }) => ({ pk: toPosition(sk).id, sk: undefined })),
        aggregates: [...totals, ...cells].map(keyOf),
        sessions: [
          ...open.map(keyOf),
          ...totals.map(({ pk, sk }) => ({ pk: nameKey(sk, sessionIdIn(pk)), sk: undefined })),
        ],
      },
      items: {
        records: ofRecords.length,
        sessions: totals.length + open.length,
        aggregates: cells.length,
        captures: captured.length,
      },
    };
  }

  private async cellsOf(endUserId: string): Promise<TableKey[]> {
    const parts = await Promise.all(
      endUserPartitions(endUserId).map(async ({ interval, pk }) => {
        const own = await this.itemsIn(this.tables.aggregates, KEYS, 'pk', pk);
        const buckets = new Set(own.map(({ sk }) => sk.split('#')[0] as string));
        const listed = [...buckets].map((bucket) => endUserListKey(endUserId, interval, bucket));
        return [...own, ...listed];
      }),
    );
    return parts.flat();
  }

  /** `attributes` of the items of a partition: such as the index holds, since DynamoDB refuses to name others. */
  private async itemsIn(
    table: string,
    attributes: readonly string[],
    attribute: string,
    partition: string,
    index?: string,
  ): Promise<FoundItem[]> {
    const items: FoundItem[] = [];
    let start: Item | undefined;
    do {
      const read = () =>
        this.client.send(
          new QueryCommand({
            TableName: table,
            IndexName: index,
            KeyConditionExpression: '#partition = :partition',
            ProjectionExpression: attributes.map((name) => `#${name}`).join(', '),
            ExpressionAttributeNames: {
              ...Object.fromEntries(attributes.map((name) => [`#${name}`, name])),
              '#partition': attribute,
            },
            ExpressionAttributeValues: { ':partition': partition },
            ExclusiveStartKey: start,
          }),
        );
      const { Items = [], LastEvaluatedKey } = await reachStore(`${table} table`, read);
      items.push(...(Items as FoundItem[]));
      start = LastEvaluatedKey;
    } while (start !== undefined);
    return items;
  }

  private async deleteAll(table: string, keys: readonly TableKey[]): Promise<void> {
    await inParallel(keys, AT_ONCE, (Key) => {
      // Deleted, an id would be as one that was made outside, which another key may be allowed to name.
      const write = () =>
        isGivenId(Key.pk)
          ? this.client.send(new PutCommand({ TableName: table, Item: withdrawn(Key.pk) }))
          : this.client.send(new DeleteCommand({ TableName: table, Key }));
      return reachStore(`${table} table`, write);
    });
  }
}

function keyOf({ pk, sk }: TableKey): TableKey {
  return { pk, sk };
}

function sum(a: EndUserItems, b: EndUserItems): EndUserItems {
  return {
    records: a.records + b.records,
    sessions: a.sessions + b.sessions,
    aggregates: a.aggregates + b.aggregates,
    captures: a.captures + b.captures,
  };
}

const WHAT = 'deliveries table';
interface DeliveryKey {
  readonly pk: string;
  readonly sk: string;
}

/** Deliveries of events that name an end user. What was not sent yet never is. */
export class DynamoDeliveredEndUsers implements EndUserStore {
  private readonly client: DynamoClient;
  private readonly tableName: string;

  constructor(client: DynamoClient, tableName: string) {
    this.client = client;
    this.tableName = tableName;
  }

  async deleteEndUser(endUserId: string): Promise<{ deliveries: number }> {
    const deleted = new Set<string>();
    for (let pass = 1; pass <= MAX_PASSES; pass += 1) {
      const keys = await this.keysOf(endUserId);
      if (keys.length === 0) break;
      await inParallel(keys, AT_ONCE, async (Key) => {
        const write = () => this.client.send(new DeleteCommand({ TableName: this.tableName, Key }));
        await reachStore(WHAT, write);
        deleted.add(Key.pk);
      });
    }
    return { deliveries: deleted.size };
  }

  private async keysOf(endUserId: string): Promise<DeliveryKey[]> {
    const keys: DeliveryKey[] = [];
    let start: QueryCommandOutput['LastEvaluatedKey'];
    do {
      const read = () =>
        this.client.send(
          new QueryCommand({
            TableName: this.tableName,
            IndexName: 'byEndUser',
            KeyConditionExpression: '#endUser = :endUser',
            ExpressionAttributeNames: { '#endUser': 'endUserPk' },
            ExpressionAttributeValues: { ':endUser': endUserId },
            ExclusiveStartKey: start,
          }),
        );
      const { Items = [], LastEvaluatedKey } = await reachStore(WHAT, read);
      keys.push(...Items.map(({ pk, sk }) => ({ pk, sk })));
      start = LastEvaluatedKey;
    } while (start !== undefined);
    return keys;
  }
}
