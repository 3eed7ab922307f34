import { DeleteCommand, GetCommand, PutCommand, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import type {
  KeyExpiryStore,
  KeyPage,
  KeyPresence,
  KeyStore,
  KeyUse,
  KeyUseStore,
  StoredKey,
} from '../../control/keys/index.ts';
import { GatewayError } from '../../kernel/errors/index.ts';
import { type ApiKey, type GatewayEvent, readStoredKey } from '../../kernel/model/index.ts';
import type { DynamoClient } from '../aws/clients.ts';
import { reachStore } from '../aws/reach-store.ts';
import { batchGet, type Item, isWritten } from './dynamo-calls.ts';
import { addingToOutbox, outboxOf, withoutOutbox } from './dynamo-outbox.ts';
import { listNewest, teamPartition } from './list-newest.ts';
import { takePlace } from './team-places.ts';

/** All keys are in one partition of the `list` index, which only administrators read. */
const LIST_PARTITION = 'keys';
/** A listed key's `pk` and `listSk`, which contain the same id. */
const LISTED_KEY = /^key(#\w{1,64}) [\w:.+-]{1,40}\1$/;
/** A key has few secrets in their grace period; each step follows one of them. */
const MAX_STEPS = 16;
const USE_NOTED_EVERY_MS = 60_000;

/** The key of a name item in the index `list`. */
interface ListKey {
  /** `key#<id>` */
  readonly pk: string;
  readonly listPk: typeof LIST_PARTITION;
  readonly listSk: string;
}

interface NameItem extends ListKey {
  readonly secretHash: string;
  /** Of the key when it moved there; absent before the first move, and after one by an earlier release. */
  readonly version?: number;
}

interface KeyItem {
  /** `secret#<hash>` */
  readonly pk: string;
  /** ApiKey as JSON, without `lastUsedAt`. */
  readonly key: string;
  readonly version: number;
  /** Of a key of a team, for the index `byTeam`; absent in a redirect. */
  readonly teamPk?: string;
  readonly listSk?: string;
  readonly lastUsedAt?: string;
  readonly seenHash?: string;
  readonly expiryTold?: string;
  /** Only in a redirect item: the hash of the item that replaces it. */
  readonly movedTo?: string;
}

/**
 * Keys in DynamoDB. A key's item is named by the hash of its secret (`secret#<hash>`), so that a request reads exactly one item. `key#<id>`
 * points to it. When the secret changes, one conditional write turns the old item into a redirect to the item of the new hash; readers of
 * the old item follow it.
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
    const name = (await this.read(`key#${id}`)) as NameItem | undefined;
    const item = name && (await this.follow(name.secretHash));
    if (item === undefined) return undefined;
    // The writer of the redirect was interrupted. The key must be moved, since a redirect cannot be changed.
    if (item.movedTo !== undefined) await this.put(arrived(item));
    return toStored(item);
  }

  async getMany(ids: readonly string[]): Promise<readonly StoredKey[]> {
    const names = await batchGet(
      this.client,
      this.tableName,
      ids.map((id) => `key#${id}`),
    );
    return this.keysOf([...names.values()] as unknown as NameItem[]);
  }

  async list(limit: number, cursor: string | undefined, teamId?: string): Promise<KeyPage> {
    const before = cursor === undefined ? undefined : readCursor(cursor);
    const page = { partition: LIST_PARTITION, limit, before, teamId } as const;
    const { items, next } = await listNewest(this.client, this.tableName, page);
    const keys =
      teamId === undefined
        ? await this.keysOf(items as unknown as NameItem[])
        : await this.keysOfTeam(items as unknown as KeyItem[], teamId);
    return next === undefined ? { keys } : { keys, nextCursor: writeCursor(next) };
  }

  async any(): Promise<boolean> {
    const page = { partition: LIST_PARTITION, limit: 1, before: undefined } as const;
    return (await listNewest(this.client, this.tableName, page)).items.length > 0;
  }

  cursorAfter(key: Pick<ApiKey, 'id' | 'createdAt'>): string {
    return writeCursor(listKey(key).listSk);
  }

  takePlace(place: Parameters<KeyStore['takePlace']>[0]): Promise<boolean> {
    return takePlace(this.client, this.tableName, place, this);
  }

  async create(key: ApiKey, event?: GatewayEvent): Promise<void> {
    // The key is written last: an interruption leaves a name without a key, never a key without a name.
    await this.put({ ...listKey(key), secretHash: key.secretHash } satisfies NameItem);
    await this.put({ ...toItem(key, 1), ...outboxOf(event) });
  }

  async replace(read: StoredKey, key: ApiKey, event?: GatewayEvent): Promise<boolean> {
    return key.secretHash === read.key.secretHash ? this.rewrite(read, key, event) : this.move(read, key, event);
  }

  async noteUse(key: ApiKey, { usedAt, seenHash }: KeyUse): Promise<void> {
    const before = new Date(Date.parse(usedAt) - USE_NOTED_EVERY_MS).toISOString();
    await this.update({
      Key: { pk: `secret#${key.secretHash}` },
      UpdateExpression: `SET #lastUsedAt = :usedAt${seenHash === undefined ? '' : ', #seenHash = :seenHash'}`,
      // The gateway's role may name only these attributes (gateway-stack.ts).
      ConditionExpression: 'attribute_exists(#pk) AND (attribute_not_exists(#lastUsedAt) OR #lastUsedAt <= :before)',
      ExpressionAttributeNames: {
        '#pk': 'pk',
        '#lastUsedAt': 'lastUsedAt',
        ...(seenHash !== undefined && { '#seenHash': 'seenHash' }),
      },
      ExpressionAttributeValues: {
        ':usedAt': usedAt,
        ':before': before,
        ':seenHash': seenHash,
      },
    });
  }

  emitExpiryEvent({ secretHash }: ApiKey, expiresAt: string, event: GatewayEvent): Promise<boolean> {
    const added = addingToOutbox(event);
    return this.update({
      Key: { pk: `secret#${secretHash}` },
      UpdateExpression: `SET #expiryTold = :expiresAt${added.set}`,
      // The role of the key watch may name only these attributes (gateway-stack.ts).
      ConditionExpression: 'attribute_exists(#pk) AND (attribute_not_exists(#expiryTold) OR #expiryTold <> :expiresAt)',
      ExpressionAttributeNames: { '#pk': 'pk', '#expiryTold': 'expiryTold', ...added.names },
      ExpressionAttributeValues: { ':expiresAt': expiresAt, ...added.values },
    });
  }

  private async rewrite(
    { key: { secretHash }, version }: StoredKey,
    key: ApiKey,
    event: GatewayEvent | undefined,
  ): Promise<boolean> {
    const item = toItem(key, version + 1);
    const added = addingToOutbox(event);
    const { teamPk, listSk } = item;
    const isOfTeam = teamPk !== undefined;
    const ofTeam = isOfTeam ? ', #teamPk = :teamPk, #listSk = :listSk' : ' REMOVE #teamPk, #listSk';
    const written = await this.update({
      Key: { pk: `secret#${secretHash}` },
      UpdateExpression: `SET #key = :key, #version = :next${added.set}${ofTeam}`,
      ConditionExpression: '#version = :version',
      ExpressionAttributeNames: { ...TEAM_NAMES, '#key': 'key', '#version': 'version', ...added.names },
      ExpressionAttributeValues: {
        ...added.values,
        ...(isOfTeam && { ':teamPk': teamPk, ':listSk': listSk }),
        ':key': item.key,
        ':next': item.version,
        ':version': version,
      },
    });
    if (written) return true;
    const now = await this.readKey(secretHash);
    // The retry of a write whose response was lost fails its condition.
    return now?.key === item.key && now.version === item.version;
  }

  private async move(read: StoredKey, key: ApiKey, event: GatewayEvent | undefined): Promise<boolean> {
    const added = addingToOutbox(event);
    const { secretHash: from, retiredSecrets: before = [], lastUsedAt } = read.key;
    const item = toItem(key, read.version + 1);
    const moved = await this.update({
      Key: { pk: `secret#${from}` },
      UpdateExpression: `SET #movedTo = :to, #key = :key, #version = :next${added.set} REMOVE #seenHash, #teamPk, #listSk`,
      ConditionExpression: '#version = :version AND attribute_not_exists(#movedTo)',
      ExpressionAttributeNames: {
        '#movedTo': 'movedTo',
        '#key': 'key',
        '#version': 'version',
        '#seenHash': 'seenHash',
        ...TEAM_NAMES,
        ...added.names,
      },
      ExpressionAttributeValues: {
        ...added.values,
        ':to': key.secretHash,
        ':key': item.key,
        ':next': item.version,
        ':version': read.version,
      },
    });
    if (!moved) {
      const now = await this.readKey(from);
      if (now?.movedTo !== key.secretHash || now.version !== item.version) return false;
    }
    await this.put({ ...item, lastUsedAt, expiryTold: read.expiryTold });
    await this.moveName(key, item.version);
    const kept = new Set(key.retiredSecrets?.map(({ hash }) => hash));
    await Promise.all(
      before.filter(({ hash }) => !kept.has(hash)).map(({ hash }) => this.deleteSignpost(`secret#${hash}`)),
    );
    return true;
  }

  /**
   * Leads the id to the key's new item. Later moves may have overtaken this one and deleted its redirect: then the id stays, and an item that
   * was written after that is deleted, since its secret would be valid and no change of the key would reach it.
   */
  private async moveName({ id, secretHash }: ApiKey, version: number): Promise<void> {
    const pk = `key#${id}`;
    const isMoved = await this.update({
      Key: { pk },
      UpdateExpression: 'SET #secretHash = :to, #version = :next',
      ConditionExpression: 'attribute_exists(#pk) AND (attribute_not_exists(#version) OR #version < :next)',
      ExpressionAttributeNames: { '#secretHash': 'secretHash', '#version': 'version', '#pk': 'pk' },
      ExpressionAttributeValues: { ':to': secretHash, ':next': version },
    });
    // The retry of a write whose response was lost fails its condition too.
    if (isMoved || (((await this.read(pk)) as NameItem | undefined)?.version ?? 0) <= version) return;
    const write = () =>
      this.client.send(
        new DeleteCommand({
          TableName: this.tableName,
          Key: { pk: `secret#${secretHash}` },
          ConditionExpression: '#version = :version AND attribute_not_exists(#movedTo)',
          ExpressionAttributeNames: { '#version': 'version', '#movedTo': 'movedTo' },
          ExpressionAttributeValues: { ':version': version },
        }),
      );
    await isWritten('keys table', write);
  }

  /**
   * The key's item for this hash, following redirects. A redirect contains the key at the time of the move: nothing can change the key until its
   * new item exists.
   */
  private async follow(hash: string): Promise<KeyItem | undefined> {
    let item = await this.readKey(hash);
    for (let steps = 0; item?.movedTo !== undefined && steps < MAX_STEPS; steps += 1) {
      const next = await this.readKey(item.movedTo);
      if (next === undefined) return item;
      item = next;
    }
    return item;
  }

  /** The keys of a team's items, without those that have just left it. */
  private async keysOfTeam(items: readonly Pick<KeyItem, 'pk'>[], teamId: string): Promise<StoredKey[]> {
    const keys = await this.keysOf(items.map(({ pk }) => ({ secretHash: pk.slice('secret#'.length) })));
    // The index may still have the item that a redirect replaced.
    const byId = new Map(keys.filter(({ key }) => key.teamId === teamId).map((stored) => [stored.key.id, stored]));
    return [...byId.values()];
  }

  /** The keys of name items, in order. */
  private async keysOf(names: readonly Pick<NameItem, 'secretHash'>[]): Promise<StoredKey[]> {
    const hashes = names.map(({ secretHash }) => secretHash);
    const items = await batchGet(
      this.client,
      this.tableName,
      hashes.map((hash) => `secret#${hash}`),
    );
    const keys = await Promise.all(
      hashes.map((hash) => {
        const item = items.get(`secret#${hash}`) as KeyItem | undefined;
        // A name item may lag behind a move.
        return item?.movedTo === undefined ? item : this.follow(hash);
      }),
    );
    return keys.filter((item) => item !== undefined).map(toStored);
  }

  private async read(pk: string): Promise<Item | undefined> {
    const read = () =>
      this.client.send(new GetCommand({ TableName: this.tableName, Key: { pk }, ConsistentRead: true }));
    return (await reachStore('keys table', read)).Item;
  }

  private async readKey(hash: string): Promise<KeyItem | undefined> {
    return (await this.read(`secret#${hash}`)) as KeyItem | undefined;
  }

  /** Names are random: an existing item comes from an attempt whose response was lost, or is a later version of it. */
  private put(item: Item): Promise<boolean> {
    const write = () =>
      this.client.send(
        new PutCommand({
          TableName: this.tableName,
          Item: item,
          ConditionExpression: 'attribute_not_exists(#pk)',
          ExpressionAttributeNames: { '#pk': 'pk' },
        }),
      );
    return isWritten('keys table', write);
  }

  /** @returns false if the condition fails */
  private update(input: Omit<UpdateCommandInput, 'TableName'>): Promise<boolean> {
    const write = () => this.client.send(new UpdateCommand({ ...input, TableName: this.tableName }));
    return isWritten('keys table', write);
  }

  /** Keeps a redirect with unpublished events: its secret is no longer valid, and it still points to the key. */
  private async deleteSignpost(pk: string): Promise<void> {
    const write = () =>
      this.client.send(
        new DeleteCommand({
          TableName: this.tableName,
          Key: { pk },
          ConditionExpression: 'attribute_not_exists(#outboxPk)',
          ExpressionAttributeNames: { '#outboxPk': 'outboxPk' },
        }),
      );
    await isWritten('keys table', write);
  }
}

function toItem({ lastUsedAt: _, ...key }: ApiKey, version: number): KeyItem {
  return { pk: `secret#${key.secretHash}`, key: JSON.stringify(key), version, ...placeInTeam(key) };
}

const TEAM_NAMES = { '#teamPk': 'teamPk', '#listSk': 'listSk' };

/** Where a key is in the index `byTeam`; nowhere without a team. */
function placeInTeam(key: Pick<ApiKey, 'id' | 'createdAt' | 'teamId'>): Pick<KeyItem, 'teamPk' | 'listSk'> {
  return key.teamId == null ? {} : { teamPk: teamPartition(LIST_PARTITION, key.teamId), listSk: listKey(key).listSk };
}

function toStored({ key, version, lastUsedAt, seenHash, expiryTold, movedTo }: KeyItem): StoredKey {
  return {
    key: { ...readStoredKey(key), ...(lastUsedAt !== undefined && { lastUsedAt }) },
    version,
    ...(expiryTold !== undefined && { expiryTold }),
    // The hash in a redirect belongs to the replaced secret.
    ...(seenHash !== undefined && movedTo === undefined && { seenHash }),
  };
}

/** The item that a redirect points to, created from the redirect. */
function arrived({ pk: _, seenHash: __, movedTo, ...item }: KeyItem): Item {
  return { ...withoutOutbox(item), pk: `secret#${movedTo}`, ...placeInTeam(readStoredKey(item.key)) };
}

function listKey({ createdAt, id }: Pick<ApiKey, 'id' | 'createdAt'>): ListKey {
  return { pk: `key#${id}`, listPk: LIST_PARTITION, listSk: `${createdAt}#${id}` };
}

/** A key's place in lists, which has its id and nothing of others. */
function writeCursor(listSk: string): string {
  return Buffer.from(JSON.stringify([`key#${listSk.split('#')[1]}`, listSk])).toString('base64url');
}

/** The `listSk` of a cursor. */
function readCursor(cursor: string): string {
  try {
    const [pk, listSk] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    // DynamoDB refuses an invalid key, which would look like a store failure.
    if (typeof pk === 'string' && typeof listSk === 'string' && LISTED_KEY.test(`${pk} ${listSk}`)) return listSk;
  } catch {}
  throw new GatewayError('invalid_value', "'cursor' is not a cursor from an earlier page.", { param: 'cursor' });
}
