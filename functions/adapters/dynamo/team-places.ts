import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { KeyStore } from '../../control/keys/index.ts';
import { StoreUnavailable } from '../../kernel/errors/index.ts';
import type { DynamoClient } from '../aws/clients.ts';
import { reachStore } from '../aws/reach-store.ts';
import { isWritten } from './dynamo-calls.ts';

/** Longer than a new key takes to be stored and to be in the index of its team. */
const TAKEN_MS = 60_000;
const KEYS_AT_ONCE = 100;
/** A conflict means that another key took a place: administrators are few. */
const MAX_ATTEMPTS = 100;
const PAUSE_MS = 20;

interface PlacesItem {
  /** `places#<team>` */
  readonly pk: string;
  readonly version: number;
  /** When keys took their places in the last minute, by their ids. Milliseconds. */
  readonly taken: Readonly<Record<string, number>>;
}

type TeamPlace = Parameters<KeyStore['takePlace']>[0];
type TeamKeys = Pick<KeyStore, 'list' | 'getMany'>;

/**
 * Takes a place for a key in its team. The index of a team's keys lags behind its table, so that two keys at once would not see each other:
 * an item of the team has those of the last minute, and is only replaced in the version that was read. @returns false if there is none
 */
export async function takePlace(
  client: DynamoClient,
  tableName: string,
  { teamId, maxKeys, keyId, nowMs }: TeamPlace,
  keys: TeamKeys,
): Promise<boolean> {
  const pk = `places#${teamId}`;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const read = () => client.send(new GetCommand({ TableName: tableName, Key: { pk }, ConsistentRead: true }));
    const { version = 0, taken = {} } = ((await reachStore('keys table', read)).Item ?? {}) as Partial<PlacesItem>;
    const recent = Object.entries(taken).filter(([id, at]) => id !== keyId && at > nowMs - TAKEN_MS);
    if (!(await hasPlace(teamId, maxKeys, recent, keys))) return false;
    const Item: PlacesItem = { pk, version: version + 1, taken: Object.fromEntries([...recent, [keyId, nowMs]]) };
    const write = () =>
      client.send(
        new PutCommand({
          TableName: tableName,
          Item,
          ConditionExpression: 'attribute_not_exists(#version) OR #version = :version',
          ExpressionAttributeNames: { '#version': 'version' },
          ExpressionAttributeValues: { ':version': version },
        }),
      );
    if (await isWritten('keys table', write)) return true;
    await new Promise((resolve) => setTimeout(resolve, Math.random() * PAUSE_MS));
  }
  throw new StoreUnavailable('keys table: too many conflicts');
}

/** Whether a team has less keys than it may have, with those that took their places in the last minute. */
async function hasPlace(
  teamId: string,
  maxKeys: number,
  recent: readonly (readonly [string, number])[],
  keys: TeamKeys,
): Promise<boolean> {
  const ids = await recentIds(recent, keys);
  let cursor: string | undefined;
  do {
    const page = await keys.list(KEYS_AT_ONCE, cursor, teamId);
    for (const { key } of page.keys) if (key.state !== 'revoked') ids.add(key.id);
    if (ids.size >= maxKeys) return false;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return ids.size < maxKeys;
}

/** The keys of the last minute that are not revoked: also those that are not stored yet, or not in the team yet. */
async function recentIds(recent: readonly (readonly [string, number])[], keys: TeamKeys): Promise<Set<string>> {
  const ids = new Set(recent.map(([id]) => id));
  const all = [...ids];
  for (let at = 0; at < all.length; at += KEYS_AT_ONCE) {
    const stored = await keys.getMany(all.slice(at, at + KEYS_AT_ONCE));
    for (const { key } of stored) if (key.state === 'revoked') ids.delete(key.id);
  }
  return ids;
}
