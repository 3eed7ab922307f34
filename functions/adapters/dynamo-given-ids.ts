import { createHash } from 'node:crypto';
import type { GivenId, GivenIdStore } from '../core/ports/given-id-store.ts';
import { StoreUnavailable } from '../core/ports/key-store.ts';
import type { SessionScore } from '../core/session/suspicion.ts';
import { isWritten } from './conditional-write.ts';
import { batchGet } from './dynamo-batch-get.ts';
import type { DynamoClient } from './dynamo-client.ts';
import { type Item, number, text } from './dynamo-item.ts';
import { reachStore } from './reach-store.ts';

const PREFIX = 'given#';
/** No key has this id. */
const NO_KEY = '-';
/** What a batch takes. */
const MAX_READ = 100;
const MAX_AT_ONCE = 25;
const MAX_CONFLICTS = 5;

/** An item for each id, with the key that it is bound to; it has no end. */
export class DynamoGivenIds implements GivenIdStore {
  private readonly client: DynamoClient;
  private readonly tableName: string;

  constructor(client: DynamoClient, tableName: string) {
    this.client = client;
    this.tableName = tableName;
  }

  async find(ids: readonly string[]): Promise<ReadonlyMap<string, GivenId>> {
    const byKey = new Map(ids.map((id) => [givenKey(id), id]));
    const items = await this.items([...byKey.keys()]);
    return new Map(
      items.map((item) => [
        byKey.get(item.pk?.S ?? '') as string,
        { keyId: item.keyId?.S ?? null, score: toScore(item) },
      ]),
    );
  }

  async keep(ids: readonly string[], given: GivenId, endUserId: string | null): Promise<void> {
    const items = [...new Set(ids)].map((id) => toItem(id, given, endUserId));
    for (const some of inBatches(items, MAX_AT_ONCE)) await Promise.all(some.map((item) => this.bind(item)));
  }

  async update(keyId: string, id: string, change: (known: SessionScore | undefined) => SessionScore): Promise<void> {
    const pk = givenKey(id);
    for (let attempt = 0; attempt < MAX_CONFLICTS; attempt++) {
      const item = await this.item(pk);
      if (item?.keyId?.S !== keyId || (await this.replace(pk, item, change(toScore(item))))) return;
    }
    throw new StoreUnavailable('sessions table: too many at once');
  }

  /** false where another version than this stands there. */
  private async replace(pk: string, { version }: Item, score: SessionScore): Promise<boolean> {
    const names = ['highest', 'accumulated', 'at', 'version'];
    const write = () =>
      this.client.call('dynamodb:UpdateItem', {
        TableName: this.tableName,
        Key: { pk: text(pk) },
        UpdateExpression: 'SET #highest = :highest, #accumulated = :accumulated, #at = :at, #version = :next',
        ConditionExpression: '#version = :version',
        ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
        ExpressionAttributeValues: {
          ':highest': decimal(score.highest),
          ':accumulated': decimal(score.accumulated),
          ':at': decimal(score.at),
          ':next': number(Number(version?.N ?? 0) + 1),
          ':version': number(Number(version?.N ?? 0)),
        },
      });
    return isWritten('sessions table', write);
  }

  /** Leaves an item that is bound to another; the key's own is written again, with its newest score. */
  private async bind(item: Item): Promise<void> {
    const write = () =>
      this.client.call('dynamodb:PutItem', {
        TableName: this.tableName,
        Item: item,
        ConditionExpression: 'attribute_not_exists(#pk) OR #keyId = :keyId',
        ExpressionAttributeNames: { '#pk': 'pk', '#keyId': 'keyId' },
        ExpressionAttributeValues: { ':keyId': item.keyId ?? text(NO_KEY) },
      });
    await isWritten('sessions table', write);
  }

  private async item(pk: string): Promise<Item | undefined> {
    const read = () =>
      this.client.call('dynamodb:GetItem', { TableName: this.tableName, Key: { pk: text(pk) }, ConsistentRead: true });
    return (await reachStore('sessions table', read)).Item;
  }

  private async items(pks: readonly string[]): Promise<Item[]> {
    if (pks.length > 1) {
      const batches = inBatches(pks, MAX_READ).map((some) => batchGet(this.client, this.tableName, some));
      return (await Promise.all(batches)).flatMap((found) => [...found.values()]);
    }
    const [item] = await Promise.all(pks.map((pk) => this.item(pk)));
    return item === undefined ? [] : [item];
  }
}

/** Whether an item of the table is an id's. */
export function isGivenId(pk: string): boolean {
  return pk.startsWith(PREFIX);
}

/** What stays of an id when the data of its end user is deleted: that no key may name it, and nothing of its own. */
export function withdrawn(pk: string): Item {
  return { pk: text(pk) };
}

function toItem(id: string, { keyId, score }: GivenId, endUserId: string | null): Item {
  return {
    pk: text(givenKey(id)),
    version: number(1),
    ...(keyId !== null && { keyId: text(keyId) }),
    ...(score && {
      highest: decimal(score.highest),
      accumulated: decimal(score.accumulated),
      at: decimal(score.at),
    }),
    ...(endUserId !== null && { endUserPk: text(endUserId) }),
  };
}

/** Beside sessions of any name: a key's id, with which theirs begin, is no such word. Hashed, since an id may be of any length. */
function givenKey(id: string): string {
  return `${PREFIX}${createHash('sha256').update(id).digest('base64url')}`;
}

function toScore({ highest, accumulated, at }: Item): SessionScore | undefined {
  if (at === undefined) return undefined;
  return { highest: Number(highest?.N ?? 0), accumulated: Number(accumulated?.N ?? 0), at: Number(at.N ?? 0) };
}

/** At most six decimals: a store refuses numbers of more digits than it keeps. */
function decimal(value: number): Item[string] {
  return { N: String(Math.round(value * 1e6) / 1e6) };
}

function inBatches<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));
}
