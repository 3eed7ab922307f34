import { DeleteCommand, PutCommand, QueryCommand, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import {
  type EndUserStore,
  endUserListKey,
  endUserPartitions,
  forgottenKey,
  sessionIdIn,
} from '../../control/analytics/index.ts';
import { type Clock, inParallel } from '../../kernel/tasks/index.ts';
import type { DynamoClient } from '../aws/clients.ts';
import { reachStore } from '../aws/reach-store.ts';
import type { Item } from './dynamo-calls.ts';
import { isIdentityId } from './dynamo-identity-store.ts';
import { isIssuedId, withdrawnIdItem } from './dynamo-issued-ids.ts';
import { nameKey } from './dynamo-session-store.ts';
import { hasCapture, toPosition } from './record-item.ts';
import { LIST_SHARDS, mostShards, partitionOf, type Shards } from './sharded-list.ts';

const AT_ONCE = 16;
/** Key attributes, which every index contains. */
const KEYS = ['pk', 'sk'];

/** Longer than a stream keeps records that are not counted yet. */
const FORGOTTEN_SECONDS = 3 * 86_400;
/** An index may lag behind its table, so the search repeats until it finds nothing. */
const MAX_PASSES = 5;

/** Indexes of records and sessions by whom they are about. */
const BY_END_USER = { attribute: 'endUserPk', records: 'byEndUser', sessions: 'sessionsByEndUser' } as const;
const BY_KEY = { attribute: 'keyPk', records: 'byKey', sessions: 'sessionsByKey' } as const;

/** Number of items of each kind that name an end user. */
type EndUserItems = Readonly<Record<'records' | 'sessions' | 'aggregates' | 'captures', number>>;

interface TableKey {
  readonly pk: string;
  /** Only for tables with a sort key. */
  readonly sk: string | undefined;
}

/** A table key or an index item, with the attributes that are read. */
interface FoundItem {
  readonly pk: string;
  readonly sk: string;
  /** Of a record, in either form (record-item.ts). */
  readonly record?: string;
}

/** The keys to delete from each table, and the known number of items. */
interface Found {
  readonly keys: Readonly<Record<keyof EndUserItems, readonly TableKey[]>>;
  readonly items: EndUserItems;
}

/** The data of an end user in the tables that name them, and their captured texts. Of an identity's id, those of its requests. */
export class DynamoEndUserData implements EndUserStore {
  private readonly client: DynamoClient;
  private readonly tables: Readonly<Record<keyof EndUserItems, string>>;
  private readonly clock: Clock;
  private readonly shards: Shards;

  /** `shards`: of the records. */
  constructor(
    client: DynamoClient,
    tables: Readonly<Record<keyof EndUserItems, string>>,
    clock: Clock,
    shards: Shards = [],
  ) {
    this.client = client;
    this.tables = tables;
    this.clock = clock;
    this.shards = shards;
  }

  /** Counts everything that names the end user, under any key. */
  async find(endUserId: string): Promise<EndUserItems> {
    return (await this.search(endUserId)).items;
  }

  /**
   * Records that are not counted yet are counted without an end user. Totals that include other users stay. A request that runs meanwhile
   * leaves a record: delete again when it has ended.
   */
  async deleteEndUser(endUserId: string): Promise<EndUserItems> {
    await this.forget(endUserId);
    let deleted: EndUserItems = { records: 0, sessions: 0, aggregates: 0, captures: 0 };
    for (let pass = 0; pass < MAX_PASSES; pass += 1) {
      const { keys, items } = await this.search(endUserId);
      if (Object.values(items).every((count) => count === 0)) return deleted;
      // Captures are found through records, and named sessions through totals, so these are deleted last.
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
    const lists = isIdentityId(endUserId) ? [BY_END_USER, BY_KEY] : [BY_END_USER];
    const listed = async (table: string, of: 'records' | 'sessions', attributes: readonly string[]) => {
      const parts = lists.flatMap((list) =>
        Array.from({ length: of === 'records' ? mostShards(this.shards) : LIST_SHARDS }, (_, shard) =>
          this.itemsIn(table, attributes, list.attribute, partitionOf(endUserId, shard), list[of]),
        ),
      );
      return (await Promise.all(parts)).flat();
    };
    const [ofRecords, totals, open, cells] = await Promise.all([
      listed(records, 'records', [...KEYS, 'record']),
      listed(aggregates, 'sessions', KEYS),
      this.itemsIn(sessions, ['pk'], 'endUserPk', endUserId, 'byEndUser'),
      this.cellsOf(endUserId),
    ]);
    const captured = ofRecords.filter(({ record }) => hasCapture(record));
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

  /** `attributes` of the items of a partition. The index must contain them: DynamoDB refuses others. */
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
      // A deleted id would count as an id from outside the gateway, which another key might be allowed to use.
      const write = () =>
        isIssuedId(Key.pk)
          ? this.client.send(new PutCommand({ TableName: table, Item: withdrawnIdItem(Key.pk) }))
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

/** Deliveries of events that name an end user. Unsent ones are never sent. */
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
