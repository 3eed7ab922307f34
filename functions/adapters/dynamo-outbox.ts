import type { Outbox, OutboxItem } from '../core/events/relay-events.ts';
import { writeIf } from './conditional-write.ts';
import type { DynamoClient } from './dynamo-client.ts';
import { type Item, number, text } from './dynamo-item.ts';

/** The outboxes of items that live on. Those of other tables stay as they are: their items are written once, and expire. */
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
    const write = () =>
      this.client.call('dynamodb:UpdateItem', {
        TableName: table,
        Key: key as Item,
        UpdateExpression: 'REMOVE #outbox, #outboxPk',
        // It only grows until it is cleared, and no event is in it twice: by its first and its length it is the same.
        ConditionExpression: '#outbox[0] = :first AND size(#outbox) = :length',
        // The relay's role may name these attributes and the key's, and no other (gateway-stack.ts).
        ExpressionAttributeNames: { '#outbox': 'outbox', '#outboxPk': 'outboxPk' },
        ExpressionAttributeValues: { ':first': text(events[0] ?? ''), ':length': number(events.length) },
      });
    await writeIf(`${table} table`, write);
  }
}
