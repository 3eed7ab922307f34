import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { type AlertState, firstState } from '../../control/alerts/index.ts';
import type { StateStore } from '../../control/documents/index.ts';
import { NO_REPORT, type SpendReportState } from '../../control/spend/index.ts';
import type { ApprovedDefinition, SavedViews, ShownTools } from '../../kernel/configuration/index.ts';
import type { GatewayEvent } from '../../kernel/model/index.ts';
import type { DynamoClient } from '../aws/clients.ts';
import { reachStore } from '../aws/reach-store.ts';
import { batchGet, isWritten } from './dynamo-calls.ts';
import { outboxIn, outboxOf } from './dynamo-outbox.ts';

interface StateItem {
  readonly pk: string;
  readonly version: number;
  /** The other fields of a state, as JSON. */
  readonly state: string;
}

/** What the states of a feature are called in the table, and the state of one that is not stored yet. */
interface StateKind<State> {
  readonly prefix: string;
  readonly first: () => State;
}

export const ALERT_STATES: StateKind<AlertState> = { prefix: 'alert-state', first: firstState };
/** The definitions of an MCP server's tools as an administrator saw them last. */
export const SHOWN_TOOLS: StateKind<ShownTools> = { prefix: 'mcp-shown', first: () => ({ version: 0, digests: {} }) };
/** The approved definition of each tool of an MCP server. */
export const APPROVED_DEFINITIONS: StateKind<ApprovedDefinition> = {
  prefix: 'mcp-approved',
  first: () => ({ version: 0, digest: null, definition: '' }),
};
export const REPORT_STATES: StateKind<SpendReportState> = { prefix: 'report-state', first: () => NO_REPORT };

/** Views of the dashboard. */
export const SAVED_VIEWS: StateKind<SavedViews> = { prefix: 'views', first: () => ({ version: 0, views: [] }) };

/** States in the table of documents, an item each. */
export class DynamoStateStore<State extends { readonly version: number }> implements StateStore<State> {
  private readonly client: DynamoClient;
  private readonly tableName: string;
  private readonly kind: StateKind<State>;
  /** Events that were not relayed when a state was read: the next write keeps them. */
  private readonly unrelayed = new WeakMap<State, readonly string[]>();

  constructor(client: DynamoClient, tableName: string, kind: StateKind<State>) {
    this.client = client;
    this.tableName = tableName;
    this.kind = kind;
  }

  /** @param ids at most 100 */
  async read(ids: readonly string[]): Promise<readonly State[]> {
    const items = await batchGet(
      this.client,
      this.tableName,
      ids.map((id) => this.keyOf(id)),
    );
    return ids.map((id) => {
      const item = items.get(this.keyOf(id)) as StateItem | undefined;
      if (item === undefined) return this.kind.first();
      const state = { ...JSON.parse(item.state), version: item.version } as State;
      this.unrelayed.set(state, outboxIn({ ...item }));
      return state;
    });
  }

  async replace(id: string, read: State, next: State, event: GatewayEvent | undefined): Promise<boolean> {
    const { version, ...state } = next;
    // An event that was relayed since the read is sent again, with the same id: its deliveries exist already.
    const outbox = outboxOf(event, this.unrelayed.get(read));
    const item = { pk: this.keyOf(id), version, state: JSON.stringify(state), ...outbox };
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
    const remove = new DeleteCommand({ TableName: this.tableName, Key: { pk: this.keyOf(id) } });
    await reachStore('policies table', () => this.client.send(remove));
  }

  private keyOf(id: string): string {
    return `${this.kind.prefix}#${id}`;
  }
}
