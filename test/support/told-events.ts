import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { DynamoClient } from '../../functions/adapters/aws/clients.ts';
import { outboxIn } from '../../functions/adapters/dynamo/dynamo-outbox.ts';
import type { GatewayEvent } from '../../functions/kernel/model/index.ts';

/** The events that the items of these tables hold until they are relayed, oldest first. */
export async function toldEvents(dynamo: DynamoClient, ...tables: string[]): Promise<GatewayEvent[]> {
  const pages = await Promise.all(
    tables.map((TableName) => dynamo.send(new ScanCommand({ TableName, ConsistentRead: true }))),
  );
  const events = pages.flatMap(({ Items = [] }) => Items.flatMap(outboxIn)).map((json) => JSON.parse(json));
  return (events as GatewayEvent[]).sort((a, b) => (a.created < b.created ? -1 : 1));
}
