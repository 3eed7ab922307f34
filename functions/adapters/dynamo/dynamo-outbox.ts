import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { GatewayEvent } from '../../core/model/events.ts';
import type { Outbox, OutboxItem } from '../../core/webhooks/relay-events.ts';
import type { DynamoClient } from '../aws/clients.ts';
import { type Item, isWritten } from './dynamo-calls.ts';

/**
 * Events of an item are stored in the item itself, so that one write changes it and emits them. `outbox` is a list of events as JSON;
 * the stream's filter and the local index look for `outboxPk`.
 */
interface OutboxMembers {
  readonly outbox?: readonly string[];
  readonly outboxPk?: string;
}

const MARK = 'outbox';

/** What a new item with an event holds besides. */
export function outboxOf(event: GatewayEvent | undefined): OutboxMembers {
  return event === undefined ? {} : { outbox: [JSON.stringify(event)], outboxPk: MARK };
}

/** What an UpdateItem needs to add an event to those not relayed yet; parts that are empty without one. */
export function addingToOutbox(event: GatewayEvent | undefined): {
  /** To be put behind a SET clause that is not empty. */
  readonly set: string;
  readonly names: Record<string, string>;
  readonly values: Item;
} {
  if (event === undefined) return { set: '', names: {}, values: {} };
  return {
    set: ', #outbox = list_append(if_not_exists(#outbox, :none), :told), #outboxPk = :outboxPk',
    names: { '#outbox': 'outbox', '#outboxPk': 'outboxPk' },
    values: { ':none': [], ':told': [JSON.stringify(event)], ':outboxPk': MARK },
  };
}

/** The events of an item, oldest first, each as its JSON. */
export function outboxIn(item: Item): readonly string[] {
  return (item as OutboxMembers).outbox ?? [];
}

/** An item without its outbox. */
export function withoutOutbox({ outbox: _, outboxPk: __, ...item }: Item): Item {
  return item;
}

/** The outboxes of items that are updated. Those of other tables stay as they are: their items are written once, and expire. */
export class DynamoOutbox implements Outbox {
  private readonly client: DynamoClient;
  private readonly tables: ReadonlySet<string>;

  /** `tables`: those whose items are cleared. */
  constructor(client: DynamoClient, tables: readonly string[]) {
    this.client = client;
    this.tables = new Set(tables);
  }

  async clear({ table, key, events }: OutboxItem): Promise<void> {
    if (!this.tables.has(table)) return;
    const command = new UpdateCommand({
      TableName: table,
      Key: key as Record<string, unknown>,
      UpdateExpression: 'REMOVE #outbox, #outboxPk',
      // It only grows until it is cleared, and no event is in it twice: its first event and its length identify its content.
      ConditionExpression: '#outbox[0] = :first AND size(#outbox) = :length',
      // The relay's role may name these attributes and the key's, and no other (gateway-stack.ts).
      ExpressionAttributeNames: { '#outbox': 'outbox', '#outboxPk': 'outboxPk' },
      ExpressionAttributeValues: { ':first': events[0] ?? '', ':length': events.length },
    });
    await isWritten(`${table} table`, () => this.client.send(command));
  }
}
