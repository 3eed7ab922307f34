import { DeleteCommand, GetCommand, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { EndUserStore } from '../../control/analytics/index.ts';
import type { IdempotencyClaim, IdempotencyEntry, IdempotencyStore } from '../../control/idempotency/index.ts';
import { StoreUnavailable } from '../../kernel/errors/index.ts';
import type { DynamoClient } from '../aws/clients.ts';
import { reachStore } from '../aws/reach-store.ts';
import { type Item, isWritten } from './dynamo-calls.ts';
import { readParts, writeParts } from './split-bytes.ts';

/** A name may be released between a failed claim and the read of its holder. */
const MAX_ATTEMPTS = 5;
/** An index may lag behind its table, so the search repeats until it finds nothing. */
const MAX_PASSES = 5;

/** The attributes read of a name's item. */
interface ResponseItem {
  readonly token: string;
  readonly salt: Uint8Array;
  readonly bodyTag: string;
  readonly aroundTag?: string;
  /** The first bytes of the response and the number of further parts; absent until it is complete. */
  readonly bytes?: Uint8Array;
  readonly parts?: number;
}

/** Stored responses in DynamoDB, one item per name. The conditional write that creates it is the claim. */
export class DynamoIdempotencyStore implements IdempotencyStore, EndUserStore {
  private readonly client: DynamoClient;
  private readonly tableName: string;

  constructor(client: DynamoClient, tableName: string) {
    this.client = client;
    this.tableName = tableName;
  }

  async claim(name: string, claim: IdempotencyClaim): Promise<IdempotencyEntry | undefined> {
    const write = () =>
      this.client.send(
        new PutCommand({
          TableName: this.tableName,
          Item: {
            ...common(name, claim),
            token: claim.token,
            salt: claim.salt,
            bodyTag: claim.bodyTag,
            aroundTag: claim.aroundTag,
            lockedUntil: claim.lockedUntilMs,
          },
          // DynamoDB may delete expired items days later.
          ConditionExpression: 'attribute_not_exists(#pk) OR #expiresAt <= :seconds OR #lockedUntil <= :now',
          ExpressionAttributeNames: { '#pk': 'pk', '#expiresAt': 'expiresAt', '#lockedUntil': 'lockedUntil' },
          ExpressionAttributeValues: {
            ':seconds': Math.floor(claim.nowMs / 1000),
            ':now': claim.nowMs,
          },
        }),
      );
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      if (await isWritten('idempotency table', write)) return undefined;
      const item = await this.read(name);
      if (item === undefined) continue;
      // A write whose response was lost is repeated and finds its own claim.
      if (item.token === claim.token) return undefined;
      return this.toEntry(name, item);
    }
    throw new StoreUnavailable('idempotency table: name released too often');
  }

  async complete(name: string, claim: IdempotencyClaim, answer: Uint8Array): Promise<void> {
    const prefix = partsOf(name, claim.token);
    const { bytes, parts } = await writeParts(this.client, this.tableName, prefix, answer, common(name, claim));
    // An item without a lock is complete and cannot be claimed.
    const write = () =>
      this.client.send(
        new UpdateCommand({
          TableName: this.tableName,
          Key: { pk: name },
          UpdateExpression: 'SET #bytes = :bytes, #parts = :parts REMOVE #lockedUntil',
          ConditionExpression: '#token = :token',
          ExpressionAttributeNames: {
            '#bytes': 'bytes',
            '#parts': 'parts',
            '#lockedUntil': 'lockedUntil',
            '#token': 'token',
          },
          ExpressionAttributeValues: {
            ':bytes': bytes,
            ':parts': parts,
            ':token': claim.token,
          },
        }),
      );
    await isWritten('idempotency table', write);
  }

  async release(name: string, token: string): Promise<void> {
    const write = () =>
      this.client.send(
        new DeleteCommand({
          TableName: this.tableName,
          Key: { pk: name },
          ConditionExpression: '#token = :token',
          ExpressionAttributeNames: { '#token': 'token' },
          ExpressionAttributeValues: { ':token': token },
        }),
      );
    await isWritten('idempotency table', write);
  }

  async deleteEndUser(endUserId: string): Promise<{ answers: number }> {
    let answers = 0;
    for (let pass = 1; pass <= MAX_PASSES; pass += 1) {
      const names = await this.namesOf(endUserId);
      if (names.length === 0) break;
      for (const name of names) await this.delete(name);
      // Further parts of a long response are not counted.
      if (pass === 1) answers = names.filter((name) => !name.includes('#')).length;
    }
    return { answers };
  }

  private async namesOf(endUserId: string): Promise<string[]> {
    const names: string[] = [];
    let start: Item | undefined;
    do {
      const read = () =>
        this.client.send(
          new QueryCommand({
            TableName: this.tableName,
            IndexName: 'endUser',
            KeyConditionExpression: '#endUserId = :endUserId',
            ProjectionExpression: '#pk',
            ExpressionAttributeNames: { '#endUserId': 'endUserId', '#pk': 'pk' },
            ExpressionAttributeValues: { ':endUserId': endUserId },
            ExclusiveStartKey: start,
          }),
        );
      const { Items = [], LastEvaluatedKey } = await reachStore('idempotency table', read);
      names.push(...Items.map(({ pk }) => pk as string));
      start = LastEvaluatedKey;
    } while (start !== undefined);
    return names;
  }

  private async delete(name: string): Promise<void> {
    const write = () => this.client.send(new DeleteCommand({ TableName: this.tableName, Key: { pk: name } }));
    await reachStore('idempotency table', write);
  }

  private async toEntry(name: string, item: ResponseItem): Promise<IdempotencyEntry> {
    const { token, salt, bodyTag, aroundTag, parts } = item;
    const answer = parts === undefined ? undefined : await this.answerOf(name, item);
    return { token, salt, bodyTag, aroundTag, answer };
  }

  private async answerOf(
    name: string,
    { token, bytes = new Uint8Array(), parts = 0 }: ResponseItem,
  ): Promise<Uint8Array> {
    const whole = await readParts(this.client, this.tableName, partsOf(name, token), { bytes, parts });
    if (whole === undefined) throw new StoreUnavailable('idempotency table: part missing');
    return whole;
  }

  private async read(name: string): Promise<ResponseItem | undefined> {
    const read = () =>
      this.client.send(
        new GetCommand({
          TableName: this.tableName,
          Key: { pk: name },
          ConsistentRead: true,
        }),
      );
    return (await reachStore('idempotency table', read)).Item as ResponseItem | undefined;
  }
}

/** The beginning of the parts' names: with the claim, so that parts of two claims never mix. */
function partsOf(name: string, token: string): string {
  return `${name}#${token}`;
}

function common(pk: string, { expiresAtMs, endUserId }: IdempotencyClaim): Item {
  return {
    pk,
    expiresAt: Math.floor(expiresAtMs / 1000),
    endUserId: endUserId ?? undefined,
  };
}
