import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Outbox, OutboxItem } from '../../core/webhooks/relay-events.ts';
import type { DynamoClient } from '../aws/clients.ts';
import { isWritten } from './conditional-write.ts';

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
