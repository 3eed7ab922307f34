import { type AttributeValue, BatchWriteItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoClient } from '../../functions/adapters/aws/clients.ts';
import { TABLE_NAMES, type TableName } from '../../functions/adapters/dynamo/tables.ts';

/** As DynamoDB stores it: `{"pk": {"S": "current"}, "version": {"N": "1"}}`. */
export type Item = Readonly<Record<string, AttributeValue>>;
/** The items of each table. */
export type Tables = Readonly<Partial<Record<TableName, readonly Item[]>>>;

const MAX_BATCH = 25;

/** All items, in the order of their keys. */
export async function readTables(dynamo: DynamoClient): Promise<Tables> {
  const tables: Partial<Record<TableName, Item[]>> = {};
  for (const name of TABLE_NAMES) {
    const items: Item[] = [];
    let start: Item | undefined;
    do {
      const scan = new ScanCommand({ TableName: name, ConsistentRead: true, ExclusiveStartKey: start });
      const { Items = [], LastEvaluatedKey } = await dynamo.send(scan);
      items.push(...Items);
      start = LastEvaluatedKey;
    } while (start !== undefined);
    tables[name] = items.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  }
  return tables;
}

/** An item's partition key, then its sort key if it has one. */
export function keyOf({ pk, sk }: Item): string {
  return [pk?.S, sk?.S].filter((one) => one !== undefined).join(' ');
}

/** The items as a later release may store them: with an attribute and, in their JSON, a member that this release does not know. */
export function withLaterFields(tables: Tables): Tables {
  const later = (table: string, items: readonly Item[] = []) =>
    items.map((item) => {
      // The audit log's hashes cover its records.
      const entries = table === 'audit' ? Object.entries(item) : Object.entries(item).map(withLaterMember);
      return { ...Object.fromEntries(entries), laterField: { S: 'later' } };
    });
  return Object.fromEntries(Object.entries(tables).map(([table, items]) => [table, later(table, items)]));
}

function withLaterMember([name, value]: readonly [string, AttributeValue]): [string, AttributeValue] {
  if (value.L !== undefined) return [name, { L: value.L.map((one) => withLaterMember(['', one])[1]) }];
  if (!value.S?.startsWith('{')) return [name, value];
  return [name, { S: JSON.stringify({ ...JSON.parse(value.S), laterField: { of: 'later' } }) }];
}

/** Writes items that another release stored. Their time to live begins anew. */
export async function writeTables(dynamo: DynamoClient, tables: Tables): Promise<void> {
  const expiresAt = { N: String(Math.ceil(Date.now() / 1000) + 86_400) };
  for (const [name, items = []] of Object.entries(tables)) {
    for (let at = 0; at < items.length; at += MAX_BATCH) {
      const puts = items.slice(at, at + MAX_BATCH).map((item) => {
        const Item = item.expiresAt === undefined ? item : { ...item, expiresAt };
        return { PutRequest: { Item } };
      });
      await dynamo.send(new BatchWriteItemCommand({ RequestItems: { [name]: puts } }));
    }
  }
}

/** A line for each item, bytes in base64. */
export function toJson(tables: Tables): string {
  const write = (item: Item) =>
    JSON.stringify(item, (name, value: unknown) =>
      name === 'B' ? Buffer.from(Object.values(value as Uint8Array)).toString('base64') : value,
    );
  const lines = Object.entries(tables).map(
    ([name, items = []]) => `${JSON.stringify(name)}: [\n${items.map(write).join(',\n')}\n]`,
  );
  return `{\n${lines.join(',\n')}\n}`;
}

/** Reads what `toJson` wrote. */
export function reviveBytes(name: string, value: unknown): unknown {
  return name === 'B' ? new Uint8Array(Buffer.from(value as string, 'base64')) : value;
}
