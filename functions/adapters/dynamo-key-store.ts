import {
  type AttributeValue,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { GatewayError } from '../core/errors.ts';
import type { ApiKey } from '../core/model/api-key.ts';
import type { KeyPage, KeyStore } from '../core/ports/key-store.ts';
import { reachStore } from './aws-clients.ts';

/** All keys stand in one partition of the `list` index: administrators read it, requests never do. */
const LIST_PARTITION = 'keys';
/** A listed key's `pk` and `listSk`, which names the same key. */
const LISTED_KEY = /^key(#\w{1,64}) [\w:.+-]{1,40}\1$/;

type Item = Record<string, AttributeValue>;

/**
 * Keys in DynamoDB: an item for each key (`key#<id>`), and for each secret an item (`secret#<hash>`) that points to its
 * key and never changes. A key is read at every look-up, so that a change counts at once.
 */
export class DynamoKeyStore implements KeyStore {
  private readonly client: DynamoDBClient;
  private readonly tableName: string;

  constructor(client: DynamoDBClient, tableName: string) {
    this.client = client;
    this.tableName = tableName;
  }

  async findBySecretHash(secretHash: string): Promise<ApiKey | undefined> {
    const pointer = await this.read(`secret#${secretHash}`);
    const key = pointer?.keyId?.S === undefined ? undefined : await this.get(pointer.keyId.S);
    return key?.secretHash === secretHash ? key : undefined;
  }

  async get(id: string): Promise<ApiKey | undefined> {
    const item = await this.read(`key#${id}`);
    return item && toKey(item);
  }

  async list(limit: number, cursor: string | undefined): Promise<KeyPage> {
    const command = new QueryCommand({
      TableName: this.tableName,
      IndexName: 'list',
      KeyConditionExpression: '#listPk = :keys',
      ExpressionAttributeNames: { '#listPk': 'listPk' },
      ExpressionAttributeValues: { ':keys': { S: LIST_PARTITION } },
      ScanIndexForward: false,
      Limit: limit,
      ...(cursor !== undefined && { ExclusiveStartKey: readCursor(cursor) }),
    });
    const { Items = [], LastEvaluatedKey } = await reachStore('keys table', () => this.client.send(command));
    const keys = Items.map(toKey);
    const nextCursor = LastEvaluatedKey ? writeCursor(LastEvaluatedKey) : undefined;
    return nextCursor === undefined ? { keys } : { keys, nextCursor };
  }

  async create(key: ApiKey): Promise<void> {
    // The pointer comes last: cut between the two, the key is listed and useless, never usable and unlisted.
    await this.put({
      pk: { S: `key#${key.id}` },
      listPk: { S: LIST_PARTITION },
      listSk: { S: `${key.createdAt}#${key.id}` },
      state: { S: key.state },
      key: { S: JSON.stringify(key) },
      version: { N: '1' },
    });
    await this.put({ pk: { S: `secret#${key.secretHash}` }, keyId: { S: key.id } });
  }

  async update(
    id: string,
    changes: Partial<Omit<ApiKey, 'id' | 'secretHash' | 'createdAt'>>,
  ): Promise<ApiKey | undefined> {
    for (;;) {
      const item = await this.read(`key#${id}`);
      if (!item || item.state?.S === 'revoked') return undefined;
      const changed: ApiKey = { ...toKey(item), ...changes };
      if (await this.replace(id, changed, Number(item.version?.N))) return changed;
    }
  }

  /** @returns false where somebody else changed the key since it was read. */
  private async replace(id: string, key: ApiKey, version: number): Promise<boolean> {
    const command = new UpdateItemCommand({
      TableName: this.tableName,
      Key: { pk: { S: `key#${id}` } },
      UpdateExpression: 'SET #key = :key, #state = :state, #version = :next',
      ConditionExpression: '#version = :version',
      ExpressionAttributeNames: { '#key': 'key', '#state': 'state', '#version': 'version' },
      ExpressionAttributeValues: {
        ':key': { S: JSON.stringify(key) },
        ':state': { S: key.state },
        ':version': { N: String(version) },
        ':next': { N: String(version + 1) },
      },
    });
    try {
      await reachStore('keys table', () => this.client.send(command), isConflict);
      return true;
    } catch (error) {
      if (isConflict(error)) return false;
      throw error;
    }
  }

  private async read(pk: string): Promise<Item | undefined> {
    const command = new GetItemCommand({ TableName: this.tableName, Key: { pk: { S: pk } }, ConsistentRead: true });
    return (await reachStore('keys table', () => this.client.send(command))).Item;
  }

  private async put(item: Item): Promise<void> {
    const command = new PutItemCommand({
      TableName: this.tableName,
      Item: item,
      ConditionExpression: 'attribute_not_exists(#pk)',
      ExpressionAttributeNames: { '#pk': 'pk' },
    });
    try {
      await reachStore('keys table', () => this.client.send(command), isConflict);
    } catch (error) {
      // Names are random: what is there already came from our own first attempt, whose answer was lost.
      if (!isConflict(error)) throw error;
    }
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof ConditionalCheckFailedException;
}

function toKey(item: Item): ApiKey {
  return JSON.parse(item.key?.S ?? '') as ApiKey;
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
