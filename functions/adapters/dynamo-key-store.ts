import { GatewayError } from '../core/errors.ts';
import type { ApiKey } from '../core/model/api-key.ts';
import type { GatewayEvent } from '../core/ports/event-publisher.ts';
import type {
  KeyExpiryStore,
  KeyPage,
  KeyPresence,
  KeyStore,
  KeyUse,
  KeyUseStore,
  StoredKey,
} from '../core/ports/key-store.ts';
import { isWritten } from './conditional-write.ts';
import { batchGet } from './dynamo-batch-get.ts';
import type { DynamoClient, QueryAnswer, UpdateInput } from './dynamo-client.ts';
import type { AttributeValue, Item } from './dynamo-item.ts';
import { addingToOutbox, outboxOf, withoutOutbox } from './outbox.ts';
import { reachStore } from './reach-store.ts';

/** All keys stand in one partition of the `list` index: administrators read it, requests never do. */
const LIST_PARTITION = 'keys';
/** A listed key's `pk` and `listSk`, which names the same key. */
const LISTED_KEY = /^key(#\w{1,64}) [\w:.+-]{1,40}\1$/;
/** A key has a few secrets in their grace at most; each leads one step nearer to the key. */
const MAX_STEPS = 16;
const USE_NOTED_EVERY_MS = 60_000;

/**
 * Keys in DynamoDB. A key's item is named by the hash of its secret (`secret#<hash>`), so that a request reads one item and
 * no other, whatever it finds. `key#<id>` leads to it. When the secret changes, the old item becomes a
 * signpost to an item of the new hash: that one conditional write is the change, and who comes by an older way follows it.
 */
export class DynamoKeyStore implements KeyStore, KeyPresence, KeyUseStore, KeyExpiryStore {
  private readonly client: DynamoClient;
  private readonly tableName: string;

  constructor(client: DynamoClient, tableName: string) {
    this.client = client;
    this.tableName = tableName;
  }

  async find(secretHashes: readonly string[]): Promise<ApiKey | undefined> {
    const found = await Promise.all(secretHashes.map((hash) => this.follow(hash)));
    const item = found.find((one) => one !== undefined);
    return item && toStored(item).key;
  }

  async get(id: string): Promise<StoredKey | undefined> {
    const hash = (await this.read(`key#${id}`))?.secretHash?.S;
    const item = hash === undefined ? undefined : await this.follow(hash);
    if (item === undefined) return undefined;
    // Who moved it was cut off on the way: from its signpost it could not be changed.
    if (item.movedTo !== undefined) await this.put(arrived(item));
    return toStored(item);
  }

  async list(limit: number, cursor: string | undefined): Promise<KeyPage> {
    const { Items = [], LastEvaluatedKey } = await this.listed(limit, cursor);
    const keys = await this.keysOf(Items);
    const nextCursor = LastEvaluatedKey ? writeCursor(LastEvaluatedKey) : undefined;
    return nextCursor === undefined ? { keys } : { keys, nextCursor };
  }

  async any(): Promise<boolean> {
    const { Items = [] } = await this.listed(1, undefined);
    return Items.length > 0;
  }

  cursorAfter(key: Pick<ApiKey, 'id' | 'createdAt'>): string {
    return writeCursor({ pk: { S: `key#${key.id}` }, listSk: listSortKey(key) });
  }

  async create(key: ApiKey, event?: GatewayEvent): Promise<void> {
    // The key comes last: cut between the two, there is a name that leads nowhere, never a key that nobody sees.
    await this.put({
      pk: { S: `key#${key.id}` },
      listPk: { S: LIST_PARTITION },
      listSk: listSortKey(key),
      secretHash: { S: key.secretHash },
    });
    await this.put({ ...toItem(key, 1), ...outboxOf(event) });
  }

  async replace(read: StoredKey, key: ApiKey, event?: GatewayEvent): Promise<boolean> {
    return key.secretHash === read.key.secretHash ? this.rewrite(read, key, event) : this.move(read, key, event);
  }

  async noteUse(key: ApiKey, { usedAt, seenHash }: KeyUse): Promise<void> {
    const before = new Date(Date.parse(usedAt) - USE_NOTED_EVERY_MS).toISOString();
    await this.update({
      Key: { pk: { S: `secret#${key.secretHash}` } },
      UpdateExpression: `SET #lastUsedAt = :usedAt${seenHash === undefined ? '' : ', #seenHash = :seenHash'}`,
      // The gateway's role may name these attributes and no other (gateway-stack.ts).
      ConditionExpression: 'attribute_exists(#pk) AND (attribute_not_exists(#lastUsedAt) OR #lastUsedAt <= :before)',
      ExpressionAttributeNames: {
        '#pk': 'pk',
        '#lastUsedAt': 'lastUsedAt',
        ...(seenHash !== undefined && { '#seenHash': 'seenHash' }),
      },
      ExpressionAttributeValues: {
        ':usedAt': { S: usedAt },
        ':before': { S: before },
        ...(seenHash !== undefined && { ':seenHash': { S: seenHash } }),
      },
    });
  }

  tellExpiry({ secretHash }: ApiKey, expiresAt: string, event: GatewayEvent): Promise<boolean> {
    const told = addingToOutbox(event);
    return this.update({
      Key: { pk: { S: `secret#${secretHash}` } },
      UpdateExpression: `SET #expiryTold = :expiresAt${told.set}`,
      // The role that watches keys may name these attributes and no other (gateway-stack.ts).
      ConditionExpression: 'attribute_exists(#pk) AND (attribute_not_exists(#expiryTold) OR #expiryTold <> :expiresAt)',
      ExpressionAttributeNames: { '#pk': 'pk', '#expiryTold': 'expiryTold', ...told.names },
      ExpressionAttributeValues: { ':expiresAt': { S: expiresAt }, ...told.values },
    });
  }

  private async rewrite(
    { key: { secretHash }, version }: StoredKey,
    key: ApiKey,
    event: GatewayEvent | undefined,
  ): Promise<boolean> {
    const item = toItem(key, version + 1);
    const told = addingToOutbox(event);
    const written = await this.update({
      Key: { pk: { S: `secret#${secretHash}` } },
      UpdateExpression: `SET #key = :key, #version = :next${told.set}`,
      ConditionExpression: '#version = :version',
      ExpressionAttributeNames: { '#key': 'key', '#version': 'version', ...told.names },
      ExpressionAttributeValues: {
        ...told.values,
        ':key': item.key as AttributeValue,
        ':next': item.version as AttributeValue,
        ':version': { N: String(version) },
      },
    });
    if (written) return true;
    const now = await this.read(`secret#${secretHash}`);
    // A write whose answer was lost is repeated, and meets itself.
    return now?.key?.S === item.key?.S && now?.version?.N === item.version?.N;
  }

  private async move(read: StoredKey, key: ApiKey, event: GatewayEvent | undefined): Promise<boolean> {
    const told = addingToOutbox(event);
    const { secretHash: from, retiredSecrets: before = [], lastUsedAt } = read.key;
    const item = toItem(key, read.version + 1);
    const moved = await this.update({
      Key: { pk: { S: `secret#${from}` } },
      UpdateExpression: `SET #movedTo = :to, #key = :key, #version = :next${told.set} REMOVE #seenHash`,
      ConditionExpression: '#version = :version AND attribute_not_exists(#movedTo)',
      ExpressionAttributeNames: {
        '#movedTo': 'movedTo',
        '#key': 'key',
        '#version': 'version',
        '#seenHash': 'seenHash',
        ...told.names,
      },
      ExpressionAttributeValues: {
        ...told.values,
        ':to': { S: key.secretHash },
        ':key': item.key as AttributeValue,
        ':next': item.version as AttributeValue,
        ':version': { N: String(read.version) },
      },
    });
    if (!moved) {
      const now = await this.read(`secret#${from}`);
      if (now?.movedTo?.S !== key.secretHash || now.version?.N !== item.version?.N) return false;
    }
    await this.put({
      ...item,
      ...(lastUsedAt !== undefined && { lastUsedAt: { S: lastUsedAt } }),
      ...(read.expiryTold !== undefined && { expiryTold: { S: read.expiryTold } }),
    });
    await this.update({
      Key: { pk: { S: `key#${key.id}` } },
      UpdateExpression: 'SET #secretHash = :to',
      ConditionExpression: 'attribute_exists(#pk)',
      ExpressionAttributeNames: { '#secretHash': 'secretHash', '#pk': 'pk' },
      ExpressionAttributeValues: { ':to': { S: key.secretHash } },
    });
    const kept = new Set(key.retiredSecrets?.map(({ hash }) => hash));
    await Promise.all(
      before.filter(({ hash }) => !kept.has(hash)).map(({ hash }) => this.deleteSignpost(`secret#${hash}`)),
    );
    return true;
  }

  /**
   * The item of the key that the item of this hash holds or leads to. A signpost keeps the key as it left: until it has
   * arrived nobody can have changed it.
   */
  private async follow(hash: string): Promise<Item | undefined> {
    let item = await this.read(`secret#${hash}`);
    for (let steps = 0; item?.movedTo?.S !== undefined && steps < MAX_STEPS; steps += 1) {
      const next = await this.read(`secret#${item.movedTo.S}`);
      if (next === undefined) return item;
      item = next;
    }
    return item;
  }

  /** A page of names, newest first. */
  private listed(limit: number, cursor: string | undefined): Promise<QueryAnswer> {
    const start = cursor === undefined ? {} : { ExclusiveStartKey: readCursor(cursor) };
    const read = () =>
      this.client.call('dynamodb:Query', {
        TableName: this.tableName,
        IndexName: 'list',
        KeyConditionExpression: '#listPk = :keys',
        ExpressionAttributeNames: { '#listPk': 'listPk' },
        ExpressionAttributeValues: { ':keys': { S: LIST_PARTITION } },
        ScanIndexForward: false,
        Limit: limit,
        ...start,
      });
    return reachStore('keys table', read);
  }

  /** The keys that listed names lead to, in order. */
  private async keysOf(names: readonly Item[]): Promise<StoredKey[]> {
    const hashes = names.flatMap(({ secretHash }) => secretHash?.S ?? []);
    const items = await batchGet(
      this.client,
      this.tableName,
      hashes.map((hash) => `secret#${hash}`),
    );
    const keys = await Promise.all(
      hashes.map((hash) => {
        const item = items.get(`secret#${hash}`);
        // A name may lag behind a move.
        return item?.movedTo === undefined ? item : this.follow(hash);
      }),
    );
    return keys.filter((item) => item !== undefined).map(toStored);
  }

  private async read(pk: string): Promise<Item | undefined> {
    const read = () =>
      this.client.call('dynamodb:GetItem', { TableName: this.tableName, Key: { pk: { S: pk } }, ConsistentRead: true });
    return (await reachStore('keys table', read)).Item;
  }

  /** Names are random: what stands there already is the same, from an attempt whose answer was lost, or a later form of it. */
  private put(item: Item): Promise<boolean> {
    const write = () =>
      this.client.call('dynamodb:PutItem', {
        TableName: this.tableName,
        Item: item,
        ConditionExpression: 'attribute_not_exists(#pk)',
        ExpressionAttributeNames: { '#pk': 'pk' },
      });
    return isWritten('keys table', write);
  }

  /** @returns false where the condition does not hold. */
  private update(input: Omit<UpdateInput, 'TableName'>): Promise<boolean> {
    const write = () => this.client.call('dynamodb:UpdateItem', { ...input, TableName: this.tableName });
    return isWritten('keys table', write);
  }

  /** Leaves a signpost whose events were not relayed yet: its secret is none any more, and it leads where it led. */
  private async deleteSignpost(pk: string): Promise<void> {
    const write = () =>
      this.client.call('dynamodb:DeleteItem', {
        TableName: this.tableName,
        Key: { pk: { S: pk } },
        ConditionExpression: 'attribute_not_exists(#outboxPk)',
        ExpressionAttributeNames: { '#outboxPk': 'outboxPk' },
      });
    await isWritten('keys table', write);
  }
}

function toItem({ lastUsedAt: _, ...key }: ApiKey, version: number): Item {
  return { pk: { S: `secret#${key.secretHash}` }, key: { S: JSON.stringify(key) }, version: { N: String(version) } };
}

function toStored({ key, version, lastUsedAt, seenHash, expiryTold, movedTo }: Item): StoredKey {
  return {
    key: { ...(JSON.parse(key?.S ?? '') as ApiKey), ...(lastUsedAt?.S !== undefined && { lastUsedAt: lastUsedAt.S }) },
    version: Number(version?.N),
    ...(expiryTold?.S !== undefined && { expiryTold: expiryTold.S }),
    // What is noted at a signpost is about the secret that was.
    ...(seenHash?.S !== undefined && movedTo === undefined && { seenHash: seenHash.S }),
  };
}

/** The item of a key that a signpost tells of, as it is to stand under its own name. */
function arrived({ pk: _, seenHash: __, movedTo, ...item }: Item): Item {
  return { ...withoutOutbox(item), pk: { S: `secret#${movedTo?.S}` } };
}

function listSortKey({ createdAt, id }: Pick<ApiKey, 'id' | 'createdAt'>): { S: string } {
  return { S: `${createdAt}#${id}` };
}

function writeCursor(key: Item): string {
  return Buffer.from(JSON.stringify([key.pk?.S, key.listSk?.S])).toString('base64url');
}

function readCursor(cursor: string): Item {
  try {
    const [pk, listSk] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    // DynamoDB refuses a key that it could not hold, which would look like a store in trouble.
    if (typeof pk === 'string' && typeof listSk === 'string' && LISTED_KEY.test(`${pk} ${listSk}`)) {
      return { pk: { S: pk }, listPk: { S: LIST_PARTITION }, listSk: { S: listSk } };
    }
  } catch {}
  throw new GatewayError('invalid_value', "'cursor' is not one that a list has answered.", { param: 'cursor' });
}
