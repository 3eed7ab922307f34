import { GetCommand, type GetCommandOutput, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import {
  type AuditEntry,
  type AuditLog,
  type AuditPage,
  type ChainEnd,
  endAt,
  hashOf,
  nextRecord,
  recordText,
} from '../../control/audit/index.ts';
import { randomHex } from '../../kernel/crypto/index.ts';
import { GatewayError, StoreUnavailable } from '../../kernel/errors/index.ts';
import type { AuditFact, AuditRecord } from '../../kernel/model/index.ts';
import type { DynamoClient } from '../aws/clients.ts';
import { reachStore } from '../aws/reach-store.ts';
import { batchGet, isWritten } from './dynamo-calls.ts';

interface RecordItem {
  readonly pk: string;
  /** The record as text: the hash covers exactly this text. */
  readonly record: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
  /** Of a record with a team, for the index `byTeam`. */
  readonly teamPk?: string;
  readonly teamSk?: string;
}

/** A conflict means that another record was written: administrators are few. */
const MAX_ATTEMPTS = 100;
const PAUSE_MS = 10;
const CURSOR = /^[1-9]\d{0,14}$/;

/**
 * The audit chain in DynamoDB. `record#<seq>` holds a record and is only written if absent, so each record has one successor. `head` is
 * moved after the record is written; a reader that finds it outdated continues from there.
 */
export class DynamoAuditLog implements AuditLog {
  private readonly client: DynamoClient;
  private readonly tableName: string;
  private readonly retentionDays: number;
  /** Appends of this process run one after another. */
  private queue: Promise<unknown> = Promise.resolve();

  constructor(client: DynamoClient, tableName: string, retentionDays: number) {
    this.client = client;
    this.tableName = tableName;
    this.retentionDays = retentionDays;
  }

  append(fact: AuditFact): Promise<AuditEntry> {
    const appended = this.queue.then(() => this.appendNow(fact));
    this.queue = appended.catch(() => {});
    return appended;
  }

  async list(limit: number, cursor: string | undefined, teamId?: string): Promise<AuditPage> {
    if (cursor !== undefined && !CURSOR.test(cursor)) {
      throw new GatewayError('invalid_value', "'cursor' is not a cursor from an earlier page.", { param: 'cursor' });
    }
    if (teamId !== undefined) return this.listTeam(teamId, limit, cursor);
    const head = await this.head();
    const newest = cursor === undefined ? ((await this.end())?.seq ?? 0) : Number(cursor);
    const oldest = Math.max(1, newest - limit + 1);
    const seqs = Array.from({ length: newest - oldest + 1 }, (_, at) => newest - at);
    const found = await batchGet(this.client, this.tableName, seqs.map(nameOf));
    const entries = seqs.flatMap((seq) => toEntry(found.get(nameOf(seq)) as RecordItem | undefined) ?? []);
    // If a whole page is missing, all records before it have expired.
    const last = oldest === 1 || entries.length === 0;
    return { entries, head, ...(!last && { nextCursor: String(oldest - 1) }) };
  }

  /** A cursor may be the number of a record of another team: its place is the same. */
  private async listTeam(teamId: string, limit: number, cursor: string | undefined): Promise<AuditPage> {
    const isAfter = cursor !== undefined;
    const read = () =>
      this.client.send(
        new QueryCommand({
          TableName: this.tableName,
          IndexName: 'byTeam',
          KeyConditionExpression: `#teamPk = :team${isAfter ? ' AND #teamSk <= :newest' : ''}`,
          ExpressionAttributeNames: { '#teamPk': 'teamPk', ...(isAfter && { '#teamSk': 'teamSk' }) },
          ExpressionAttributeValues: { ':team': teamId, ...(isAfter && { ':newest': sortable(Number(cursor)) }) },
          ScanIndexForward: false,
          Limit: limit + 1,
        }),
      );
    const { Items = [] } = await reachStore('audit table', read);
    const listed = Items.slice(0, limit) as RecordItem[];
    const found = await batchGet(
      this.client,
      this.tableName,
      listed.map(({ pk }) => pk),
    );
    const entries = listed.flatMap(({ pk }) => toEntry(found.get(pk) as RecordItem | undefined) ?? []);
    const last = Number(listed.at(-1)?.teamSk);
    return { entries, head: undefined, ...(Items.length > limit && { nextCursor: String(last - 1) }) };
  }

  private async appendNow(fact: AuditFact): Promise<AuditEntry> {
    const id = `aud_${randomHex(32)}`;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const record = nextRecord(id, fact, await this.end());
      const text = recordText(record);
      const entry = { record, hash: hashOf(text) };
      if ((await this.put(record, text)) || (await this.read(record.seq))?.record === text) {
        // The record is stored: if the head cannot be moved now, the next append moves it.
        await this.moveHead(endAt(entry)).catch(() => {});
        return entry;
      }
      await new Promise((resolve) => setTimeout(resolve, Math.random() * PAUSE_MS));
    }
    throw new StoreUnavailable('audit table: too many conflicts');
  }

  /** The current end of the chain: follows the records after the head. */
  private async end(): Promise<ChainEnd | undefined> {
    let end = await this.head();
    for (;;) {
      const next = toEntry(await this.read((end?.seq ?? 0) + 1));
      if (next === undefined) return end;
      end = endAt(next);
    }
  }

  private async head(): Promise<ChainEnd | undefined> {
    const { seq, hash, at } = ((await this.get('head')) ?? {}) as Partial<ChainEnd>;
    return typeof seq === 'number' ? { seq, hash: hash ?? '', at: at ?? '' } : undefined;
  }

  private put(record: AuditRecord, text: string): Promise<boolean> {
    const expiresAt = Math.ceil(Date.parse(record.at) / 1000) + this.retentionDays * 86_400;
    const write = () =>
      this.client.send(
        new PutCommand({
          TableName: this.tableName,
          Item: { pk: nameOf(record.seq), record: text, expiresAt, ...placeInTeam(record) } satisfies RecordItem,
          ConditionExpression: 'attribute_not_exists(#pk)',
          ExpressionAttributeNames: { '#pk': 'pk' },
        }),
      );
    return isWritten('audit table', write);
  }

  private async moveHead({ seq, hash, at }: ChainEnd): Promise<void> {
    const write = () =>
      this.client.send(
        new UpdateCommand({
          TableName: this.tableName,
          Key: { pk: 'head' },
          UpdateExpression: 'SET #seq = :seq, #hash = :hash, #at = :at',
          ConditionExpression: 'attribute_not_exists(#seq) OR #seq < :seq',
          ExpressionAttributeNames: { '#seq': 'seq', '#hash': 'hash', '#at': 'at' },
          ExpressionAttributeValues: { ':seq': seq, ':hash': hash, ':at': at },
        }),
      );
    await isWritten('audit table', write);
  }

  private async read(seq: number): Promise<RecordItem | undefined> {
    return (await this.get(nameOf(seq))) as RecordItem | undefined;
  }

  private async get(pk: string): Promise<GetCommandOutput['Item']> {
    const read = () =>
      this.client.send(new GetCommand({ TableName: this.tableName, Key: { pk }, ConsistentRead: true }));
    return (await reachStore('audit table', read)).Item;
  }
}

function nameOf(seq: number): string {
  return `record#${seq}`;
}

/** As text in the order of numbers. */
function sortable(seq: number): string {
  return String(seq).padStart(15, '0');
}

function placeInTeam({ teamId, seq }: AuditRecord): Pick<RecordItem, 'teamPk' | 'teamSk'> {
  return teamId === undefined ? {} : { teamPk: teamId, teamSk: sortable(seq) };
}

function toEntry(item: RecordItem | undefined): AuditEntry | undefined {
  const text = item?.record;
  if (text === undefined) return undefined;
  try {
    return { record: JSON.parse(text) as AuditRecord, hash: hashOf(text) };
  } catch {
    // Not a valid record, so it is ignored.
    return undefined;
  }
}
