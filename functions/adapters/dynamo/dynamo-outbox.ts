import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Outbox, OutboxItem } from '../../control/webhooks/index.ts';
import type { GatewayEvent } from '../../kernel/model/index.ts';
import type { DynamoClient } from '../aws/clients.ts';
import { type Item, isWritten } from './dynamo-calls.ts';

/**
 * An item's events are stored in the item, so that one write changes it and emits them. `outbox` is a list of events as JSON; the stream's
 * filter and the local index use `outboxPk`.
 */
interface OutboxMembers {
  readonly outbox?: readonly string[];
  readonly outboxPk?: string;
}

const MARK = 'outbox';

/** The outbox members of a new item with an event, and with `earlier` ones that were not relayed yet. */
export function outboxOf(event: GatewayEvent | undefined, earlier: readonly string[] = []): OutboxMembers {
  const outbox = event === undefined ? earlier : [...earlier, JSON.stringify(event)];
  return outbox.length === 0 ? {} : { outbox, outboxPk: MARK };
}

/** The parts of an UpdateItem that add an event to the outbox; empty without an event. */
export function addingToOutbox(event: GatewayEvent | undefined): {
  /** Appended to a SET clause that is not empty. */
  readonly set: string;
  readonly names: Record<string, string>;
  readonly values: Item;
} {
  if (event === undefined) return { set: '', names: {}, values: {} };
  return {
    set: ', #outbox = list_append(if_not_exists(#outbox, :none), :added), #outboxPk = :outboxPk',
    names: { '#outbox': 'outbox', '#outboxPk': 'outboxPk' },
    values: { ':none': [], ':added': [JSON.stringify(event)], ':outboxPk': MARK },
  };
}

/** The events of an item, oldest first, as JSON. @throws if its outbox has another form */
export function outboxIn(item: Item): readonly string[] {
  const { outbox = [] } = item as OutboxMembers;
  if (!Array.isArray(outbox) || outbox.some((event) => typeof event !== 'string')) {
    throw new TypeError('the outbox is no list of texts');
  }
  return outbox;
}

export function withoutOutbox({ outbox: _, outboxPk: __, ...item }: Item): Item {
  return item;
}

/** Clears the outboxes of items that are updated. Items of other tables are written once and expire. */
export class DynamoOutbox implements Outbox {
  private readonly client: DynamoClient;
  private readonly tables: ReadonlySet<string>;

  /** @param tables the tables whose items are cleared */
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
      // The outbox only grows until it is cleared, and has no duplicates: its first event and length identify its content.
      ConditionExpression: '#outbox[0] = :first AND size(#outbox) = :length',
      // The relay's role may name only these attributes and the key's (gateway-stack.ts).
      ExpressionAttributeNames: { '#outbox': 'outbox', '#outboxPk': 'outboxPk' },
      ExpressionAttributeValues: { ':first': events[0] ?? '', ':length': events.length },
    });
    await isWritten(`${table} table`, () => this.client.send(command));
  }
}
