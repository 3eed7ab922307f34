import type { Clock } from '../core/ports/clock.ts';
import type { GivenId, GivenIdStore } from '../core/ports/given-id-store.ts';
import { StoreUnavailable } from '../core/ports/key-store.ts';
import type { SessionScore } from '../core/session/suspicion.ts';
import { isWritten } from './conditional-write.ts';
import { batchGet } from './dynamo-batch-get.ts';
import { tryBatchPut } from './dynamo-batch-put.ts';
import type { DynamoClient } from './dynamo-client.ts';
import { type Item, isLive, number, text } from './dynamo-item.ts';
import { reachStore } from './reach-store.ts';

/** As long as OpenAI keeps a response: https://platform.openai.com/docs/guides/conversation-state */
const KEPT_SECONDS = 30 * 24 * 60 * 60;
/** What a batch takes. */
const MAX_READ = 100;
const MAX_WRITTEN = 25;
const MAX_CONFLICTS = 5;

/** An item for each id, under the key that got it: another key's look-up finds none. */
export class DynamoGivenIds implements GivenIdStore {
  private readonly client: DynamoClient;
  private readonly tableName: string;
  private readonly clock: Clock;

  constructor(client: DynamoClient, tableName: string, clock: Clock) {
    this.client = client;
    this.tableName = tableName;
    this.clock = clock;
  }

  async find(keyId: string, ids: readonly string[]): Promise<ReadonlyMap<string, GivenId>> {
    const byKey = new Map(ids.map((id) => [givenKey(keyId, id), id]));
    const items = await this.items([...byKey.keys()]);
    const live = items.filter((item) => isLive(item, this.clock.now()));
    return new Map(live.map((item) => [byKey.get(item.pk?.S ?? '') as string, { score: toScore(item) }]));
  }

  async keep(keyId: string, ids: readonly string[], given: GivenId, endUserId: string | null): Promise<void> {
    const items = [...new Set(ids)].map((id) => this.toItem(keyId, id, given, endUserId));
    await Promise.all(
      inBatches(items, MAX_WRITTEN).map(async (some) => {
        if (some.length > 1 && (await tryBatchPut(this.client, this.tableName, some))) return;
        await Promise.all(some.map((item) => this.put(item)));
      }),
    );
  }

  async update(keyId: string, id: string, change: (known: SessionScore | undefined) => SessionScore): Promise<void> {
    const pk = givenKey(keyId, id);
    for (let attempt = 0; attempt < MAX_CONFLICTS; attempt++) {
      const item = await this.item(pk);
      if (item === undefined || (await this.replace(pk, item, change(toScore(item))))) return;
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

  private async put(item: Item): Promise<void> {
    const write = () => this.client.call('dynamodb:PutItem', { TableName: this.tableName, Item: item });
    await reachStore('sessions table', write);
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

  private toItem(keyId: string, id: string, { score }: GivenId, endUserId: string | null): Item {
    return {
      pk: text(givenKey(keyId, id)),
      version: number(1),
      expiresAt: number(Math.ceil(this.clock.now() / 1000) + KEPT_SECONDS),
      ...(score && {
        highest: decimal(score.highest),
        accumulated: decimal(score.accumulated),
        at: decimal(score.at),
      }),
      ...(endUserId !== null && { endUserPk: text(endUserId) }),
    };
  }
}

/** Beside sessions of any name: a key's id, with which theirs begin, is no such word. */
function givenKey(keyId: string, id: string): string {
  return `given#${keyId}#${id}`;
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
