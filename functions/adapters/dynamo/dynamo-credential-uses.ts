import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { CredentialUseStore } from '../../control/credentials/index.ts';
import type { DynamoClient } from '../aws/clients.ts';
import { reachStore } from '../aws/reach-store.ts';
import { batchGet, inBatches } from './dynamo-calls.ts';

/** Items of one batch. */
const AT_ONCE = 100;

/** When credentials were used: an item each beside the document, since the gateway must not write that. */
export class DynamoCredentialUses implements CredentialUseStore {
  private readonly client: DynamoClient;
  private readonly tableName: string;

  constructor(client: DynamoClient, tableName: string) {
    this.client = client;
    this.tableName = tableName;
  }

  async noteUse(id: string, usedAt: string): Promise<void> {
    const update = new UpdateCommand({
      TableName: this.tableName,
      Key: keyOf(id),
      UpdateExpression: 'SET #usedAt = :usedAt',
      ExpressionAttributeNames: { '#usedAt': 'usedAt' },
      ExpressionAttributeValues: { ':usedAt': usedAt },
    });
    await reachStore('policies table', () => this.client.send(update));
  }

  async lastUses(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const batches = await Promise.all(
      inBatches(ids, AT_ONCE).map((some) =>
        batchGet(
          this.client,
          this.tableName,
          some.map((id) => keyOf(id).pk),
        ),
      ),
    );
    const found = ids.flatMap((id) => {
      const item = batches.map((batch) => batch.get(keyOf(id).pk)).find((one) => one !== undefined);
      return typeof item?.usedAt === 'string' ? [[id, item.usedAt] as const] : [];
    });
    return new Map(found);
  }

  async deleteUse(id: string): Promise<void> {
    const remove = new DeleteCommand({ TableName: this.tableName, Key: keyOf(id) });
    await reachStore('policies table', () => this.client.send(remove));
  }
}

function keyOf(id: string): { readonly pk: string } {
  return { pk: `credential-use#${id}` };
}
