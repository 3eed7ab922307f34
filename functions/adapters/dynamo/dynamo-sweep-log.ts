import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '../../core/base/clock.ts';
import type { DynamoClient } from '../aws/clients.ts';
import { reachStore } from './reach-store.ts';

const KEPT_SECONDS = 86_400;

/** When the delivery of webhooks last looked for what is due. */
export class DynamoSweepLog {
  private readonly client: DynamoClient;
  private readonly tableName: string;
  private readonly clock: Clock;

  constructor(client: DynamoClient, tableName: string, clock: Clock) {
    this.client = client;
    this.tableName = tableName;
    this.clock = clock;
  }

  async record(): Promise<void> {
    const at = this.clock.now();
    const Item = { pk: 'last', at, expiresAt: Math.floor(at / 1000) + KEPT_SECONDS };
    await reachStore('sweeps table', () => this.client.send(new PutCommand({ TableName: this.tableName, Item })));
  }

  /** Milliseconds since 1970; undefined before the first. */
  async last(): Promise<number | undefined> {
    const command = new GetCommand({ TableName: this.tableName, Key: { pk: 'last' }, ConsistentRead: true });
    const { Item } = await reachStore('sweeps table', () => this.client.send(command));
    return Item?.at as number | undefined;
  }
}
