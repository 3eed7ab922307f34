import type { EndUserStore } from '../core/ports/end-user-store.ts';
import type { IdempotencyClaim, IdempotencyEntry, IdempotencyStore } from '../core/ports/idempotency-store.ts';
import { StoreUnavailable } from '../core/ports/key-store.ts';
import { isWritten } from './conditional-write.ts';
import { batchGet } from './dynamo-batch-get.ts';
import type { DynamoClient } from './dynamo-client.ts';
import { binary, bytesOf, type Item } from './dynamo-item.ts';
import { reachStore } from './reach-store.ts';

/** An item holds at most 400 KB: the answer's first part stands in its own item, the others beside it. */
const PART_BYTES = 380_000;
/** A name may be given free between a claim that failed and the look at who holds it. */
const MAX_ATTEMPTS = 5;
/** An index may lag behind its table: looked again until nothing is left to find. */
const MAX_PASSES = 5;

/** Answers in DynamoDB, an item a name. The conditional write that makes it is the claim. */
export class DynamoIdempotencyStore implements IdempotencyStore, EndUserStore {
  private readonly client: DynamoClient;
  private readonly tableName: string;

  constructor(client: DynamoClient, tableName: string) {
    this.client = client;
    this.tableName = tableName;
  }

  async claim(name: string, claim: IdempotencyClaim): Promise<IdempotencyEntry | undefined> {
    const write = () =>
      this.client.call('dynamodb:PutItem', {
        TableName: this.tableName,
        Item: {
          ...common(name, claim),
          token: { S: claim.token },
          salt: binary(claim.salt),
          bodyTag: { S: claim.bodyTag },
          lockedUntil: { N: String(claim.lockedUntilMs) },
        },
        // DynamoDB may delete what has expired days later.
        ConditionExpression: 'attribute_not_exists(#pk) OR #expiresAt <= :seconds OR #lockedUntil <= :now',
        ExpressionAttributeNames: { '#pk': 'pk', '#expiresAt': 'expiresAt', '#lockedUntil': 'lockedUntil' },
        ExpressionAttributeValues: {
          ':seconds': { N: String(Math.floor(claim.nowMs / 1000)) },
          ':now': { N: String(claim.nowMs) },
        },
      });
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      if (await isWritten('idempotency table', write)) return undefined;
      const item = await this.read(name);
      if (item === undefined) continue;
      // A write whose answer was lost is repeated, and meets itself.
      if (item.token?.S === claim.token) return undefined;
      return this.toEntry(name, item);
    }
    throw new StoreUnavailable('idempotency table: given free again and again');
  }

  async complete(name: string, claim: IdempotencyClaim, answer: Uint8Array): Promise<void> {
    const parts: Uint8Array[] = [];
    for (let at = 0; at < answer.length; at += PART_BYTES) parts.push(answer.subarray(at, at + PART_BYTES));
    const [first = new Uint8Array(), ...others] = parts;
    await Promise.all(
      others.map((bytes, at) => {
        const Item = { ...common(partName(name, claim.token, at), claim), bytes: binary(bytes) };
        return reachStore('idempotency table', () =>
          this.client.call('dynamodb:PutItem', { TableName: this.tableName, Item }),
        );
      }),
    );
    // Without a lock it is done, and not to be claimed.
    const write = () =>
      this.client.call('dynamodb:UpdateItem', {
        TableName: this.tableName,
        Key: { pk: { S: name } },
        UpdateExpression: 'SET #bytes = :bytes, #parts = :parts REMOVE #lockedUntil',
        ConditionExpression: '#token = :token',
        ExpressionAttributeNames: {
          '#bytes': 'bytes',
          '#parts': 'parts',
          '#lockedUntil': 'lockedUntil',
          '#token': 'token',
        },
        ExpressionAttributeValues: {
          ':bytes': binary(first),
          ':parts': { N: String(others.length) },
          ':token': { S: claim.token },
        },
      });
    await isWritten('idempotency table', write);
  }

  async release(name: string, token: string): Promise<void> {
    const write = () =>
      this.client.call('dynamodb:DeleteItem', {
        TableName: this.tableName,
        Key: { pk: { S: name } },
        ConditionExpression: '#token = :token',
        ExpressionAttributeNames: { '#token': 'token' },
        ExpressionAttributeValues: { ':token': { S: token } },
      });
    await isWritten('idempotency table', write);
  }

  async deleteEndUser(endUserId: string): Promise<{ answers: number }> {
    let answers = 0;
    for (let pass = 1; pass <= MAX_PASSES; pass += 1) {
      const names = await this.namesOf(endUserId);
      if (names.length === 0) break;
      for (const name of names) await this.delete(name);
      // The parts of a long answer are not counted.
      if (pass === 1) answers = names.filter((name) => !name.includes('#')).length;
    }
    return { answers };
  }

  private async namesOf(endUserId: string): Promise<string[]> {
    const names: string[] = [];
    let start: Item | undefined;
    do {
      const read = () =>
        this.client.call('dynamodb:Query', {
          TableName: this.tableName,
          IndexName: 'endUser',
          KeyConditionExpression: '#endUserId = :endUserId',
          ProjectionExpression: '#pk',
          ExpressionAttributeNames: { '#endUserId': 'endUserId', '#pk': 'pk' },
          ExpressionAttributeValues: { ':endUserId': { S: endUserId } },
          ...(start !== undefined && { ExclusiveStartKey: start }),
        });
      const { Items = [], LastEvaluatedKey } = await reachStore('idempotency table', read);
      names.push(...Items.map(({ pk }) => pk?.S ?? ''));
      start = LastEvaluatedKey;
    } while (start !== undefined);
    return names;
  }

  private async delete(name: string): Promise<void> {
    const write = () =>
      this.client.call('dynamodb:DeleteItem', { TableName: this.tableName, Key: { pk: { S: name } } });
    await reachStore('idempotency table', write);
  }

  private async toEntry(name: string, item: Item): Promise<IdempotencyEntry> {
    const token = item.token?.S ?? '';
    return {
      token,
      salt: bytesOf(item.salt),
      bodyTag: item.bodyTag?.S ?? '',
      answer: item.parts?.N === undefined ? undefined : await this.answerOf(name, token, item),
    };
  }

  private async answerOf(name: string, token: string, item: Item): Promise<Uint8Array> {
    const names = Array.from({ length: Number(item.parts?.N) }, (_, at) => partName(name, token, at));
    const found = await batchGet(this.client, this.tableName, names);
    const parts = names.map((part) => found.get(part)?.bytes);
    if (parts.some((part) => part === undefined)) throw new StoreUnavailable('idempotency table: a part is missing');
    return Buffer.concat([item.bytes, ...parts].map(bytesOf));
  }

  private async read(name: string): Promise<Item | undefined> {
    const read = () =>
      this.client.call('dynamodb:GetItem', {
        TableName: this.tableName,
        Key: { pk: { S: name } },
        ConsistentRead: true,
      });
    return (await reachStore('idempotency table', read)).Item;
  }
}

/** Names of parts are of one claim, so that what two of them wrote is never mixed. */
function partName(name: string, token: string, at: number): string {
  return `${name}#${token}#${at}`;
}

function common(pk: string, { expiresAtMs, endUserId }: IdempotencyClaim): Item {
  return {
    pk: { S: pk },
    expiresAt: { N: String(Math.floor(expiresAtMs / 1000)) },
    ...(endUserId !== null && { endUserId: { S: endUserId } }),
  };
}
