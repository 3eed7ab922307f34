import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { Clock } from '../core/ports/clock.ts';
import type { GivenId, GivenIdStore } from '../core/ports/given-id-store.ts';
import type { HttpClient } from '../core/ports/http-client.ts';
import { StoreUnavailable } from '../core/ports/key-store.ts';
import type { SessionScore } from '../core/session/suspicion.ts';
import { reachStore } from './aws-clients.ts';
import { batchGet } from './dynamo-batch-get.ts';
import { type Item, isLive, number, text } from './dynamo-item.ts';
import { DynamoWriter } from './dynamo-writer.ts';
import { UndiciHttpClient } from './undici-http-client.ts';

/** As long as OpenAI keeps a response: https://platform.openai.com/docs/guides/conversation-state */
const KEPT_SECONDS = 30 * 24 * 60 * 60;
/** What a batch takes. */
const MAX_READ = 100;
const MAX_WRITTEN = 25;
const MAX_CONFLICTS = 5;

/** An item for each id, under the key that got it: another key's look-up finds none. */
export class DynamoGivenIds implements GivenIdStore {
  private readonly client: DynamoDBClient;
  private readonly writer: DynamoWriter;
  private readonly tableName: string;
  private readonly clock: Clock;

  constructor(client: DynamoDBClient, tableName: string, clock: Clock, http: HttpClient = new UndiciHttpClient()) {
    this.client = client;
    this.writer = new DynamoWriter(client, http, clock);
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
        if (some.length > 1 && (await this.writer.tryPutMany(this.tableName, some))) return;
        await Promise.all(some.map((Item) => this.writer.put({ TableName: this.tableName, Item })));
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
    const { ok } = await this.writer.update({
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
    return ok;
  }

  private async item(pk: string): Promise<Item | undefined> {
    const command = new GetItemCommand({ TableName: this.tableName, Key: { pk: text(pk) }, ConsistentRead: true });
    return (await reachStore('sessions table', () => this.client.send(command))).Item;
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
