import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { PolicyStore, PolicyVersion, PolicyVersionPage } from '../../control/policy/index.ts';
import { GatewayError } from '../../kernel/errors/index.ts';
import type { DeploymentPolicy } from '../../kernel/model/index.ts';
import type { DynamoClient } from '../aws/clients.ts';
import { reachStore } from '../aws/reach-store.ts';
import { batchGet, isWritten } from './dynamo-calls.ts';

const CURSOR = /^[1-9]\d{0,14}$/;
const FIRST: PolicyVersion = { version: 0, settings: {}, createdAt: null, createdBy: null };

interface PolicyItem {
  readonly pk: string;
  readonly version: number;
  /** JSON. */
  readonly settings: string;
  /** Empty if unknown, like `createdBy`. */
  readonly createdAt: string;
  readonly createdBy: string;
  /** Only in `current`: identifies the write that created it. */
  readonly attempt?: string;
}

/**
 * The deployment's policy in DynamoDB: `current` is in force, `version#<n>` are the previous ones. The current policy is copied before it
 * is replaced, so that no version is missing.
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

  async get(version: number): Promise<PolicyVersion | undefined> {
    const current = await this.current();
    if (version === current.version) return current;
    if (version === 0) return FIRST;
    const item = version < current.version ? await this.read(nameOf(version)) : undefined;
    return item === undefined ? undefined : toVersion(item);
  }

  async replace(read: PolicyVersion, next: PolicyVersion): Promise<boolean> {
    if (read.version > 0) await this.put(toItem(nameOf(read.version), read));
    const attempt = crypto.randomUUID();
    const item = { ...toItem('current', next), attempt };
    const replaced =
      read.version === 0
        ? await this.put(item, 'attribute_not_exists(#version)')
        : await this.put(item, '#version = :version', { ':version': read.version });
    if (replaced) return true;
    // The retry of a write whose response was lost fails its condition.
    return (await this.read())?.attempt === attempt;
  }

  async list(limit: number, cursor: string | undefined): Promise<PolicyVersionPage> {
    if (cursor !== undefined && !CURSOR.test(cursor)) {
      throw new GatewayError('invalid_value', "'cursor' is not a cursor from an earlier page.", { param: 'cursor' });
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
      return item === undefined ? [] : toVersion(item as unknown as PolicyItem);
    });
    return { versions, ...(oldest > 1 && { nextCursor: String(oldest - 1) }) };
  }

  private async read(pk = 'current'): Promise<PolicyItem | undefined> {
    const read = () =>
      this.client.send(new GetCommand({ TableName: this.tableName, Key: { pk }, ConsistentRead: true }));
    return (await reachStore('policies table', read)).Item as PolicyItem | undefined;
  }

  private async put(item: PolicyItem, condition?: string, values?: { ':version': number }): Promise<boolean> {
    const write = () =>
      this.client.send(
        new PutCommand({
          TableName: this.tableName,
          Item: item,
          ConditionExpression: condition,
          // DynamoDB refuses names that no expression uses.
          ExpressionAttributeNames: condition === undefined ? undefined : { '#version': 'version' },
          ExpressionAttributeValues: values,
        }),
      );
    return isWritten('policies table', write);
  }
}

function nameOf(version: number): string {
  return `version#${version}`;
}

function toItem(pk: string, { version, settings, createdAt, createdBy }: PolicyVersion): PolicyItem {
  return { pk, version, settings: JSON.stringify(settings), createdAt: createdAt ?? '', createdBy: createdBy ?? '' };
}

function toVersion({ version, settings, createdAt, createdBy }: PolicyItem): PolicyVersion {
  return {
    version,
    settings: JSON.parse(settings) as DeploymentPolicy,
    createdAt: createdAt || null,
    createdBy: createdBy || null,
  };
}
