import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoClient } from '../../functions/adapters/aws/clients.ts';
import { TABLES, type TableDefinition } from '../../functions/adapters/dynamo/tables.ts';
import type { StreamEvent } from '../../functions/event-relay/compose.ts';
import { BATCH, PendingItems } from './pending-items.ts';

/** The tables whose items may hold events. */
export const RELAYED_TABLES = Object.entries<TableDefinition>(TABLES).flatMap(([name, { stream = [] }]) =>
  stream.includes('relayed') ? [name] : [],
);

export interface OutboxStreamOptions {
  readonly client: DynamoClient;
  /** Takes the events out of the items that it was given, or rejects where they have to come again. */
  readonly deliver: (event: StreamEvent) => Promise<void>;
  readonly intervalMs: number;
}

export interface OutboxStream {
  /** Resolves when the events that were there are delivered, or cannot be now. */
  stop(): Promise<void>;
}

/**
 * Delivers items with events as DynamoDB streams do, for a store that has none: a poll of the sparse index that they are in
 * until their events are taken out, which is what the relay does. What is cut off in between comes again.
 */
export function startOutboxStream({ client, deliver, intervalMs }: OutboxStreamOptions): OutboxStream {
  const tables = RELAYED_TABLES.map((name) => {
    const { partitionKey, sortKey }: TableDefinition = TABLES[name as keyof typeof TABLES];
    const key = sortKey === undefined ? [partitionKey] : [partitionKey, sortKey];
    const where = { index: 'outbox', attribute: 'outboxPk', value: 'outbox' };
    return { name, items: new PendingItems({ client, tableName: name, key, ...where }) };
  });
  const drain = async (name: string, items: PendingItems): Promise<void> => {
    for (;;) {
      const keys = await items.keys();
      const pending = await items.stillPending(keys);
      const eventSourceARN = `arn:aws:dynamodb:local:000000000000:table/${name}/stream/local`;
      const Records = pending.map(({ key, item }) => ({
        eventSourceARN,
        dynamodb: { Keys: marshall(key), NewImage: marshall(item) },
      }));
      if (Records.length > 0) await deliver({ Records });
      if (keys.length < BATCH) return;
    }
  };
  let running: Promise<unknown> = Promise.resolve();
  let waiting = false;
  /** What fails comes again at the next turn, and what fails in one table holds no other up. */
  const round = (): void => {
    if (waiting) return;
    waiting = true;
    running = running.then(() => {
      waiting = false;
      return Promise.allSettled(tables.map(({ name, items }) => drain(name, items)));
    });
  };
  round();
  const timer = setInterval(round, intervalMs);
  return {
    stop: async () => {
      clearInterval(timer);
      round();
      await running;
    },
  };
}
