import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { StoreUnavailable } from '../../core/base/errors.ts';
import type { DynamoClient } from '../aws/clients.ts';
import type { Item } from './dynamo-item.ts';
import { reachStore } from './reach-store.ts';

/** A call gives at most 16 MB, and less where the table is throttled: what it leaves out is asked for again. */
const MAX_ROUNDS = 8;
const PAUSE_MS = 25;

/**
 * The items of these partition keys (`pk`; at most 100, no two alike) as they stand now, by their keys.
 * @throws StoreUnavailable also where the table keeps leaving some out
 */
export async function batchGet(
  client: DynamoClient,
  tableName: string,
  pks: readonly string[],
): Promise<ReadonlyMap<string, Item>> {
  const found = new Map<string, Item>();
  let keys: Item[] = pks.map((pk) => ({ pk }));
  for (let round = 1; keys.length > 0; round += 1) {
    if (round > MAX_ROUNDS) throw new StoreUnavailable(`${tableName} table: items left out again and again`);
    if (round > 1) await new Promise((resolve) => setTimeout(resolve, Math.random() * PAUSE_MS * 2 ** round));
    const read = () =>
      client.send(new BatchGetCommand({ RequestItems: { [tableName]: { Keys: keys, ConsistentRead: true } } }));
    const { Responses, UnprocessedKeys } = await reachStore(`${tableName} table`, read);
    for (const item of Responses?.[tableName] ?? []) found.set(item.pk, item);
    keys = UnprocessedKeys?.[tableName]?.Keys ?? [];
  }
  return found;
}
