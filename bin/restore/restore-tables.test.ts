import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { DynamoClient } from '../../functions/adapters/aws/clients.ts';
import { TABLE_NAMES, type TableName } from '../../functions/adapters/dynamo/tables.ts';
import { RESTORED_TABLES, type RestoreOptions, restoreTables } from './restore-tables.ts';

type Item = Record<string, AttributeValue>;
const FROM = Object.fromEntries(TABLE_NAMES.map((name) => [name, `old-${name}`])) as Record<TableName, string>;
const TO = Object.fromEntries(TABLE_NAMES.map((name) => [name, `new-${name}`])) as Record<TableName, string>;
const NOW = Date.parse('2026-11-30T12:00:00Z');
const AT = new Date('2026-11-30T08:00:00Z');

/** DynamoDB's calls of a restore, on tables in memory. */
class FakeDynamo {
  readonly tables = new Map<string, Map<string, Item>>();
  readonly calls: { readonly name: string; readonly input: Record<string, unknown> }[] = [];
  /** Called before each write; may throw. */
  beforePut: () => void = () => {};

  constructor() {
    for (const name of [...Object.values(FROM), ...Object.values(TO)]) this.tables.set(name, new Map());
  }

  add(table: string, ...items: Item[]): void {
    for (const item of items) this.tables.get(table)?.set(keyOf(item), item);
  }

  itemsOf(table: string): Item[] {
    return [...(this.tables.get(table)?.values() ?? [])];
  }

  async send({ constructor: { name }, input }: { readonly input: Record<string, unknown> }): Promise<object> {
    this.calls.push({ name, input });
    const table = this.tables.get(input.TableName as string);
    const missing = new ResourceNotFoundException({ message: 'no such table', $metadata: {} });
    switch (name) {
      case 'DescribeTableCommand':
        if (table === undefined) throw missing;
        return { Table: { TableStatus: 'ACTIVE' } };
      case 'RestoreTableToPointInTimeCommand':
      case 'RestoreTableFromBackupCommand': {
        const source = (input.SourceTableName ?? String(input.BackupArn).split('/')[1]) as string;
        this.tables.set(input.TargetTableName as string, new Map(this.tables.get(source)));
        return {};
      }
      case 'ListBackupsCommand': {
        const backup = (id: string, day: number, BackupStatus = 'AVAILABLE') => ({
          BackupArn: `${id}/${input.TableName}`,
          BackupStatus,
          BackupCreationDateTime: new Date(Date.UTC(2026, 10, day)),
        });
        return input.ExclusiveStartBackupArn === undefined
          ? { BackupSummaries: [backup('older', 1), backup('newest', 3)], LastEvaluatedBackupArn: 'next' }
          : { BackupSummaries: [backup('middle', 2), backup('incomplete', 4, 'CREATING')] };
      }
      case 'DeleteTableCommand':
        this.tables.delete(input.TableName as string);
        return {};
      case 'ScanCommand': {
        if (table === undefined) throw missing;
        const all = [...table.values()].filter(
          (_, at) => input.TotalSegments === undefined || at % (input.TotalSegments as number) === input.Segment,
        );
        // One item a page.
        const at = Number((input.ExclusiveStartKey as Item | undefined)?.at?.N ?? 0);
        const isLast = at + 1 >= all.length;
        return { Items: all.slice(at, at + 1), ...(!isLast && { LastEvaluatedKey: { at: { N: String(at + 1) } } }) };
      }
      case 'PutItemCommand': {
        this.beforePut();
        const item = input.Item as Item;
        if (input.ConditionExpression !== undefined && table?.has(keyOf(item)))
          throw new ConditionalCheckFailedException({ message: 'exists', $metadata: {} });
        table?.set(keyOf(item), item);
        return {};
      }
      default:
        throw new Error(`unexpected ${name}`);
    }
  }
}

const keyOf = ({ pk, sk }: Item) => `${pk?.S} ${sk?.S}`;
const item = (pk: string, more: Item = {}): Item => ({ pk: { S: pk }, ...more });

let folder: string;
let dynamo: FakeDynamo;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'svc-restore-'));
  dynamo = new FakeDynamo();
});
afterEach(() => rm(folder, { recursive: true }));

const progressFile = () => path.join(folder, 'progress.json');
const restore = (options: Partial<RestoreOptions> = {}) =>
  restoreTables({
    dynamo: dynamo as unknown as DynamoClient,
    from: FROM,
    to: TO,
    tables: RESTORED_TABLES,
    at: AT,
    replaces: false,
    progressFile: progressFile(),
    report: () => {},
    now: () => NOW,
    ...options,
  });
const many = Array.from({ length: 500 }, (_, at) =>
  item(`key_${at}`, { name: { S: `Key ${at}` }, n: { N: '9007199254740993' } }),
);
const restored = (calls = dynamo.calls) => calls.filter(({ name }) => name.startsWith('RestoreTable'));

describe('a restore', () => {
  test('copies every item as it is, but without events and without what has expired', async () => {
    dynamo.add(FROM.keys, ...many, item('key_new', { outbox: { L: [{ S: '{}' }] }, outboxPk: { S: 'outbox' } }));
    dynamo.add(
      FROM.limits,
      item('over', { expiresAt: { N: String(NOW / 1_000 - 1) } }),
      item('valid', { expiresAt: { N: String(NOW / 1_000 + 1) } }),
    );
    const result = await restore();
    expect(result.keys).toEqual({ copied: 501, kept: 0, expired: 0 });
    expect(result.limits).toEqual({ copied: 1, kept: 0, expired: 1 });
    expect(dynamo.itemsOf(TO.keys)).toEqual(expect.arrayContaining([...many, item('key_new')]));
    expect(dynamo.itemsOf(TO.limits).map(({ pk }) => pk?.S)).toEqual(['valid']);
  });

  test('reads temporary tables of that time without indexes, and deletes no others', async () => {
    const before = [...dynamo.tables.keys()];
    await restore();
    expect(restored().map(({ input }) => input)).toEqual(
      RESTORED_TABLES.map((name) => ({
        SourceTableName: FROM[name],
        TargetTableName: expect.stringMatching(`^svc-restore-${FROM[name]}-[0-9a-f]{6}$`),
        RestoreDateTime: AT,
        GlobalSecondaryIndexOverride: [],
        BillingModeOverride: 'PAY_PER_REQUEST',
      })),
    );
    expect([...dynamo.tables.keys()]).toEqual(before);
  });

  test('takes the newest complete backup of each table, which a deleted table has too', async () => {
    dynamo.add(FROM.keys, many[0] as Item);
    await restore({ at: 'newest-backup', tables: ['keys'] });
    expect(restored().map(({ input }) => input.BackupArn)).toEqual([`newest/${FROM.keys}`]);
    expect(dynamo.itemsOf(TO.keys)).toHaveLength(1);
  });

  test.each([
    [false, 'of now', { copied: 1, kept: 1, expired: 0 }],
    [true, 'earlier', { copied: 2, kept: 0, expired: 0 }],
  ])('keeps what the target has unless it replaces: %j', async (replaces, name, counts) => {
    dynamo.add(FROM.keys, item('key_1', { name: { S: 'earlier' } }), item('key_2'));
    dynamo.add(TO.keys, item('key_1', { name: { S: 'of now' } }));
    expect((await restore({ replaces })).keys).toEqual(counts);
    expect(dynamo.tables.get(TO.keys)?.get('key_1 undefined')?.name).toEqual({ S: name });
  });

  test('copies records only into a stage without totals, and never totals with them', async () => {
    const tables = ['records'] as const;
    await expect(restore({ tables: ['records', 'aggregates'] })).rejects.toThrow('leave out the table aggregates');
    dynamo.add(FROM.records, { pk: { S: '1' }, sk: { S: 'a' } });
    dynamo.add(TO.aggregates, { pk: { S: 'hour' }, sk: { S: 'a' } });
    await expect(restore({ tables })).rejects.toThrow('would be counted again: leave out the table records');
    dynamo.tables.get(TO.aggregates)?.clear();
    expect((await restore({ tables })).records?.copied).toBe(1);
  });

  test('refuses the same tables without a time', async () => {
    await expect(restore({ to: FROM, at: undefined })).rejects.toThrow('source and target are the same tables');
  });
});

describe('a restore that was interrupted', () => {
  test('continues, without a second temporary table and without copying what it has copied', async () => {
    dynamo.add(FROM.keys, ...many);
    let left = 200;
    dynamo.beforePut = () => {
      left -= 1;
      if (left < 0) throw Object.assign(new Error('away'), { name: 'TimeoutError' });
    };
    await expect(restore()).rejects.toThrow('away');
    const first = JSON.parse(await readFile(progressFile(), 'utf8')).tables.keys;
    expect(first.done.length).toBeGreaterThan(0);
    expect(first.done.length).toBeLessThan(64);

    dynamo.beforePut = () => {};
    dynamo.calls.length = 0;
    const { keys } = await restore();
    expect(dynamo.itemsOf(TO.keys)).toHaveLength(500);
    // What the incomplete segments had written is kept.
    expect((keys?.copied ?? 0) + (keys?.kept ?? 0)).toBe(500);
    expect(restored()).toEqual([]);
    const scanned = dynamo.calls.filter(
      ({ name, input }) => name === 'ScanCommand' && input.TableName === first.source,
    );
    expect(new Set(scanned.map(({ input }) => input.Segment)).size).toBe(64 - first.done.length);
    expect([...dynamo.tables.keys()].filter((name) => name.startsWith('svc-restore-'))).toEqual([]);
  });

  test('does nothing once it is complete', async () => {
    dynamo.add(FROM.keys, ...many);
    const result = await restore();
    dynamo.calls.length = 0;
    expect(await restore()).toEqual(result);
    expect(dynamo.calls.filter(({ name }) => /Scan|Put|Restore/.test(name))).toEqual([]);
  });

  test('does not continue another restore, nor from a file that it did not write', async () => {
    await restore();
    await expect(restore({ at: new Date('2026-11-30T09:00:00Z') })).rejects.toThrow('is of another restore');
    await writeFile(progressFile(), '{}');
    await expect(restore()).rejects.toThrow('is not the progress of a restore');
  });

  test('has nothing of the items in its file', async () => {
    dynamo.add(FROM.keys, ...many);
    await restore();
    expect(await readFile(progressFile(), 'utf8')).not.toMatch(/key_|Key \d/);
  });
});
