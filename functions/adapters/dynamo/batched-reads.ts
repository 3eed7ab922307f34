import type { DynamoClient } from '../aws/clients.ts';
import { batchGet, type Item } from './dynamo-calls.ts';

/**
 * Reads items of a table by partition key (`pk`); all that are requested in one turn of the event loop, at most 100, are read in one call.
 * They fail together.
 */
export class BatchedReads {
  private readonly client: DynamoClient;
  private readonly tableName: string;
  private next: { readonly pks: Set<string>; readonly found: Promise<ReadonlyMap<string, Item>> } | undefined;

  constructor(client: DynamoClient, tableName: string) {
    this.client = client;
    this.tableName = tableName;
  }

  /** The current item. @throws StoreUnavailable */
  async get(pk: string): Promise<Item | undefined> {
    this.next ??= this.open();
    const { pks, found } = this.next;
    pks.add(pk);
    return (await found).get(pk);
  }

  private open() {
    const pks = new Set<string>();
    const read = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      this.next = undefined;
      return batchGet(this.client, this.tableName, [...pks]);
    };
    return { pks, found: read() };
  }
}
