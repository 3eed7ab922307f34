import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { RequestRecords } from '../../core/analytics/request-records.ts';
import { StoreUnavailable } from '../../core/base/errors.ts';
import type { RequestRecord } from '../../core/model/analytics.ts';
import type { GatewayEvent } from '../../core/model/events.ts';
import type { DynamoClient } from '../aws/clients.ts';
import { isWritten } from './conditional-write.ts';
import { tryBatchPut } from './dynamo-batch-put.ts';
import type { Item } from './dynamo-item.ts';
import { outboxOf } from './outbox.ts';
import { indexKeysOf, recordKey } from './record-keys.ts';

/** What BatchWriteItem takes. */
const MAX_BATCH = 25;
const MAX_FLUSHES = 4;
/** While the table is away, records wait in memory: about 10 MB of them. */
const MAX_WAITING = 10_000;
const SECONDS_A_DAY = 86_400;

export interface RecordSettings {
  /** How long a record is kept. */
  readonly keptDays: number;
  /** How long a record may wait for others to be written with; 0 where the process is paid for by the millisecond. */
  readonly lingerMs: number;
  /** Marks each record as not counted yet, for a store without streams (lib/local/table-streams.ts). */
  readonly pendingIndex: boolean;
}

export interface RecordClients {
  /** Tries once. */
  readonly together: DynamoClient;
  /** Behind the response. */
  readonly alone: DynamoClient;
}

interface Waiting {
  readonly item: Item;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Records in DynamoDB. A process that serves many requests writes them together; a lone one is written at once. A record's
 * place is fixed by its request, and one that is there already is left as it is: however often it is written, there is one.
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
      if (this.waiting.length >= MAX_WAITING) throw new StoreUnavailable('records table: too many records wait');
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
    // Nothing can be in their places yet, so the first attempt needs no condition; what follows one that failed does.
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
    return {
      ...recordKey(record),
      ...indexKeysOf(record),
      ...(this.settings.pendingIndex && { pendingPk: 'pending' }),
      record: JSON.stringify(record),
      ...outboxOf(event),
      expiresAt,
    };
  }
}
