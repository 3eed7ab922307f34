import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { CaptureStore } from '../../core/analytics/request-records.ts';
import type { Clock } from '../../core/base/clock.ts';
import type { Capture } from '../../core/model/capture.ts';
import type { DynamoClient } from '../aws/clients.ts';
import { isLive } from './dynamo-item.ts';
import { reachStore } from './reach-store.ts';

const SECONDS_A_DAY = 86_400;

/** Captured texts in a table of their own: an item each, by its request. */
export class DynamoCaptureStore implements CaptureStore {
  private readonly client: DynamoClient;
  private readonly tableName: string;
  private readonly clock: Clock;
  private readonly keptDays: number;

  constructor(client: DynamoClient, tableName: string, clock: Clock, keptDays: number) {
    this.client = client;
    this.tableName = tableName;
    this.clock = clock;
    this.keptDays = keptDays;
  }

  async write(requestId: string, capture: Capture): Promise<void> {
    const expiresAt = Math.ceil(this.clock.now() / 1000) + this.keptDays * SECONDS_A_DAY;
    const Item = { pk: requestId, capture: JSON.stringify(capture), expiresAt };
    const write = () => this.client.send(new PutCommand({ TableName: this.tableName, Item }));
    await reachStore('captures table', write);
  }

  async read(requestId: string): Promise<Capture | undefined> {
    const read = () => this.client.send(new GetCommand({ TableName: this.tableName, Key: { pk: requestId } }));
    const { Item } = await reachStore('captures table', read);
    if (Item === undefined || !isLive(Item, this.clock.now())) return undefined;
    return JSON.parse(Item.capture) as Capture;
  }
}
