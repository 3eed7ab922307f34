import { GetCommand, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import type { KeyPins, SeenTools, SeenVersion, ToolPin, ToolPinStore } from '../../control/tool-pins/index.ts';
import type { DynamoClient } from '../aws/clients.ts';
import { reachStore } from '../aws/reach-store.ts';
import { type Item, inBatches, isWritten } from './dynamo-calls.ts';

const WHAT = 'limits table, tool pins';
/** An update expression has at most 4 KB. */
const MAX_TOOLS = 100;
/** Attributes of the pinned and the pending version of a tool, before its name. */
const PINNED = 'tool#';
const PENDING = 'pending#';

interface VersionItem {
  readonly digest: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Milliseconds since 1970. */
  readonly seenAt: number;
}

/**
 * Pins in the table of limits, in one item for each key, so that one read has all of them. Two attributes for each tool: the pinned version,
 * which is set only while it is absent, and the pending one.
 */
export class DynamoToolPinStore implements ToolPinStore {
  private readonly client: DynamoClient;
  private readonly tableName: string;

  constructor(client: DynamoClient, tableName: string) {
    this.client = client;
    this.tableName = tableName;
  }

  async read(keyId: string): Promise<KeyPins> {
    const read = () =>
      this.client.send(new GetCommand({ TableName: this.tableName, Key: keyOf(keyId), ConsistentRead: true }));
    return toPins((await reachStore(WHAT, read)).Item);
  }

  async pin(keyId: string, tools: SeenTools, expiresAtMs: number): Promise<KeyPins> {
    let item: Item | undefined;
    for (const some of inBatches([...tools], MAX_TOOLS)) {
      const sets = some.map((_, at) => `#t${at} = if_not_exists(#t${at}, :t${at})`);
      const write = () =>
        this.client.send(
          new UpdateCommand({
            ...this.versions(keyId, PINNED, some, sets, expiresAtMs),
            ReturnValues: 'ALL_NEW',
          }),
        );
      item = (await reachStore(WHAT, write)).Attributes;
    }
    return toPins(item);
  }

  async suggest(keyId: string, tools: SeenTools): Promise<void> {
    for (const some of inBatches([...tools], MAX_TOOLS)) {
      const sets = some.map((_, at) => `#t${at} = :t${at}`);
      await this.change(this.versions(keyId, PENDING, some, sets));
    }
  }

  async renew(keyId: string, expiresAtMs: number): Promise<void> {
    await this.change(this.versions(keyId, PINNED, [], [], expiresAtMs));
  }

  accept(keyId: string, tool: string, pending: SeenVersion): Promise<boolean> {
    const write = () =>
      this.client.send(
        new UpdateCommand({
          TableName: this.tableName,
          Key: keyOf(keyId),
          UpdateExpression: 'SET #pinned = :version REMOVE #pending',
          ConditionExpression: 'attribute_exists(#pinned) AND #pending.#digest = :digest',
          ExpressionAttributeNames: { '#pinned': PINNED + tool, '#pending': PENDING + tool, '#digest': 'digest' },
          ExpressionAttributeValues: { ':version': toItem(pending), ':digest': pending.digest },
        }),
      );
    return isWritten(WHAT, write);
  }

  remove(keyId: string, tool: string): Promise<boolean> {
    const write = () =>
      this.client.send(
        new UpdateCommand({
          TableName: this.tableName,
          Key: keyOf(keyId),
          UpdateExpression: 'REMOVE #pinned, #pending',
          ConditionExpression: 'attribute_exists(#pinned)',
          ExpressionAttributeNames: { '#pinned': PINNED + tool, '#pending': PENDING + tool },
        }),
      );
    return isWritten(WHAT, write);
  }

  /** Changes the key's item, unless it was deleted meanwhile. */
  private async change(input: UpdateCommandInput): Promise<void> {
    const names = { ...input.ExpressionAttributeNames, '#pk': 'pk' };
    const condition = { ConditionExpression: 'attribute_exists(#pk)', ExpressionAttributeNames: names };
    await isWritten(WHAT, () => this.client.send(new UpdateCommand({ ...input, ...condition })));
  }

  /** An update that sets versions of tools. */
  private versions(
    keyId: string,
    prefix: string,
    tools: readonly (readonly [string, SeenVersion])[],
    sets: readonly string[],
    expiresAtMs?: number,
  ): UpdateCommandInput {
    const kept = expiresAtMs === undefined ? [] : ['#expiresAt = :expiresAt'];
    return {
      TableName: this.tableName,
      Key: keyOf(keyId),
      UpdateExpression: `SET ${[...sets, ...kept].join(', ')}`,
      ExpressionAttributeNames: {
        ...Object.fromEntries(tools.map(([name], at) => [`#t${at}`, prefix + name])),
        ...(expiresAtMs !== undefined && { '#expiresAt': 'expiresAt' }),
      },
      ExpressionAttributeValues: {
        ...Object.fromEntries(tools.map(([, version], at) => [`:t${at}`, toItem(version)])),
        ...(expiresAtMs !== undefined && { ':expiresAt': Math.ceil(expiresAtMs / 1000) }),
      },
    };
  }
}

function keyOf(keyId: string): { pk: string } {
  return { pk: `tools#${keyId}` };
}

function toItem({ digest, fields, seenAtMs }: SeenVersion): VersionItem {
  return { digest, fields, seenAt: seenAtMs };
}

function toVersion(item: unknown): SeenVersion {
  const { digest, fields, seenAt } = item as VersionItem;
  return { digest, fields, seenAtMs: seenAt };
}

function toPins(item: Item | undefined = {}): KeyPins {
  const pins = new Map<string, ToolPin>();
  for (const [name, value] of Object.entries(item)) {
    if (!name.startsWith(PINNED)) continue;
    const tool = name.slice(PINNED.length);
    const pinned = toVersion(value);
    const pending = item[PENDING + tool];
    const other = pending === undefined ? undefined : toVersion(pending);
    pins.set(tool, { ...pinned, pending: other?.digest === pinned.digest ? undefined : other });
  }
  return { pins, expiresAtMs: Number(item.expiresAt ?? 0) * 1000 };
}
