import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type {
  RecordPosition,
  RecordQuery,
  RequestRecordReader,
  StoredRecord,
} from '../../core/analytics/request-records.ts';
import type { Clock } from '../../core/base/clock.ts';
import type { Mark, RequestRecord } from '../../core/model/analytics.ts';
import type { DynamoClient } from '../aws/clients.ts';
import { writeIf } from './conditional-write.ts';
import { type Item, isLive } from './dynamo-item.ts';
import { reachStore } from './reach-store.ts';
import { listFor, recordKey, toPosition, toSortKey } from './record-keys.ts';
import { readList } from './sharded-list.ts';

const MARK = 'mark';

/** Records as DynamoRequestRecords writes them. */
export class DynamoRecordReader implements RequestRecordReader {
  private readonly client: DynamoClient;
  private readonly tableName: string;
  private readonly clock: Clock;

  constructor(client: DynamoClient, tableName: string, clock: Clock) {
    this.client = client;
    this.tableName = tableName;
    this.clock = clock;
  }

  async page(
    query: RecordQuery,
    limit: number,
    after: RecordPosition | undefined,
  ): Promise<{ rows: StoredRecord[]; next: RecordPosition | undefined }> {
    const { items, next } = await readList(this.client, {
      ...listFor(query),
      tableName: this.tableName,
      sortKey: 'sk',
      from: query.from,
      to: query.to,
      after: after && toSortKey(after),
      limit,
    });
    const nowMs = this.clock.now();
    const rows = items.filter((item) => isLive(item, nowMs)).map(toStored);
    return { rows, next: next === undefined ? undefined : toPosition(next) };
  }

  async read(position: RecordPosition): Promise<StoredRecord | undefined> {
    const read = () => this.client.send(new GetCommand({ TableName: this.tableName, Key: recordKey(position) }));
    const { Item: item } = await reachStore('records table', read);
    return item === undefined || !isLive(item, this.clock.now()) ? undefined : toStored(item);
  }

  async mark(position: RecordPosition, finding: number, mark: Mark | null): Promise<StoredRecord | undefined> {
    const write = () =>
      this.client.send(
        new UpdateCommand({
          TableName: this.tableName,
          Key: recordKey(position),
          UpdateExpression: mark === null ? 'REMOVE #mark' : 'SET #mark = :mark',
          ConditionExpression: 'attribute_exists(#pk)',
          ExpressionAttributeNames: { '#mark': `${MARK}${finding}`, '#pk': 'pk' },
          ...(mark !== null && { ExpressionAttributeValues: { ':mark': mark } }),
          ReturnValues: 'ALL_NEW',
        }),
      );
    const written = await writeIf('records table', write);
    // Where there is none it was deleted just now.
    return written && toStored(written.Attributes ?? {});
  }
}

/** Each mark is an attribute of its own, so that two that are set at once both stay. */
function toStored(item: Item): StoredRecord {
  const marks = Object.entries(item)
    .filter(([name]) => name.startsWith(MARK))
    .map(([name, value]) => [Number(name.slice(MARK.length)), value as Mark] as const);
  return { record: JSON.parse(item.record as string) as RequestRecord, marks: Object.fromEntries(marks) };
}
