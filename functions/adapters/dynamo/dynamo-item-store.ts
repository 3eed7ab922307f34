import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { ItemStore, NewItems, SealedItems } from '../../control/stored-items/index.ts';
import { inParallel } from '../../kernel/tasks/index.ts';
import type { DynamoClient } from '../aws/clients.ts';
import { reachStore } from '../aws/reach-store.ts';
import { batchGet, inBatches, isLive } from './dynamo-calls.ts';
import { type FirstPart, readParts, writeParts } from './split-bytes.ts';

/** Limit of BatchGetItem. */
const MAX_KEYS = 100;
const DELETED_AT_ONCE = 8;

/** The attributes read of an entry. */
interface EntryItem extends FirstPart {
  readonly salt: Uint8Array;
  readonly expiresAt: number;
}

/** Output items in the table of idempotent responses, one entry per response. Names are hashes, which never meet those of the others. */
export class DynamoItemStore implements ItemStore {
  private readonly client: DynamoClient;
  private readonly tableName: string;

  constructor(client: DynamoClient, tableName: string) {
    this.client = client;
    this.tableName = tableName;
  }

  async write({ name, salt, bytes, expiresAtMs, endUserId }: NewItems): Promise<void> {
    const fields = { expiresAt: Math.floor(expiresAtMs / 1000), endUserId: endUserId ?? undefined };
    const first = await writeParts(this.client, this.tableName, name, bytes, fields);
    const Item = { ...fields, ...first, pk: name, salt };
    await reachStore('idempotency table', () => this.client.send(new PutCommand({ TableName: this.tableName, Item })));
  }

  async remove(names: readonly string[]): Promise<void> {
    for (const some of inBatches(names, MAX_KEYS)) {
      const found = await batchGet(this.client, this.tableName, some);
      const pks = [...found].flatMap(([name, item]) => {
        const { parts } = item as unknown as EntryItem;
        return [...Array.from({ length: parts }, (_, at) => `${name}#${at}`), name];
      });
      await inParallel(pks, DELETED_AT_ONCE, (pk) => {
        const Key = { pk };
        return reachStore('idempotency table', () =>
          this.client.send(new DeleteCommand({ TableName: this.tableName, Key })),
        );
      });
    }
  }

  async *read(names: readonly string[], nowMs: number): AsyncGenerator<SealedItems> {
    for (let at = 0; at < names.length; at += MAX_KEYS) {
      const found = await batchGet(this.client, this.tableName, names.slice(at, at + MAX_KEYS));
      for (const [name, entry] of found) {
        const item = entry as unknown as EntryItem;
        if (!isLive(item, nowMs)) continue;
        // The parts of an entry that is being deleted go one by one.
        const bytes = await readParts(this.client, this.tableName, name, item);
        if (bytes !== undefined) yield { name, salt: item.salt, bytes };
      }
    }
  }
}
