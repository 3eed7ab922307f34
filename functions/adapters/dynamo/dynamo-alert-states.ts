import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { type AlertState, type AlertStates, firstState } from '../../control/alerts/index.ts';
import type { GatewayEvent } from '../../kernel/model/index.ts';
import type { DynamoClient } from '../aws/clients.ts';
import { reachStore } from '../aws/reach-store.ts';
import { batchGet, isWritten } from './dynamo-calls.ts';
import { outboxIn, outboxOf } from './dynamo-outbox.ts';

interface StateItem {
  readonly pk: string;
  readonly version: number;
  /** The other fields of an AlertState, as JSON. */
  readonly state: string;
}

/** The states of alerts in the table of documents, an item each beside the document of their rules. */
export class DynamoAlertStates implements AlertStates {
  private readonly client: DynamoClient;
  private readonly tableName: string;
  /** Events that were not relayed when a state was read: the next write keeps them. */
  private readonly unrelayed = new WeakMap<AlertState, readonly string[]>();

  constructor(client: DynamoClient, tableName: string) {
    this.client = client;
    this.tableName = tableName;
  }

  /** @param ids at most 100 */
  async read(ids: readonly string[]): Promise<readonly AlertState[]> {
    const items = await batchGet(this.client, this.tableName, ids.map(keyOf));
    return ids.map((id) => {
      const item = items.get(keyOf(id)) as StateItem | undefined;
      if (item === undefined) return firstState();
      const state = { ...(JSON.parse(item.state) as Omit<AlertState, 'version'>), version: item.version };
      this.unrelayed.set(state, outboxIn({ ...item }));
      return state;
    });
  }

  async replace(id: string, read: AlertState, next: AlertState, event: GatewayEvent | undefined): Promise<boolean> {
    const { version, ...state } = next;
    // An event that was relayed since the read is sent again, with the same id: its deliveries exist already.
    const outbox = outboxOf(event, this.unrelayed.get(read));
    const item = { pk: keyOf(id), version, state: JSON.stringify(state), ...outbox };
    const write = () =>
      this.client.send(
        new PutCommand({
          TableName: this.tableName,
          Item: item,
          ...(read.version === 0
            ? {
                ConditionExpression: 'attribute_not_exists(#version)',
                ExpressionAttributeNames: { '#version': 'version' },
              }
            : {
                ConditionExpression: '#version = :read',
                ExpressionAttributeNames: { '#version': 'version' },
                ExpressionAttributeValues: { ':read': read.version },
              }),
        }),
      );
    return isWritten('policies table', write);
  }

  async delete(id: string): Promise<void> {
    const remove = new DeleteCommand({ TableName: this.tableName, Key: { pk: keyOf(id) } });
    await reachStore('policies table', () => this.client.send(remove));
  }
}

function keyOf(id: string): string {
  return `alert-state#${id}`;
}
