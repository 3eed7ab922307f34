import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { SetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { createDynamoClient, createSqsClient } from '../../functions/adapters/aws/clients.ts';
import type { Item } from '../../functions/adapters/dynamo/dynamo-calls.ts';
import { toLedger } from '../../functions/adapters/dynamo/dynamo-limit-updates.ts';
import { readRecordItem } from '../../functions/adapters/dynamo/record-item.ts';
import { TABLES } from '../../functions/adapters/dynamo/tables.ts';
import { createResources, embeddedAccess, type StoreAddresses } from '../../lib/local/create-resources.ts';
import { startDynamoDbLocal } from '../stores/dynamodb-local.ts';
import type { LimitItem, StoredRecord } from './ledger.ts';
import { preloadOf } from './standstills.ts';

export const STORES = ['local', 'dynamodb-local'] as const;
export type StoreName = (typeof STORES)[number];

/** A message that a killed process had taken comes again after it; in a deployment it is longer. */
const VISIBILITY_SECONDS = 6;

/** The real stores, behind their proxies. */
export interface SoakStores {
  readonly dynamodbUrl: string;
  readonly sqsUrl: string;
  records(): Promise<StoredRecord[]>;
  limits(): Promise<Map<string, Omit<LimitItem, 'keyId'>>>;
  /** Everything in every table, as text, by table. */
  dump(): Promise<{ name: string; text: string }[]>;
  stop(): Promise<void>;
}

/** The embedded stores in a separate process, or AWS's DynamoDB Local beside its queues. */
export async function startSoakStores(which: StoreName, standstillsFile: string): Promise<SoakStores> {
  const child = fork(path.resolve(import.meta.dirname, '../../lib/local/stores-process.ts'), [], {
    execArgv: ['--import', preloadOf({ standstills: standstillsFile })],
  });
  const [embedded] = (await once(child, 'message')) as [StoreAddresses];
  const engine = which === 'local' ? undefined : await startDynamoDbLocal();
  const { sqsUrl, eventsQueueUrl, deliveriesQueueUrl } = embedded;
  const dynamodbUrl = engine?.url ?? embedded.dynamodbUrl;
  if (engine !== undefined) await createResources(dynamodbUrl, sqsUrl);
  const sqs = createSqsClient(embeddedAccess(sqsUrl));
  for (const QueueUrl of [eventsQueueUrl, deliveriesQueueUrl]) {
    const Attributes = { VisibilityTimeout: String(VISIBILITY_SECONDS) };
    await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }));
  }
  const dynamo = createDynamoClient(embeddedAccess(dynamodbUrl));
  const scan = async (TableName: string) => {
    const items: Item[] = [];
    let start: Item | undefined;
    do {
      const command: ScanCommand = new ScanCommand({ TableName, ConsistentRead: true, ExclusiveStartKey: start });
      const { Items = [], LastEvaluatedKey } = await dynamo.send(command);
      items.push(...Items);
      start = LastEvaluatedKey;
    } while (start !== undefined);
    return items;
  };
  return {
    dynamodbUrl,
    sqsUrl,
    records: async () =>
      (await scan('records')).flatMap((item) =>
        typeof item.record === 'string' ? [readRecordItem(item) as StoredRecord] : [],
      ),
    limits: async () => {
      const items = await scan('limits');
      return new Map(items.map((item) => [String(item.pk), toLimitItem(item)]));
    },
    dump: async () => {
      const names = Object.keys(TABLES);
      const texts = await Promise.all(
        names.map(async (name) => ({ name: `table ${name}`, text: textOf(await scan(name)) })),
      );
      return texts;
    },
    stop: async () => {
      await engine?.stop();
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** With bytes as numbers, and sets as lists. */
function textOf(items: readonly Item[]): string {
  return JSON.stringify(items, (_, one) => {
    if (typeof one === 'bigint') return String(one);
    return one instanceof Set ? [...one] : one;
  });
}

function toLimitItem(item: Parameters<typeof toLedger>[0]): Omit<LimitItem, 'keyId'> {
  const { spent, open, tokensHeld, slots, tokensFullAt, fullAtMicros } = toLedger(item);
  const held = [...slots.values()].flatMap(({ nanoUsd }) => [...nanoUsd.values()]);
  return {
    spent: sum([...spent.values()]),
    open,
    tokensHeld,
    held: sum(held),
    tokensAt: tokensFullAt,
    fullAt: fullAtMicros,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}
