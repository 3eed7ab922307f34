import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type {
  CaptureStore,
  RecordPosition,
  RecordQuery,
  RequestRecordReader,
  RequestRecords,
  StoredRecord,
} from '../../control/analytics/index.ts';
import { StoreUnavailable } from '../../kernel/errors/index.ts';
import type { Capture, GatewayEvent, Mark, RequestRecord } from '../../kernel/model/index.ts';
import type { Clock } from '../../kernel/tasks/index.ts';
import type { DynamoClient } from '../aws/clients.ts';
import { reachStore } from '../aws/reach-store.ts';
import { type Item, isLive, isWritten, tryBatchPut, writeIf } from './dynamo-calls.ts';
import { outboxOf } from './dynamo-outbox.ts';
import {
  compactRecord,
  type RecordAttributes,
  type RecordForm,
  readRecordItem,
  toPosition,
  toSortKey,
} from './record-item.ts';
import { type ListQuery, mostShards, partitionOf, readList, type Shards, shardsAt } from './sharded-list.ts';

/** Limit of BatchWriteItem. */
const MAX_BATCH = 25;
const MAX_FLUSHES = 4;
/** Records waiting in memory while the table is unavailable: about 10 MB. */
const MAX_WAITING = 10_000;
const SECONDS_A_DAY = 86_400;

export interface RecordSettings {
  readonly keptDays: number;
  /** How long a record may wait for a batch; 0 if the process is billed by the millisecond. */
  readonly lingerMs: number;
  /** Marks each record as not counted, for a store without streams (lib/local/table-streams.ts). */
  readonly pendingIndex: boolean;
  /** `whole` if absent. */
  readonly form?: RecordForm;
  readonly shards?: Shards;
}

interface RecordClients {
  /** Tries once. */
  readonly together: DynamoClient;
  /** Retries in a background task. */
  readonly alone: DynamoClient;
}

interface Waiting {
  readonly item: Item;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Records in DynamoDB. A busy process writes them in batches; a single record is written at once. The request determines a record's key,
 * and existing records are never overwritten, so a repeated write creates one record.
 */
export class DynamoRequestRecords implements RequestRecords {
  private readonly clients: RecordClients;
  private readonly tableName: string;
  private readonly settings: RecordSettings;
  private readonly waiting: Waiting[] = [];
  private flushes = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(clients: RecordClients, tableName: string, settings: RecordSettings) {
    this.clients = clients;
    this.tableName = tableName;
    this.settings = settings;
  }

  write(record: RequestRecord, event?: GatewayEvent): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.waiting.length >= MAX_WAITING) throw new StoreUnavailable('records table: too many records waiting');
      this.waiting.push({ item: this.toItem(record, event), resolve, reject });
      if (this.settings.lingerMs === 0 || this.waiting.length >= MAX_BATCH) this.flush();
      else this.timer ??= setTimeout(() => this.flush(), this.settings.lingerMs);
    });
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    while (this.waiting.length > 0 && this.flushes < MAX_FLUSHES) {
      this.flushes += 1;
      void this.put(this.waiting.splice(0, MAX_BATCH)).finally(() => {
        this.flushes -= 1;
        this.flush();
      });
    }
  }

  private async put(batch: readonly Waiting[]): Promise<void> {
    const items = batch.map(({ item }) => item);
    // The keys are new, so the first attempt needs no condition; attempts after a failure do.
    if (batch.length > 1 && (await tryBatchPut(this.clients.together, this.tableName, items))) {
      for (const { resolve } of batch) resolve();
      return;
    }
    await Promise.all(batch.map(({ item, resolve, reject }) => this.putOne(item).then(resolve, reject)));
  }

  private async putOne(item: Item): Promise<void> {
    const input = {
      TableName: this.tableName,
      Item: item,
      ConditionExpression: 'attribute_not_exists(#pk)',
      ExpressionAttributeNames: { '#pk': 'pk' },
    };
    const write = () => this.clients.alone.send(new PutCommand(input));
    await isWritten('records table', write);
  }

  private toItem(record: RequestRecord, event: GatewayEvent | undefined): Item {
    const expiresAt = Math.ceil(Date.parse(record.time) / 1000) + this.settings.keptDays * SECONDS_A_DAY;
    const { shards = [], form, pendingIndex } = this.settings;
    return {
      ...recordKey(record, shards),
      ...indexKeysOf(record, shards),
      ...(pendingIndex && { pendingPk: 'pending' }),
      record: form === 'compact' ? compactRecord(record) : JSON.stringify(record),
      ...outboxOf(event),
      expiresAt,
    };
  }
}

const EVERYBODY = 'all';
const WITH_FINDINGS = 'findings';

/** A record's key in its table. */
function recordKey(position: RecordPosition, shards: Shards): { pk: string; sk: string } {
  return { pk: partitionOf(EVERYBODY, shardOf(position, shards)), sk: toSortKey(position) };
}

/** The keys of a record in the indexes. */
function indexKeysOf(record: RequestRecord, shards: Shards): Item {
  const of = (list: string) => partitionOf(list, shardOf(record, shards));
  return {
    keyPk: of(record.keyId),
    endUserPk: record.endUserId === null ? undefined : of(record.endUserId),
    findingsPk: record.findings.length > 0 ? of(WITH_FINDINGS) : undefined,
    teamPk: record.teamId === undefined ? undefined : of(record.teamId),
  };
}

/** The list that contains the records of a query: that of a team first, because a cursor has the place of any record that was read. */
function listFor({
  teamId,
  endUserId,
  keyId,
  withFindings,
}: RecordQuery): Pick<ListQuery, 'index' | 'partitionKey' | 'list'> {
  if (teamId !== undefined) return { index: 'byTeam', partitionKey: 'teamPk', list: teamId };
  if (endUserId !== undefined) return { index: 'byEndUser', partitionKey: 'endUserPk', list: endUserId };
  if (withFindings) return { index: 'withFindings', partitionKey: 'findingsPk', list: WITH_FINDINGS };
  if (keyId !== undefined) return { index: 'byKey', partitionKey: 'keyPk', list: keyId };
  return { partitionKey: 'pk', list: EVERYBODY };
}

/** A request's id is random, so its digits spread records evenly. */
function shardOf({ id, time }: RecordPosition, shards: Shards): number {
  return Number.parseInt(id.slice(-8), 16) % shardsAt(shards, time);
}

const MARK = 'mark';

/** Reads the records that DynamoRequestRecords writes. */
export class DynamoRecordReader implements RequestRecordReader {
  private readonly client: DynamoClient;
  private readonly tableName: string;
  private readonly clock: Clock;
  private readonly shards: Shards;

  constructor(client: DynamoClient, tableName: string, clock: Clock, shards: Shards = []) {
    this.client = client;
    this.tableName = tableName;
    this.clock = clock;
    this.shards = shards;
  }

  async page(
    query: RecordQuery,
    limit: number,
    after: RecordPosition | undefined,
  ): Promise<{ rows: StoredRecord[]; next: RecordPosition | undefined; read: number }> {
    const { items, next, read } = await readList(this.client, {
      ...listFor(query),
      tableName: this.tableName,
      sortKey: 'sk',
      from: query.from,
      to: query.to,
      after: after && toSortKey(after),
      limit,
      shards: mostShards(this.shards, query.from, query.to),
    });
    const nowMs = this.clock.now();
    const rows = items.filter((item) => isLive(item, nowMs)).map(toStored);
    return { rows, next: next === undefined ? undefined : toPosition(next), read };
  }

  async read(position: RecordPosition): Promise<StoredRecord | undefined> {
    const read = () =>
      this.client.send(new GetCommand({ TableName: this.tableName, Key: recordKey(position, this.shards) }));
    const { Item: item } = await reachStore('records table', read);
    return item === undefined || !isLive(item, this.clock.now()) ? undefined : toStored(item);
  }

  async mark(position: RecordPosition, finding: number, mark: Mark | null): Promise<StoredRecord | undefined> {
    const write = () =>
      this.client.send(
        new UpdateCommand({
          TableName: this.tableName,
          Key: recordKey(position, this.shards),
          UpdateExpression: mark === null ? 'REMOVE #mark' : 'SET #mark = :mark',
          ConditionExpression: 'attribute_exists(#pk)',
          ExpressionAttributeNames: { '#mark': `${MARK}${finding}`, '#pk': 'pk' },
          ...(mark !== null && { ExpressionAttributeValues: { ':mark': mark } }),
          ReturnValues: 'ALL_NEW',
        }),
      );
    const written = await writeIf('records table', write);
    // If it is missing, it was deleted just now.
    return written && toStored(written.Attributes ?? {});
  }
}

/** Each mark is a separate attribute, so that concurrent marks are both kept. */
function toStored(item: Item): StoredRecord {
  const marks = Object.entries(item)
    .filter(([name]) => name.startsWith(MARK))
    .map(([name, value]) => [Number(name.slice(MARK.length)), value as Mark] as const);
  return { record: readRecordItem(item as RecordAttributes), marks: Object.fromEntries(marks) };
}

/** Captured texts in a separate table, one item per request. */
export class DynamoCaptureStore implements CaptureStore {
  private readonly client: DynamoClient;
  private readonly tableName: string;
  private readonly clock: Clock;
  private readonly keptDays: number;

  constructor(client: DynamoClient, tableName: string, clock: Clock, keptDays: number) {
    this.client = client;
    this.tableName = tableName;
    this.clock = clock;
    this.keptDays = keptDays;
  }

  async write(requestId: string, capture: Capture): Promise<void> {
    const expiresAt = Math.ceil(this.clock.now() / 1000) + this.keptDays * SECONDS_A_DAY;
    const Item = { pk: requestId, capture: JSON.stringify(capture), expiresAt };
    const write = () => this.client.send(new PutCommand({ TableName: this.tableName, Item }));
    await reachStore('captures table', write);
  }

  async read(requestId: string): Promise<Capture | undefined> {
    const read = () => this.client.send(new GetCommand({ TableName: this.tableName, Key: { pk: requestId } }));
    const { Item } = await reachStore('captures table', read);
    if (Item === undefined || !isLive(Item, this.clock.now())) return undefined;
    return JSON.parse(Item.capture) as Capture;
  }
}
