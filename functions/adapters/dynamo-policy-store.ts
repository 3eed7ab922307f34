import { GatewayError } from '../core/errors.ts';
import type { DeploymentPolicy } from '../core/policies/deployment-policy.ts';
import type { PolicyStore, PolicyVersion, PolicyVersionPage } from '../core/ports/policy-store.ts';
import { isWritten } from './conditional-write.ts';
import { batchGet } from './dynamo-batch-get.ts';
import type { DynamoClient } from './dynamo-client.ts';
import type { Item } from './dynamo-item.ts';
import { reachStore } from './reach-store.ts';

const CURSOR = /^[1-9]\d{0,14}$/;
const FIRST: PolicyVersion = { version: 0, settings: {}, createdAt: null, createdBy: null };

/**
 * The deployment's policy in DynamoDB: `current` is the one that counts, `version#<n>` each that did. The current one is
 * copied there before another takes its place, so that no version is ever missing.
 */
export class DynamoPolicyStore implements PolicyStore {
  private readonly client: DynamoClient;
  private readonly tableName: string;

  constructor(client: DynamoClient, tableName: string) {
    this.client = client;
    this.tableName = tableName;
  }

  async current(): Promise<PolicyVersion> {
    const item = await this.read();
    return item === undefined ? FIRST : toVersion(item);
  }

  async replace(read: PolicyVersion, next: PolicyVersion): Promise<boolean> {
    if (read.version > 0) await this.put(toItem(nameOf(read.version), read));
    const attempt = crypto.randomUUID();
    const item = { ...toItem('current', next), attempt: { S: attempt } };
    const replaced =
      read.version === 0
        ? await this.put(item, 'attribute_not_exists(#version)')
        : await this.put(item, '#version = :version', { ':version': { N: String(read.version) } });
    if (replaced) return true;
    // A write whose answer was lost is repeated, and meets itself.
    return (await this.read())?.attempt?.S === attempt;
  }

  async list(limit: number, cursor: string | undefined): Promise<PolicyVersionPage> {
    if (cursor !== undefined && !CURSOR.test(cursor)) {
      throw new GatewayError('invalid_value', "'cursor' is not one that a list has answered.", { param: 'cursor' });
    }
    const current = await this.current();
    const newest = cursor === undefined ? current.version : Math.min(Number(cursor), current.version);
    const oldest = Math.max(1, newest - limit + 1);
    const numbers = Array.from({ length: Math.max(0, newest - oldest + 1) }, (_, at) => newest - at);
    const past = numbers.filter((number) => number !== current.version);
    const found = await batchGet(this.client, this.tableName, past.map(nameOf));
    const versions = numbers.flatMap((number) => {
      if (number === current.version) return current;
      const item = found.get(nameOf(number));
      return item === undefined ? [] : toVersion(item);
    });
    return { versions, ...(oldest > 1 && { nextCursor: String(oldest - 1) }) };
  }

  private async read(): Promise<Item | undefined> {
    const read = () =>
      this.client.call('dynamodb:GetItem', {
        TableName: this.tableName,
        Key: { pk: { S: 'current' } },
        ConsistentRead: true,
      });
    return (await reachStore('policies table', read)).Item;
  }

  private async put(item: Item, condition?: string, values?: Item): Promise<boolean> {
    const write = () =>
      this.client.call('dynamodb:PutItem', {
        TableName: this.tableName,
        Item: item,
        ...(condition !== undefined && {
          ConditionExpression: condition,
          ExpressionAttributeNames: { '#version': 'version' },
        }),
        ...(values !== undefined && { ExpressionAttributeValues: values }),
      });
    return isWritten('policies table', write);
  }
}

function nameOf(version: number): string {
  return `version#${version}`;
}

function toItem(pk: string, { version, settings, createdAt, createdBy }: PolicyVersion): Item {
  return {
    pk: { S: pk },
    version: { N: String(version) },
    settings: { S: JSON.stringify(settings) },
    createdAt: { S: createdAt ?? '' },
    createdBy: { S: createdBy ?? '' },
  };
}

function toVersion({ version, settings, createdAt, createdBy }: Item): PolicyVersion {
  return {
    version: Number(version?.N),
    settings: JSON.parse(settings?.S ?? '{}') as DeploymentPolicy,
    createdAt: createdAt?.S || null,
    createdBy: createdBy?.S || null,
  };
}
