import { createHash } from 'node:crypto';
import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { IssuedId, IssuedIdStore, SessionScore } from '../../control/sessions/index.ts';
import { StoreUnavailable } from '../../kernel/errors/index.ts';
import type { DynamoClient } from '../aws/clients.ts';
import { reachStore } from '../aws/reach-store.ts';
import { batchGet, inBatches, isWritten } from './dynamo-calls.ts';
import { decimal } from './dynamo-session-store.ts';

/** Without `at` the session has no score. */
interface IssuedIdItem {
  readonly pk: string;
  readonly version?: number;
  readonly keyId?: string | undefined;
  readonly highest?: number | undefined;
  readonly accumulated?: number | undefined;
  /** Milliseconds since 1970. */
  readonly at?: number | undefined;
  readonly endUserPk?: string | undefined;
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly unread?: true | undefined;
  readonly unanswered?: IssuedId['unanswered'];
}

const PREFIX = 'given#';
/** No key has this id. */
const NO_KEY = '-';
/** Limits of batch calls. */
const MAX_READ = 100;
const MAX_AT_ONCE = 25;
const MAX_CONFLICTS = 5;

/** One item per id, with the key that it is bound to. Items do not expire. */
export class DynamoIssuedIds implements IssuedIdStore {
  private readonly client: DynamoClient;
  private readonly tableName: string;

  constructor(client: DynamoClient, tableName: string) {
    this.client = client;
    this.tableName = tableName;
  }

  async find(ids: readonly string[]): Promise<ReadonlyMap<string, IssuedId>> {
    const byKey = new Map(ids.map((id) => [issuedIdKey(id), id]));
    const items = await this.items([...byKey.keys()]);
    return new Map(items.map((item) => [byKey.get(item.pk) as string, toIssuedId(item)]));
  }

  async keep(ids: readonly string[], given: IssuedId, endUserId: string | null): Promise<void> {
    const items = [...new Set(ids)].map((id) => toItem(id, given, endUserId));
    for (const some of inBatches(items, MAX_AT_ONCE)) await Promise.all(some.map((item) => this.bind(item)));
  }

  async update(keyId: string, id: string, change: (known: SessionScore | undefined) => SessionScore): Promise<void> {
    const pk = issuedIdKey(id);
    for (let attempt = 0; attempt < MAX_CONFLICTS; attempt++) {
      const item = await this.item(pk);
      if (item?.keyId !== keyId || (await this.replace(pk, item, change(toScore(item))))) return;
    }
    throw new StoreUnavailable('sessions table: too many conflicts');
  }

  read(keyId: string, id: string, isWithheld: boolean): Promise<boolean> {
    const removed = isWithheld ? '#unread, #keyId' : '#unread';
    const write = () =>
      this.client.send(
        new UpdateCommand({
          TableName: this.tableName,
          Key: { pk: issuedIdKey(id) },
          UpdateExpression: `REMOVE ${removed}`,
          ConditionExpression: '#keyId = :keyId AND attribute_exists(#unread)',
          ExpressionAttributeNames: { '#unread': 'unread', '#keyId': 'keyId' },
          ExpressionAttributeValues: { ':keyId': keyId },
        }),
      );
    return isWritten('sessions table', write);
  }

  /** @returns false if the version has changed */
  private async replace(pk: string, { version = 0 }: IssuedIdItem, score: SessionScore): Promise<boolean> {
    const names = ['highest', 'accumulated', 'at', 'version'];
    const write = () =>
      this.client.send(
        new UpdateCommand({
          TableName: this.tableName,
          Key: { pk },
          UpdateExpression: 'SET #highest = :highest, #accumulated = :accumulated, #at = :at, #version = :next',
          ConditionExpression: '#version = :version',
          ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
          ExpressionAttributeValues: {
            ':highest': decimal(score.highest),
            ':accumulated': decimal(score.accumulated),
            ':at': decimal(score.at),
            ':next': version + 1,
            ':version': version,
          },
        }),
      );
    return isWritten('sessions table', write);
  }

  /** Keeps an item that is bound to another key. The key's own item is rewritten with its latest score. */
  private async bind(item: IssuedIdItem): Promise<void> {
    const write = () =>
      this.client.send(
        new PutCommand({
          TableName: this.tableName,
          Item: item,
          ConditionExpression: 'attribute_not_exists(#pk) OR #keyId = :keyId',
          ExpressionAttributeNames: { '#pk': 'pk', '#keyId': 'keyId' },
          ExpressionAttributeValues: { ':keyId': item.keyId ?? NO_KEY },
        }),
      );
    await isWritten('sessions table', write);
  }

  private async item(pk: string): Promise<IssuedIdItem | undefined> {
    const read = () =>
      this.client.send(new GetCommand({ TableName: this.tableName, Key: { pk }, ConsistentRead: true }));
    return (await reachStore('sessions table', read)).Item as IssuedIdItem | undefined;
  }

  private async items(pks: readonly string[]): Promise<IssuedIdItem[]> {
    if (pks.length > 1) {
      const batches = inBatches(pks, MAX_READ).map((some) => batchGet(this.client, this.tableName, some));
      return (await Promise.all(batches)).flatMap((found) => [...found.values()]) as unknown as IssuedIdItem[];
    }
    const [item] = await Promise.all(pks.map((pk) => this.item(pk)));
    return item === undefined ? [] : [item];
  }
}

/** Whether an item of the table belongs to an id. */
export function isIssuedId(pk: string): boolean {
  return pk.startsWith(PREFIX);
}

/** The item that remains when the data of an id's end user is deleted: no key may use the id. */
export function withdrawnIdItem(pk: string): IssuedIdItem {
  return { pk };
}

function toItem(
  id: string,
  { keyId, score, madeBy, isUnread, unanswered }: IssuedId,
  endUserId: string | null,
): IssuedIdItem {
  return {
    pk: issuedIdKey(id),
    version: 1,
    keyId: keyId ?? undefined,
    highest: score && decimal(score.highest),
    accumulated: score && decimal(score.accumulated),
    at: score && decimal(score.at),
    endUserPk: endUserId ?? undefined,
    provider: madeBy?.provider,
    model: madeBy?.model,
    unread: isUnread,
    unanswered,
  };
}

function toIssuedId(item: IssuedIdItem): IssuedId {
  const { keyId = null, provider, model, unread, unanswered } = item;
  return {
    keyId,
    score: toScore(item),
    ...(provider !== undefined && model !== undefined && { madeBy: { provider, model } }),
    ...(unread && { isUnread: true as const }),
    ...(unanswered && { unanswered }),
  };
}

/** Cannot collide with sessions: their keys begin with a key id. Hashed, since an id may have any length. */
function issuedIdKey(id: string): string {
  return `${PREFIX}${createHash('sha256').update(id).digest('base64url')}`;
}

function toScore({ highest = 0, accumulated = 0, at }: IssuedIdItem): SessionScore | undefined {
  return at === undefined ? undefined : { highest, accumulated, at };
}
