import { hash } from 'node:crypto';
import { BatchGetCommand, PutCommand, type PutCommandInput, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type {
  Aggregate,
  AggregateKey,
  AggregateReader,
  AggregateRow,
  AggregateStore,
  SessionList,
  SessionQuery,
  VersionedAggregate,
} from '../../control/analytics/index.ts';
import { StoreUnavailable } from '../../kernel/errors/index.ts';
import type { Clock } from '../../kernel/tasks/index.ts';
import type { DynamoClient } from '../aws/clients.ts';
import { reachStore } from '../aws/reach-store.ts';
import { type Item, isLive, isWritten } from './dynamo-calls.ts';
import { LIST_SHARDS, type ListQuery, partitionOf, readList } from './sharded-list.ts';

/** Limit of BatchGetItem. */
const MAX_KEYS = 100;
const MAX_ROUNDS = 8;
const BACKOFF_MS = 25;

const ALL_SESSIONS = 'sessions';

interface AggregateItem {
  readonly pk: string;
  readonly sk: string;
  /** JSON. */
  readonly value: string;
  readonly version: number;
  /** Unix seconds. */
  readonly expiresAt: number;
}

/** Aggregates in DynamoDB: one item each, its value as JSON. */
export class DynamoAggregates implements AggregateStore, AggregateReader, SessionList {
  private readonly client: DynamoClient;
  private readonly tableName: string;
  private readonly clock: Clock;

  constructor(client: DynamoClient, tableName: string, clock: Clock) {
    this.client = client;
    this.tableName = tableName;
    this.clock = clock;
  }

  async read(keys: readonly AggregateKey[]): Promise<(VersionedAggregate | undefined)[]> {
    const chunks: AggregateKey[][] = [];
    for (let at = 0; at < keys.length; at += MAX_KEYS) chunks.push(keys.slice(at, at + MAX_KEYS));
    const found = new Map<string, VersionedAggregate>();
    await Promise.all(chunks.map((chunk) => this.readChunk(chunk, found)));
    return keys.map((key) => found.get(nameOf(key)));
  }

  async replace({ key, value, expiresAt, listed }: Aggregate, version: number | undefined): Promise<boolean> {
    const condition: Partial<PutCommandInput> =
      version === undefined
        ? { ConditionExpression: 'attribute_not_exists(#pk)', ExpressionAttributeNames: { '#pk': 'pk' } }
        : {
            ConditionExpression: '#version = :version',
            ExpressionAttributeNames: { '#version': 'version' },
            ExpressionAttributeValues: { ':version': version },
          };
    const write = () =>
      this.client.send(
        new PutCommand({
          TableName: this.tableName,
          Item: {
            ...toKey(key),
            value: JSON.stringify(value),
            version: (version ?? 0) + 1,
            expiresAt,
            ...(listed !== undefined && listNamesOf(listed)),
          },
          ...condition,
        }),
      );
    return isWritten('aggregates table', write);
  }

  async range(pk: string, from: string, to: string): Promise<AggregateRow[]> {
    const rows: AggregateRow[] = [];
    const nowMs = this.clock.now();
    let start: Item | undefined;
    do {
      const read = () =>
        this.client.send(
          new QueryCommand({
            TableName: this.tableName,
            KeyConditionExpression: '#pk = :pk AND #sk BETWEEN :from AND :to',
            ExpressionAttributeNames: { '#pk': 'pk', '#sk': 'sk' },
            ExpressionAttributeValues: { ':pk': pk, ':from': from, ':to': to },
            ExclusiveStartKey: start,
          }),
        );
      const { Items = [], LastEvaluatedKey } = await reachStore('aggregates table', read);
      for (const item of Items as AggregateItem[]) {
        if (item.sk < to && isLive(item, nowMs)) rows.push({ sk: item.sk, value: toVersioned(item).value });
      }
      start = LastEvaluatedKey;
    } while (start !== undefined);
    return rows;
  }

  async listSessions(
    query: SessionQuery,
    limit: number,
    after: string | undefined,
  ): Promise<{ values: readonly object[]; next: string | undefined }> {
    const { items, next } = await readList(this.client, {
      ...sessionListFor(query),
      tableName: this.tableName,
      sortKey: 'listSk',
      from: query.from,
      to: query.to,
      after,
      limit,
    });
    const sessions = await this.read(items as unknown as readonly AggregateKey[]);
    const nowSeconds = this.clock.now() / 1000;
    const live = sessions.filter((session) => session !== undefined && session.expiresAt > nowSeconds);
    return { values: live.map((session) => session?.value as object), next };
  }

  private async readChunk(keys: readonly AggregateKey[], found: Map<string, VersionedAggregate>): Promise<void> {
    let wanted: Item[] = keys.map(toKey);
    for (let round = 0; wanted.length > 0; round += 1) {
      if (round === MAX_ROUNDS) throw new StoreUnavailable('aggregates table: too few items per call');
      if (round > 0) await new Promise((resolve) => setTimeout(resolve, BACKOFF_MS * 2 ** round));
      const request = { [this.tableName]: { Keys: wanted, ConsistentRead: true } };
      const read = () => this.client.send(new BatchGetCommand({ RequestItems: request }));
      const { Responses, UnprocessedKeys } = await reachStore('aggregates table', read);
      for (const item of (Responses?.[this.tableName] ?? []) as AggregateItem[]) {
        found.set(nameOf(item), toVersioned(item));
      }
      wanted = UnprocessedKeys?.[this.tableName]?.Keys ?? [];
    }
  }
}

/** The session's keys in the indexes. */
function listNamesOf({ key, endUser, team, sort }: NonNullable<Aggregate['listed']>): Item {
  const shard = Number.parseInt(hash('sha256', sort, 'hex').slice(0, 8), 16) % LIST_SHARDS;
  return {
    listPk: partitionOf(ALL_SESSIONS, shard),
    keyPk: partitionOf(key, shard),
    endUserPk: endUser === undefined ? undefined : partitionOf(endUser, shard),
    teamPk: team === undefined ? undefined : partitionOf(team, shard),
    listSk: sort,
  };
}

/** The list that contains the sessions of a query: that of a team first, because a cursor has the name of any session that was read. */
function sessionListFor({
  teamId,
  endUserId,
  keyId,
}: SessionQuery): Pick<ListQuery, 'index' | 'partitionKey' | 'list'> {
  if (teamId !== undefined) return { index: 'sessionsByTeam', partitionKey: 'teamPk', list: teamId };
  if (endUserId !== undefined) return { index: 'sessionsByEndUser', partitionKey: 'endUserPk', list: endUserId };
  if (keyId !== undefined) return { index: 'sessionsByKey', partitionKey: 'keyPk', list: keyId };
  return { index: 'sessions', partitionKey: 'listPk', list: ALL_SESSIONS };
}

function toKey({ pk, sk }: AggregateKey): Item {
  return { pk, sk };
}

function nameOf({ pk, sk }: AggregateKey): string {
  return JSON.stringify([pk, sk]);
}

function toVersioned({ value, version, expiresAt }: AggregateItem): VersionedAggregate {
  return { value: JSON.parse(value) as object, version, expiresAt };
}
