import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { DynamoClient } from '../aws/clients.ts';
import { reachStore } from '../aws/reach-store.ts';
import { batchGet, type Item } from './dynamo-calls.ts';

/** An item holds at most 400 KB. */
const PART_BYTES = 380_000;

/** The part of a value in its main item, and the number of further parts, each in an item. */
export interface FirstPart {
  readonly bytes: Uint8Array;
  readonly parts: number;
}

/**
 * Writes all but the first part of a value; the caller writes the main item after them. Parts have the names `<prefix>#0` and so on.
 * @param fields what each part also has
 */
export async function writeParts(
  client: DynamoClient,
  tableName: string,
  prefix: string,
  whole: Uint8Array,
  fields: Item,
): Promise<FirstPart> {
  const others: Uint8Array[] = [];
  for (let at = PART_BYTES; at < whole.length; at += PART_BYTES) others.push(whole.subarray(at, at + PART_BYTES));
  await Promise.all(
    others.map((bytes, at) => {
      const Item = { ...fields, pk: `${prefix}#${at}`, bytes };
      return reachStore('idempotency table', () => client.send(new PutCommand({ TableName: tableName, Item })));
    }),
  );
  return { bytes: whole.subarray(0, PART_BYTES), parts: others.length };
}

/** The whole value; undefined if a part is missing. */
export async function readParts(
  client: DynamoClient,
  tableName: string,
  prefix: string,
  { bytes, parts }: FirstPart,
): Promise<Uint8Array | undefined> {
  if (parts === 0) return bytes;
  const names = Array.from({ length: parts }, (_, at) => `${prefix}#${at}`);
  const found = await batchGet(client, tableName, names);
  const others = names.flatMap((name) => (found.get(name)?.bytes ?? []) as Uint8Array | []);
  return others.length < parts ? undefined : Buffer.concat([bytes, ...others]);
}
